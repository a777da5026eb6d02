// The load: ConfigMaps of 2 KB in their own namespace, requested over a fixed number of TLS connections.
import { randomBytes } from 'node:crypto';
import { Client } from './client.js';
import { cpuMicroseconds } from './figures.js';
import { type Format, json } from './format.js';
import type { Subject } from './subject.js';

/** The number of objects, and of the connections that request them. */
export const objects = 2000;
export const connections = 32;
/** Every tenth object has the label of the list with a selector. */
export const selector = 'bench=tenth';
export const objectBytes = 2048;

/** One server under load. All that the load makes is in one namespace, which `close` removes. */
export class Load {
  readonly client: Client;
  readonly #namespacePath = `/api/v1/namespaces/bench-${randomBytes(5).toString('hex')}`;
  readonly collection = `${this.#namespacePath}/configmaps`;
  #patches = 0;

  /** Throws from the next request on when the signal is aborted. */
  constructor(
    readonly subject: Subject,
    readonly signal: AbortSignal,
  ) {
    this.client = new Client(subject, connections);
  }

  /** Makes the namespace and all connections. Throws if the server cannot be reached or refuses. */
  async open(): Promise<void> {
    const name = this.#namespacePath.slice('/api/v1/namespaces/'.length);
    await this.#send('POST', '/api/v1/namespaces', { metadata: { name } });
    await Promise.all(Array.from({ length: connections }, () => this.#send('GET', this.#namespacePath)));
  }

  /** Removes the objects. */
  async clear(): Promise<void> {
    await this.#send('DELETE', this.collection);
  }

  /** Removes the objects and the namespace, also after the signal. */
  async close(): Promise<void> {
    try {
      for (const path of [this.collection, this.#namespacePath]) await this.client.request('DELETE', path);
    } finally {
      await this.client.close();
    }
  }

  async create(index: number): Promise<void> {
    const labels = { app: 'bench', ...(index % 10 === 0 && { bench: 'tenth' }) };
    const rest = JSON.stringify({ metadata: { name: nameOf(index), labels }, data: { text: '' } }).length;
    const text = `${index} `.repeat(objectBytes).slice(0, objectBytes - rest);
    await this.#send('POST', this.collection, { metadata: { name: nameOf(index), labels }, data: { text } });
  }

  async get(index: number, format: Format = json): Promise<void> {
    await this.#send('GET', `${this.collection}/${nameOf(index)}`, undefined, format);
  }

  /** Changes an object; never twice to the same value. */
  async patch(index: number): Promise<void> {
    this.#patches += 1;
    const annotations = { patch: String(this.#patches) };
    await this.#send('PATCH', `${this.collection}/${nameOf(index)}`, { metadata: { annotations } });
  }

  /** Lists all objects, or those that a selector matches. Throws if the list is too short to hold `count` objects. */
  async list(query: string, count: number, format: Format = json): Promise<void> {
    const { length } = await this.#send('GET', `${this.collection}${query}`, undefined, format);
    if (length < count * objectBytes * 0.9)
      throw new Error(`the list is ${length} bytes long: that is not ${count} objects`);
  }

  /** Does a job `count` times over all connections. Returns the microseconds of server CPU for each. */
  async measure(count: number, job: (index: number) => Promise<void>): Promise<number> {
    const before = cpuMicroseconds(this.subject.pids);
    await this.repeat(count, job);
    return (cpuMicroseconds(this.subject.pids) - before) / count;
  }

  /** Does a job `count` times over all connections. */
  repeat(count: number, job: (index: number) => Promise<void>): Promise<void> {
    return repeat(count, job);
  }

  #send(...request: Parameters<Client['send']>): Promise<Buffer> {
    this.signal.throwIfAborted();
    return this.client.send(...request);
  }
}

/** Does a job `count` times, as many at a time as there are connections. */
export async function repeat(count: number, job: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) await job(next++);
  };
  await Promise.all(Array.from({ length: connections }, work));
}

const nameOf = (index: number): string => `object-${String(index % objects).padStart(5, '0')}`;
