// What a worker holds for its whole life: the client, its scope on the target, its evidence file.
import { join } from 'node:path';
import { type Chosen, chosenBy } from '../../matrix/requirements/index.js';
import { secretsOf } from '../fixtures/fixtures.js';
import { connectControl, type StandInControl } from '../stand-ins/control.js';
import { connectNode, type SuiteNode } from '../stand-ins/node.js';
import { Client } from './client.js';
import { EvidenceWriter } from './evidence.js';
import type { Run } from './run.js';
import { Scope } from './scope.js';
import { connectSecondServer, type SecondServer } from './secondServer.js';

/** Unanswered subjects in a row after which the target is asked whether it is still there. */
const patience = 3;

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
  /** Why nothing more is sent, once the target has gone. */
  gone: string | undefined;
  #unanswered = 0;

  constructor(
    readonly run: Run,
    index: string,
  ) {
    this.chosen = chosenBy(run.choice ?? {});
    this.client = new Client(run.target, run.patience);
    this.scope = new Scope(this.client, run.runId, `w${index}`);
    const { authentication, node } = run;
    this.standIns = authentication && connectControl(authentication.controlUrl);
    const secondServerUrl = authentication?.secondServerUrl;
    this.secondServer = secondServerUrl === undefined ? undefined : connectSecondServer(secondServerUrl);
    this.node = node && connectNode(node.name, node.controlUrl);
    for (const secret of authentication ? secretsOf(authentication.fixtures) : []) this.client.redactor.add(secret);
    this.evidence = new EvidenceWriter(join(run.directory, 'evidence'), `worker-${index}`);
  }

  /** Notes that the target answered. */
  answered(): void {
    this.#unanswered = 0;
  }

  /** Notes that it did not; after a few in a row, finds out whether it answers anything at all. */
  async unanswered(): Promise<void> {
    this.#unanswered += 1;
    if (this.#unanswered < patience) return;
    try {
      await this.client.send({ method: 'GET', path: '/version', deadline: 5_000 });
      this.#unanswered = 0;
    } catch {
      this.gone = 'the target no longer answers: nothing more was sent';
    }
  }
}

let context: Context | undefined;

/** The context of this worker process, made at its first use. */
export function worker(run: Run): Context {
  context ??= new Context(run, process.env.TEST_WORKER_INDEX ?? '0');
  return context;
}
