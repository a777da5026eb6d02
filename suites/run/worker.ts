// A worker process: its evidence file, and a context for each of the subjects that it runs at the same time.
import { join } from 'node:path';
import { Pace } from '../client/backoff.js';
import { Redactor } from '../client/evidence/redaction.js';
import { EvidenceWriter } from '../client/evidence/writer.js';
import type { SharedHealth } from '../client/health.js';
import { Context } from './context.js';
import { tell } from './messages.js';
import { createFile } from './outage.js';
import { type Run, readRun } from './settings.js';
import { Turns, turnSocket } from './turns.js';

const alphabet = 'abcdefghijklmnopqrstuvwxyz';

export class Worker {
  readonly evidence: EvidenceWriter;
  readonly #contexts: Context[] = [];
  readonly #health: SharedHealth = { lastKinds: [] };
  readonly #redactor = new Redactor();
  readonly #pace = new Pace((line) => {
    const { stopFile } = this.run;
    // Of all workers, the first one tells it.
    if (stopFile === undefined || createFile(`${stopFile}.waits`, line)) tell(line);
  });

  /** `index`: names the evidence and the objects of the worker. `turns`: those that it shares with other workers. */
  constructor(
    readonly run: Run,
    readonly index: string,
    private readonly turns: Turns,
  ) {
    this.evidence = new EvidenceWriter(join(run.directory, 'evidence'), `worker-${index}`, run.evidence);
  }

  /** Writes the evidence that was not written yet. */
  end(): void {
    const { waits } = this.#pace;
    if (waits !== undefined) this.evidence.writeWaits(waits);
    this.evidence.flush();
  }

  /** Whether the target has stopped responding to one of the contexts. */
  get isStopped(): boolean {
    return this.#contexts.some(({ recovery }) => recovery.stop !== undefined);
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await Promise.all(this.#contexts.map(({ client }) => client.close()));
  }

  /** Returns the nth context, made at its first use. Contexts share no namespaces and no connections. */
  context(n: number): Context {
    this.#contexts[n] ??= new Context(
      this.run,
      contextName(this.index, n),
      this.turns,
      this.#health,
      this.#redactor,
      this.#pace,
    );
    return this.#contexts[n];
  }
}

/** Returns the name of a worker's nth context: the index of the worker, followed by letters if `n` is not 0. */
export function contextName(index: string, n: number): string {
  const letters = [...n.toString(alphabet.length)].map((digit) => alphabet[Number.parseInt(digit, alphabet.length)]);
  return n === 0 ? index : index + letters.join('');
}

let made: Worker | undefined;

export function thisWorker(): Worker {
  if (made !== undefined) return made;
  const worker = new Worker(readRun(), process.env.TEST_WORKER_INDEX ?? '0', new Turns(turnSocket()));
  // also in a run that is interrupted
  process.once('exit', () => worker.end());
  made = worker;
  return worker;
}
