// The context of a subject: the client, its sandbox on the target. A worker has several contexts.

import { defined } from '../../matrix/api/index.js';
import { Client } from '../client/client.js';
import { Redactor } from '../client/evidence/redaction.js';
import { Health, type LastKinds, type Stop } from '../client/health.js';
import { NoAnswer } from '../client/reply.js';
import { secretsOf } from '../fixtures/fixtures.js';
import { OwnOpenApi } from '../objects/declared/ownOpenApi.js';
import { guardOf } from '../objects/deletes.js';
import { Sandbox } from '../objects/sandbox.js';
import { type Chosen, chosenBy } from '../requirements/index.js';
import { type BackendControl, connectControl } from '../stand-ins/control.js';
import { connectNode, type SuiteNode } from '../stand-ins/node.js';
import { Outages } from './outage.js';
import { connectSecondServer, type SecondServer } from './secondServer.js';
import { defaultComesBack, hasNamespaces, type Run } from './settings.js';
import { noteStop, readStop } from './stopNote.js';
import { Turns } from './turns.js';

/** The maximum time for which the other workers wait for one of them, in milliseconds. */
export const longestTurn = 15 * 60_000;
/** A path to which every running target sends some response. */
const anything = '/api/v1/namespaces/default';
/** Milliseconds for which a target may be gone, in all outages together. */
const allOutages = 20 * 60_000;
/** Milliseconds between two probes of a target, and the number of failed probes of a target that is gone. */
const pause = 250;
const missed = 2;

/** `there`: the target responds. `back`: it was gone, and responds again. `gone`: the run is over. */
export type Found = 'there' | 'back' | 'gone';

/** The context of setups. */
export class Context {
  readonly client: Client;
  /** The target's own OpenAPI, and what the responses to the client violate. */
  readonly openApi: OwnOpenApi;
  /** Reports whether the run chooses the case of an id. */
  readonly chosen: Chosen;
  readonly outages: Outages;
  /** Controls the stand-ins that the target asks; absent if the target was not started with the fixtures. */
  readonly backends: BackendControl | undefined;
  /** A server like the target that can be started again; absent if none can be started. */
  readonly secondServer: SecondServer | undefined;
  /** The turns of subjects that use the second server: one at a time, in all workers. */
  readonly secondServerTurns: Turns;
  /** The node of the run; absent if pods run on the target's own nodes, or on none. */
  readonly node: SuiteNode | undefined;
  /** Whether the target has namespaces as objects. */
  readonly hasNamespaces: boolean;
  #sandbox: Sandbox;
  #sandboxes = 1;
  /** The number of outages that this worker knows of, and the milliseconds that it waited in them. */
  #known = 0;
  #waited = 0;

  /**
   * `index`: names the objects of this context. `caseTurns`: the turns of subjects; a subject after which the target was
   * gone is tried again alone. `lastKinds` and `redactor`: shared by the contexts of a worker. Each
   * sends only few requests, and sees secrets of the others.
   */
  constructor(
    readonly run: Run,
    readonly index: string,
    readonly caseTurns = new Turns(run.stopFile, longestTurn),
    lastKinds: LastKinds = [],
    redactor = new Redactor(),
  ) {
    this.chosen = chosenBy(run.choice ?? {}, run.kinds);
    this.openApi = new OwnOpenApi(run);
    this.client = new Client(run.target, run.patience, {
      observe: (call, reply) => this.openApi.observe(call, reply),
      guard: guardOf(run.target, run.undeletable ?? {}),
      health: new Health(lastKinds),
      redactor,
      ...defined({ patience: run.answerPatience }),
    });
    this.hasNamespaces = hasNamespaces(run.target.notSupported);
    this.#sandbox = new Sandbox(this.client, run.runId, `w${index}`, this.hasNamespaces);
    this.outages = new Outages(run.stopFile);
    const { authentication, node } = run;
    this.backends = authentication && connectControl(authentication.controlUrl);
    const secondServerUrl = authentication?.secondServerUrl;
    this.secondServerTurns = new Turns(run.stopFile && `${run.stopFile}.second`);
    this.secondServer = secondServerUrl === undefined ? undefined : connectSecondServer(secondServerUrl);
    this.node = node && connectNode(node.name, node.controlUrl);
    for (const secret of authentication ? secretsOf(authentication.fixtures) : []) this.client.redactor.add(secret);
  }

  /** Why no more requests are sent, found by this worker or another one; undefined while the run goes on. */
  get stop(): Stop | undefined {
    const { health } = this.client;
    const { stopFile } = this.run;
    const noted = health.stop === undefined && stopFile !== undefined ? readStop(stopFile) : undefined;
    if (noted !== undefined) health.end(noted);
    return health.stop;
  }

  /** The namespaces, names and objects of this worker. */
  get sandbox(): Sandbox {
    return this.#sandbox;
  }

  /** Starts with new namespaces: the old ones may be gone, or their creates may have lost the response. */
  renewSandbox(): void {
    this.#sandboxes += 1;
    const name = `w${this.index}x${this.#sandboxes}`;
    this.#sandbox = new Sandbox(this.client, this.run.runId, name, this.hasNamespaces);
  }

  /** Whether another worker has seen an outage since the last `beginAgain`. */
  get wasGone(): boolean {
    return this.outages.count > this.#known;
  }

  /**
   * Waits until this worker may go on; `caseTurns.leave` ends its turn. Starts with new namespaces if the target was
   * gone, because the objects may be gone too.
   */
  async ready(): Promise<void> {
    await this.caseTurns.enter();
    this.beginAgain();
  }

  /** Ignores earlier outages, and starts with new namespaces if there was one. */
  beginAgain(): void {
    const { count } = this.outages;
    if (count === this.#known) return;
    this.#known = count;
    this.renewSandbox();
  }

  /**
   * Finds out whether the target responds at all, with the full wait. Waits for a target that is gone, and ends the run
   * if it does not come back. `cut`: the pending request when its connection ended.
   */
  async lookForTarget(cut?: string): Promise<Found> {
    const { health } = this.client;
    const { comesBack: patience = defaultComesBack, stopFile } = this.run;
    const began = Date.now();
    let outage: ReturnType<Outages['begin']> | undefined;
    let found: Found | undefined;
    for (let misses = 0; found === undefined; ) {
      const silence = this.stop === undefined ? await this.#ask() : undefined;
      if (this.stop !== undefined) found = 'gone';
      else if (silence === undefined) {
        found = outage === undefined && !this.wasGone ? 'there' : 'back';
        // the target was gone and came back before this worker looked
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

  /** Returns why the target did not respond to a request that every target responds to; undefined if it did. */
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
    this.renewSandbox();
  }
}

/** Reports whether the target only did not respond. A target that is gone accepts no connection. */
const isSilence = (reason: string): boolean => /nothing came for|not complete after|Timeout/.test(reason);

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;

/** Writes one line for the user who started the run. */
function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
