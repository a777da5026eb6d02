// What a worker holds for its whole life: the client, its scope on the target, its evidence file.
import { join } from 'node:path';
import { type Chosen, chosenBy } from '../../matrix/requirements/index.js';
import { secretsOf } from '../fixtures/fixtures.js';
import { connectControl, type StandInControl } from '../stand-ins/control.js';
import { connectNode, type SuiteNode } from '../stand-ins/node.js';
import { Client } from './client.js';
import { guardOf } from './deletes.js';
import { EvidenceWriter } from './evidence.js';
import type { Stop } from './health.js';
import { Outages } from './outage.js';
import { NoAnswer } from './reply.js';
import { type Run, usualComesBack } from './run.js';
import { Scope } from './scope.js';
import { connectSecondServer, type SecondServer } from './secondServer.js';
import { noteStop, readStop } from './stopNote.js';

/** What every target answers somehow, as long as it is there. */
const anything = '/api/v1/namespaces/default';
/** Milliseconds in which a target may be gone, in all outages together. */
const allOutages = 20 * 60_000;
/** Milliseconds between two looks for a target that is gone, and looks that it must miss to be called so. */
const pause = 250;
const missed = 2;

/** `there`: the target answers. `back`: it was gone, and answers again. `gone`: the run is over. */
export type Found = 'there' | 'back' | 'gone';

/** Everything that a performer works with. */
export class Context {
  readonly client: Client;
  /** Tells of the id of a case whether the run chooses it. */
  readonly chosen: Chosen;
  readonly outages: Outages;
  readonly evidence: EvidenceWriter;
  /** The stand-ins that the target asks; absent where it was not started with the fixtures. */
  readonly standIns: StandInControl | undefined;
  /** A server like the target that can be started again; absent where nobody can start one. */
  readonly secondServer: SecondServer | undefined;
  /** The node of the run; absent where pods run on nodes of the target's own, or nowhere. */
  readonly node: SuiteNode | undefined;
  #scope: Scope;
  #scopes = 1;
  /** Outages that this worker knows of, and milliseconds that it waited in them. */
  #known = 0;
  #waited = 0;

  constructor(
    readonly run: Run,
    readonly index: string,
  ) {
    this.chosen = chosenBy(run.choice ?? {});
    this.client = new Client(run.target, run.patience, {
      guard: guardOf(run.target, run.undeletable ?? {}),
      ...(run.answerPatience === undefined ? {} : { patience: run.answerPatience }),
    });
    this.#scope = new Scope(this.client, run.runId, `w${index}`);
    this.outages = new Outages(run.stopFile);
    const { authentication, node } = run;
    this.standIns = authentication && connectControl(authentication.controlUrl);
    const secondServerUrl = authentication?.secondServerUrl;
    this.secondServer = secondServerUrl === undefined ? undefined : connectSecondServer(secondServerUrl);
    this.node = node && connectNode(node.name, node.controlUrl);
    for (const secret of authentication ? secretsOf(authentication.fixtures) : []) this.client.redactor.add(secret);
    this.evidence = new EvidenceWriter(join(run.directory, 'evidence'), `worker-${index}`, run.evidence);
  }

  /** Why nothing more is sent, by what this worker or another one has found; undefined while the run goes on. */
  get stop(): Stop | undefined {
    const { health } = this.client;
    const { stopFile } = this.run;
    const noted = health.stop === undefined && stopFile !== undefined ? readStop(stopFile) : undefined;
    if (noted !== undefined) health.end(noted);
    return health.stop;
  }

  /** Where this worker creates things. */
  get scope(): Scope {
    return this.#scope;
  }

  /** Begins with new namespaces: those that were there may be gone, or were never made because an answer was lost. */
  renewScope(): void {
    this.#scopes += 1;
    this.#scope = new Scope(this.client, this.run.runId, `w${this.index}x${this.#scopes}`);
  }

  /** Whether the target was gone since this worker began anew, as another worker has seen. */
  get wasGone(): boolean {
    return this.outages.count > this.#known;
  }

  /** Waits until this worker may go on; `outages.leave` ends what begins here. What it has made may be gone with a target that was started again. */
  async ready(): Promise<void> {
    await this.outages.enter();
    this.beginAnew();
  }

  /** Looks at no outage before this moment; begins with new namespaces where there was one. */
  beginAnew(): void {
    const { count } = this.outages;
    if (count === this.#known) return;
    this.#known = count;
    this.renewScope();
  }

  /**
   * Finds out whether the target still answers anything at all, as slowly as it may; waits for one that is gone, and
   * ends the run where it does not come back. `cut`: the request that was under way when its connection ended.
   */
  async lookForTarget(cut?: string): Promise<Found> {
    const { health } = this.client;
    const { comesBack: patience = usualComesBack, stopFile } = this.run;
    const began = Date.now();
    let outage: ReturnType<Outages['begin']> | undefined;
    let found: Found | undefined;
    for (let misses = 0; found === undefined; ) {
      const silence = this.stop === undefined ? await this.#ask() : undefined;
      if (this.stop !== undefined) found = 'gone';
      else if (silence === undefined) {
        found = outage === undefined && !this.wasGone ? 'there' : 'back';
        // it went and came back before this worker looked
        if (outage === undefined && this.wasGone) this.#suspect(cut);
      } else {
        misses += 1;
        const last = health.lastLost ?? silence;
        if (misses >= missed && outage === undefined) {
          outage = this.outages.begin();
          this.#suspect(cut);
          if (outage.isFirst && patience > 5_000)
            tell(`the target stopped responding; waiting ${seconds(patience)} for it to come back (${last})`);
        }
        if (misses === missed && !isSilence(silence)) this.outages.broke();
        const spent = Date.now() - (outage?.since ?? began);
        if (outage !== undefined && (spent >= patience || this.#waited + spent >= allOutages)) {
          const reason = `the target no longer responds, and no further requests were sent (${silence}): start it again, and look at the last requests`;
          health.end({ kind: 'gone', reason });
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    if (found === 'back') this.#isBack(Date.now() - began);
    if (health.stop !== undefined && stopFile !== undefined) noteStop(stopFile, health.stop);
    return found;
  }

  #suspect(cut: string | undefined): void {
    if (cut !== undefined) this.outages.suspect(this.client.redactor.redact(cut));
  }

  /** Why the target did not answer a request that every target answers somehow; undefined where it did. */
  async #ask(): Promise<string | undefined> {
    try {
      await this.client.send({ method: 'GET', path: anything, isProbe: true });
      return undefined;
    } catch (error) {
      if (error instanceof NoAnswer) return error.message;
      throw error;
    }
  }

  #isBack(milliseconds: number): void {
    this.#waited += milliseconds;
    this.outages.over();
    this.#known = this.outages.count;
    this.renewScope();
  }
}

/** Whether a target only kept silent: one that is gone lets no connection be made. */
const isSilence = (reason: string): boolean => /nothing came for|not complete after|Timeout/.test(reason);

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;

/** One line for whoever started the run. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

let context: Context | undefined;

/** The context of this worker process, made at its first use. */
export function worker(run: Run): Context {
  if (context !== undefined) return context;
  const made = new Context(run, process.env.TEST_WORKER_INDEX ?? '0');
  // of a run that is interrupted, too
  process.once('exit', () => made.evidence.flush());
  context = made;
  return made;
}
