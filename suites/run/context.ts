// The context of a subject: the client, its sandbox on the target. A worker has several contexts.

import { defined } from '../../matrix/api/index.js';
import { Pace } from '../client/backoff.js';
import { Client } from '../client/client.js';
import { Redactor } from '../client/evidence/redaction.js';
import { Health, type SharedHealth } from '../client/health.js';
import { secretsOf } from '../fixtures/fixtures.js';
import { OwnOpenApi } from '../objects/declared/ownOpenApi.js';
import { guardOf } from '../objects/deletes.js';
import { hasNamespaces } from '../objects/namespaceServer.js';
import { Sandbox } from '../objects/sandbox.js';
import { type Chosen, chosenBy, type Subject } from '../requirements/index.js';
import { type BackendControl, connectControl } from '../stand-ins/control.js';
import { connectNode, type SuiteNode } from '../stand-ins/node.js';
import { Recovery } from './recovery.js';
import { connectSecondServer, type SecondServer } from './secondServer.js';
import type { Run } from './settings.js';
import { type Turn, Turns } from './turns.js';

export class Context {
  readonly client: Client;
  /** The target's own OpenAPI, and what the responses to the client violate. */
  readonly openApi: OwnOpenApi;
  /** Reports whether the run chooses the case of an id. */
  readonly chosen: Chosen;
  readonly recovery: Recovery;
  /** Controls the stand-ins that the target asks; absent if the target was not started with the fixtures. */
  readonly backends: BackendControl | undefined;
  /** A server like the target that can be started again; absent if none can be started. */
  readonly secondServer: SecondServer | undefined;
  /** The node of the run; absent if pods run on the target's own nodes, or on none. */
  readonly node: SuiteNode | undefined;
  /** Whether the target has namespaces as objects. */
  readonly hasNamespaces: boolean;
  #sandbox: Sandbox;
  #sandboxes = 1;
  #turn: Turn | undefined;

  /**
   * `index`: names the objects of this context. `turns`, `health`, `redactor` and `pace`: shared by the contexts of a worker.
   * Each sends only few requests, and sees secrets of the others.
   */
  constructor(
    readonly run: Run,
    readonly index: string,
    readonly turns = new Turns(),
    health?: SharedHealth,
    redactor = new Redactor(),
    pace = new Pace(),
  ) {
    this.chosen = chosenBy(run.choice ?? {}, run.kinds);
    this.openApi = new OwnOpenApi(run);
    this.client = new Client(run.target, run.timeout, {
      observe: (call, reply) => this.openApi.observe(call, reply),
      guard: guardOf(run.target, run.undeletable ?? {}),
      health: new Health(health),
      redactor,
      pace,
      ...defined({ timeout: run.answerTimeout }),
    });
    this.hasNamespaces = hasNamespaces(run.target.notSupported);
    this.#sandbox = new Sandbox(this.client, run.runId, `w${index}`, this.hasNamespaces);
    this.recovery = new Recovery(run, this.client, () => this.renewSandbox());
    const { authentication, node } = run;
    this.backends = authentication && connectControl(authentication.controlUrl);
    const secondServerUrl = authentication?.secondServerUrl;
    this.secondServer = secondServerUrl === undefined ? undefined : connectSecondServer(secondServerUrl);
    this.node = node && connectNode(node.name, node.controlUrl);
    for (const secret of authentication ? secretsOf(authentication.fixtures) : []) this.client.redactor.add(secret);
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

  /** Runs a subject in its turn. A subject that affects the other workers runs alone. */
  async inTurn<T>({ alone }: Subject, act: () => Promise<T>): Promise<T> {
    this.#turn = await this.turns.take('target', alone ? 'alone' : 'together');
    try {
      return await act();
    } finally {
      this.#turn.end();
      this.#turn = undefined;
    }
  }

  /** Waits until the turn of this context is the only one, which it stays to its end. */
  async becomeAlone(): Promise<void> {
    await this.#turn?.becomeAlone();
  }
}
