// The workers of a run: processes of workerProcess.ts that take the parts of the run one after the other.
import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Redactor } from '../client/evidence/redaction.js';
import { secretsOfRun } from './prepared.js';
import { Progress } from './progress.js';
import type { Run } from './settings.js';
import { type EndedTest, Tally } from './tally.js';
import { serveTurns, turnSocket } from './turns.js';

/** A part of the run, and the number of its works that are done: the worker begins with the next one. */
export interface Assignment {
  readonly part: number;
  readonly from: number;
}

/** `loaded`: a worker waits for its first part. `parts`: the number of works of each part, the same in every worker. */
interface Loaded {
  readonly parts: readonly number[];
  readonly cases: number;
  readonly requests: number;
}

/** What a worker tells: that it loaded the tests, that a work of its part is over, or the whole part. */
export type FromWorker =
  | ({ readonly type: 'loaded' } & Loaded)
  | ({ readonly type: 'tested' } & EndedTest)
  | { readonly type: 'done' };

/** How a process ended. */
type End = number | NodeJS.Signals | null;

interface WorkersOptions {
  /** The module that a worker runs. */
  readonly program: string;
  readonly chapters: readonly string[];
  readonly count: number;
  /** Set if one worker runs all parts: it needs no turns, and the run ends with it. */
  readonly isOnly: boolean;
  /** The file with the settings of the run, which is complete before the run begins. */
  readonly settings: string;
  readonly execArgv: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export class Workers {
  /** The workers that run, with their parts. */
  readonly #working = new Map<ChildProcess, Assignment | undefined>();
  /** The parts that no worker has taken; undefined until a worker has loaded them. */
  #left: Assignment[] | undefined;
  #loaded: Loaded = { parts: [], cases: 0, requests: 0 };
  readonly #idle = new Set<ChildProcess>();
  #made = 0;
  #isBegun = false;
  #isStopped = false;
  #progress: Progress | undefined;
  #tally = new Tally();
  readonly #redactor = new Redactor();
  readonly #ended: Promise<End>;
  #end: (end: End) => void = () => undefined;

  constructor(readonly options: WorkersOptions) {
    this.#ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    for (let count = 0; count < options.count; count += 1) this.#start();
  }

  /** Runs the cases. Returns 0, or how the last worker ended that left parts undone. */
  async run(run: Run): Promise<End> {
    for (const secret of secretsOfRun(run)) this.#redactor.add(secret);
    this.#progress = new Progress(process.stderr);
    const { isOnly, settings } = this.options;
    const stopTurns = isOnly ? undefined : await serveTurns(turnSocket(settings));
    this.#isBegun = true;
    this.#progress.update(this.#tally.now);
    this.#give();
    try {
      return await this.#ended;
    } finally {
      this.#progress.end();
      stopTurns?.();
    }
  }

  /** Ends the workers, which keep what they found if the signal lets them. */
  kill(signal: NodeJS.Signals): void {
    this.#isStopped = true;
    for (const worker of this.#working.keys()) worker.kill(signal);
  }

  #start(): void {
    const { program, chapters, isOnly, execArgv, cwd, env } = this.options;
    const worker = fork(program, [String(this.#made), isOnly ? 'whole' : 'parts', ...chapters], {
      ...{ cwd, env, execArgv: [...execArgv] },
      // Its own process group: the command line passes Ctrl-C on.
      detached: true,
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    this.#made += 1;
    this.#working.set(worker, undefined);
    if (worker.stderr) createInterface(worker.stderr).on('line', (line) => this.#note(line));
    // A worker that could not be started, or is gone, is noticed by its exit.
    worker.on('error', () => worker.pid ?? this.#exited(worker, 1));
    worker.on('message', (message: FromWorker) => this.#take(worker, message));
    worker.once('exit', (code, signal) => this.#exited(worker, code ?? signal));
  }

  #take(worker: ChildProcess, message: FromWorker): void {
    if (message.type === 'tested') {
      const { part, from } = this.#working.get(worker) as Assignment;
      this.#working.set(worker, { part, from: from + 1 });
      this.#tally.add(message);
      this.#progress?.update(this.#tally.now);
      return;
    }
    if (message.type === 'loaded' && this.#left === undefined) {
      this.#loaded = message;
      this.#left = message.parts.map((_, part) => ({ part, from: 0 }));
      this.#tally = new Tally(message.cases, message.requests);
      this.#progress?.update(this.#tally.now);
    }
    this.#working.set(worker, undefined);
    this.#idle.add(worker);
    this.#give();
  }

  /** Gives the idle workers their next parts, and ends those for which there are none. */
  #give(): void {
    if (!this.#isBegun) return;
    for (const worker of this.#idle) {
      const next = this.#left?.shift();
      this.#idle.delete(worker);
      this.#working.set(worker, next);
      if (!worker.connected) continue;
      if (next === undefined) worker.disconnect();
      else worker.send(next);
    }
  }

  /** Leaves what a dead worker did not do to a new one, but for the work in which it died. */
  #exited(worker: ChildProcess, end: End): void {
    const had = this.#working.get(worker);
    this.#working.delete(worker);
    this.#idle.delete(worker);
    if (had !== undefined) {
      const isReplaced = !this.options.isOnly && !this.#isStopped;
      const from = had.from + (isReplaced ? 1 : 0);
      if (from < (this.#loaded.parts[had.part] ?? 0)) this.#left?.unshift({ ...had, from });
      if (isReplaced && this.#left?.length) this.#start();
    }
    if (this.#working.size === 0) this.#end(this.#left?.length === 0 ? 0 : end);
  }

  #note(text: string): void {
    const shown = this.#redactor.redact(text);
    if (this.#progress === undefined) process.stderr.write(`${shown}\n`);
    else this.#progress.note(shown);
  }
}
