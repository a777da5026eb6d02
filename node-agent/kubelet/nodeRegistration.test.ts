// The Node object, and what other clients have written to its status.
import { expect, test } from 'vitest';
import { ApiClient, ApiError } from '../api/apiClient.js';
import { EventRecorder } from '../api/eventRecorder.js';
import type { Node } from '../api/types.js';
import { NodeRegistration } from './nodeRegistration.js';

/** A server with one node. */
class NodeServer extends ApiClient {
  node: Node | undefined;
  #version = 0;

  constructor(readonly version: () => unknown = () => ({ gitVersion: 'v1.36.0+k3s1' })) {
    super({ url: 'http://127.0.0.1' });
  }

  override async get<Kind>(path: string): Promise<Kind> {
    return (path === '/version' ? this.version() : this.node) as Kind;
  }

  override async create<Kind>(_: string, node: unknown): Promise<Kind> {
    if (this.node !== undefined) throw new ApiError(409, 'AlreadyExists', 'there is one');
    return this.#store(node as Node) as Kind;
  }

  override async replace<Kind>(_: string, node: unknown): Promise<Kind> {
    if ((node as Node).metadata.resourceVersion !== this.node?.metadata.resourceVersion) {
      throw new ApiError(409, 'Conflict', 'changed');
    }
    return this.#store(node as Node) as Kind;
  }

  setStatus(status: Node['status']): void {
    if (this.node !== undefined) this.#store({ ...this.node, ...(status && { status }) });
  }

  #store(node: Node): Node {
    this.node = { ...node, metadata: { ...node.metadata, resourceVersion: `${++this.#version}` } };
    return this.node;
  }
}

const settings = { name: 'n', address: '10.250.0.1', kubeletPort: 10_250, podCidr: '10.244.0.0/24', heartbeat: 1 };
const registrationWith = (client: NodeServer) =>
  new NodeRegistration(settings, client, new EventRecorder({ component: 'kubelet' }, undefined));

const forbidden = (): never => {
  throw new ApiError(403, 'Forbidden', 'not for you');
};
test.each([
  { told: 'its own', version: undefined, kubelet: 'v1.36.0-simulated' },
  { told: 'none', version: () => ({}), kubelet: 'v0.0.0-simulated' },
  { told: 'none to nodes', version: forbidden, kubelet: 'v0.0.0-simulated' },
])('a node has the release of its server, which tells $told', async ({ version, kubelet }) => {
  const client = new NodeServer(version);
  await registrationWith(client).register(new AbortController().signal, () => {});
  expect(client.node?.status?.nodeInfo?.kubeletVersion).toBe(kubelet);
});

test('a heartbeat keeps the resources that others have added, and lets pods use them', async () => {
  const client = new NodeServer();
  const registration = registrationWith(client);
  const ending = new AbortController();
  await registration.register(ending.signal, () => {});
  const own = { cpu: '8', 'ephemeral-storage': '64Gi', memory: '16Gi', pods: '110' };
  expect(client.node?.status).toMatchObject({ capacity: own, allocatable: own });
  const before = { ...client.node?.status };
  client.setStatus({ ...before, capacity: { ...own, cpu: '1000', 'example.com/gpu': '4' } });
  const beating = registration.sendHeartbeats(ending.signal, () => {});
  const all = { ...own, 'example.com/gpu': '4' };
  await expect.poll(() => client.node?.status).toMatchObject({ capacity: all, allocatable: all });
  ending.abort();
  await beating;
});
