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
import { NoAnswer } from './reply.js';
import type { Run } from './run.js';
import { Scope } from './scope.js';
import { connectSecondServer, type SecondServer } from './secondServer.js';
import { noteStop, readStop } from './stopNote.js';

/** What every target answers somehow, as long as it is there. */
const anything = '/api/v1/namespaces/default';
/** Milliseconds in which a target that refuses connections may come back. */
const comesBack = 3_000;

/** Everything that a performer works with. */
export class Context {
  readonly client: Client;
  /** Tells of the id of a case whether the run chooses it. */
  readonly chosen: Chosen;
  readonly scope: Scope;
  readonly evidence: EvidenceWriter;
  /** The stand-ins that the target asks; absent where it was not started with the fixtures. */
  readonly standIns: StandInControl | undefined;
  /** A server like the target that can be started again; absent where nobody can start one. */
  readonly secondServer: SecondServer | undefined;
  /** The node of the run; absent where pods run on nodes of the target's own, or nowhere. */
  readonly node: SuiteNode | undefined;
  constructor(
    readonly run: Run,
    index: string,
  ) {
    this.chosen = chosenBy(run.choice ?? {});
    this.client = new Client(run.target, run.patience, {
      guard: guardOf(run.target, run.undeletable ?? {}),
      ...(run.answerPatience === undefined ? {} : { patience: run.answerPatience }),
    });
    this.scope = new Scope(this.client, run.runId, `w${index}`);
    const { authentication, node } = run;
    this.standIns = authentication && connectControl(authentication.controlUrl);
    const secondServerUrl = authentication?.secondServerUrl;
    this.secondServer = secondServerUrl === undefined ? undefined : connectSecondServer(secondServerUrl);
    this.node = node && connectNode(node.name, node.controlUrl);
    for (const secret of authentication ? secretsOf(authentication.fixtures) : []) this.client.redactor.add(secret);
    this.evidence = new EvidenceWriter(join(run.directory, 'evidence'), `worker-${index}`);
  }

  /** Why nothing more is sent, by what this worker or another one has found; undefined while the run goes on. */
  get stop(): Stop | undefined {
    const { health } = this.client;
    const { stopFile } = this.run;
    const noted = health.stop === undefined && stopFile !== undefined ? readStop(stopFile) : undefined;
    if (noted !== undefined) health.end(noted);
    return health.stop;
  }

  /** Finds out whether the target still answers anything at all, as slowly as it may; ends the run where it does not. */
  async lookForTarget(): Promise<void> {
    const { health } = this.client;
    for (const end = Date.now() + comesBack; health.stop === undefined; ) {
      try {
        await this.client.send({ method: 'GET', path: anything });
        break;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        const reason = `the target no longer answers, nothing more was sent (${error.message}): start it again, and look into what it was asked last`;
        if (Date.now() >= end) health.end({ kind: 'gone', reason });
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    const { stopFile } = this.run;
    if (health.stop !== undefined && stopFile !== undefined) noteStop(stopFile, health.stop);
  }
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
