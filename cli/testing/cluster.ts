// A cluster for tests: an API server and a node agent, with calls to both.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { inject } from 'vitest';
import { type NodeAgentOptions, type RunningNodeAgent, startNodeAgent } from '../../node-agent/index.js';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { Client } from '../../suites/index.js';
import { resolveTarget } from '../target/target.js';

/** The address of an API server and a token. `ca` is a file. */
export interface ServerFacts {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** Milliseconds to wait for what must come. */
const timeout = inject('deadline') / 2;

export class TestCluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'cluster-'));
  readonly egressSocket = join(this.folder, 'egress.sock');
  agent: RunningNodeAgent | undefined;
  #client: Client | undefined;
  #facts: ServerFacts | undefined;

  /** Uses a running server. */
  use(facts: ServerFacts): void {
    this.#facts = facts;
    this.#client = new Client(resolveTarget(facts));
  }

  get facts(): ServerFacts {
    if (this.#facts === undefined) throw new Error('no server yet');
    return this.#facts;
  }

  /** Starts the agent of one node, `node-1`. Resolves when the node is registered. */
  async startAgent(options: Partial<NodeAgentOptions> = {}): Promise<RunningNodeAgent> {
    const { url, token } = this.facts;
    this.agent = await startNodeAgent({
      api: { url, token, ca: this.#client?.target.ca ?? '' },
      nodes: [{ name: 'node-1', address: '10.250.0.1', podCidr: '10.244.0.0/24' }],
      egressSocket: this.egressSocket,
      schedule: true,
      restartDelay: 100,
      ...options,
    });
    await this.agent.registered;
    return this.agent;
  }

  async close(): Promise<void> {
    await this.agent?.close();
    await this.#client?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Calls the API server. */
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; text: string; json: AnyShape }> {
    const headers = { 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const reply = await this.#client?.send({ method, path, ...sent });
    if (reply === undefined) throw new Error('no server yet');
    return { status: reply.status, text: reply.bytes.toString(), json: reply.tryValue() };
  }

  /** Reports whether the API server accepts a token. */
  async accepts(token: string): Promise<boolean> {
    const reply = await this.#client?.send({ method: 'GET', path: '/api/v1/nodes', as: { token } });
    return reply?.status === 200;
  }

  /** Creates a pod in the namespace `default` as soon as its service account has a token. Returns its path. */
  async createPod(name: string, spec: AnyShape): Promise<string> {
    const body = { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec };
    const deadline = Date.now() + timeout;
    for (;;) {
      const { status, text, json } = await this.call('POST', '/api/v1/namespaces/default/pods', body);
      if (status < 300) return `/api/v1/namespaces/default/pods/${name}`;
      if (json?.reason !== 'ServerTimeout' || Date.now() > deadline) throw new Error(text);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Reads an object until the condition holds. An absent object is undefined. */
  async until(path: string, wanted: (object: AnyShape) => boolean): Promise<AnyShape> {
    const deadline = Date.now() + timeout;
    for (;;) {
      const { status, json } = await this.call('GET', path);
      const found = status === 404 ? undefined : json;
      if (wanted(found)) return found;
      if (Date.now() > deadline) throw new Error(`${path} is not as wanted: ${JSON.stringify(found?.status)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  untilPhase(path: string, phase: string): Promise<AnyShape> {
    return this.until(path, (pod) => pod?.status?.phase === phase);
  }

  /** Calls the kubelet of the node, through the CONNECT proxy. */
  async kubelet(path: string, tls: object = {}): Promise<{ status: number; text: string }> {
    const { status, whole } = await this.kubeletBegins(path, tls);
    return { status, text: await whole };
  }

  /** Calls the kubelet as well. Resolves when the response begins, whose end may come much later. */
  async kubeletBegins(path: string, tls: object = {}): Promise<{ status: number; whole: Promise<string> }> {
    const asked = request({ socketPath: this.egressSocket, method: 'CONNECT', path: '10.250.0.1:10250' }).end();
    const [, tunnel] = await once(asked, 'connect');
    const socket = connectTls({ socket: tunnel, ca: this.agent?.caCertificate, servername: 'node-1', ...tls });
    await once(socket, 'secureConnect');
    const call = requestTls({ createConnection: () => socket, path, headers: { connection: 'close' } }).end();
    const [response] = (await once(call, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, whole: text(response) };
  }
}
