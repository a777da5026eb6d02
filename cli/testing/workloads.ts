// Calls to a cluster of `serve`, and the workloads that its tests create.
import { afterAll, beforeAll, expect } from 'vitest';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { type Serving, startServing } from './serving.js';

export const apps = '/apis/apps/v1/namespaces/default';
export const core = '/api/v1/namespaces/default';

/**
 * Starts `serve` with options before the tests of a file, and stops it after them. Returns calls with JSON in and out, that wait for
 * what the controllers and nodes do; `sent` also returns the status of the response.
 */
export function useServing(...options: readonly string[]) {
  let serving: Serving;
  beforeAll(async () => {
    serving = await startServing(...options);
  });
  afterAll(() => serving.stop());
  const sent = (method: string, path: string, body?: unknown) => serving.cluster.call(method, path, body);
  const call = async (method: string, path: string, body?: unknown): Promise<AnyShape> =>
    (await sent(method, path, body)).json as AnyShape;
  const eventually = (path: string, of: (object: AnyShape) => unknown): ReturnType<typeof expect.poll> =>
    expect.poll(async () => of(await call('GET', path)), { interval: 100 });

  /** Replaces an object with a changed copy. A conflict with a controller is repeated. */
  async function change(path: string, edit: (object: AnyShape) => void): Promise<void> {
    await expect
      .poll(
        async () => {
          const object = await call('GET', path);
          edit(object);
          return (await sent('PUT', path, object)).status;
        },
        { interval: 100 },
      )
      .toBe(200);
  }

  const podsOf = async (app: string): Promise<AnyShape[]> =>
    (await call('GET', `${core}/pods?labelSelector=app%3D${app}`)).items;
  /** What the events about an object say, oldest first. */
  async function eventsOf(name: string): Promise<string[]> {
    const { items } = await call('GET', `${core}/events?fieldSelector=involvedObject.name%3D${name}`);
    return items
      .sort((one: AnyShape, other: AnyShape) => (one.metadata.name < other.metadata.name ? -1 : 1))
      .map(({ type, reason, message, source }: AnyShape) => `${type} ${reason} ${message} (${source.component})`);
  }

  return { sent, call, eventually, eventsOf, change, podsOf };
}

export const templateOf = (app: string, image = 'nginx', command?: string[]) => ({
  metadata: { labels: { app } },
  spec: {
    containers: [{ name: 'a', image, ports: [{ name: 'http', containerPort: 80 }], ...(command && { command }) }],
  },
});

export const workload = (app: string, more: object = {}) => ({
  metadata: { name: app },
  spec: { selector: { matchLabels: { app } }, template: templateOf(app), ...more },
});
