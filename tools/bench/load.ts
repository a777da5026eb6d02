// The load: ConfigMaps of 2 KB in their own namespace, requested over a fixed number of TLS connections.
import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { cpuMicroseconds } from './cost.js';
import { type Format, json } from './format.js';
import type { Subject } from './subject.js';

/** The number of objects, and of the connections that request them. */
export const objects = 2000;
export const connections = 32;
/** Every tenth object has the label of the list with a selector. */
export const selector = 'bench=tenth';
const objectBytes = 2048;

/** A complete response. */
interface Answer {
  readonly status: number;
  readonly mediaType: string | string[] | undefined;
  readonly bytes: number;
  text(): string;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One server under load. Whatever it makes is in one namespace, which `close` removes. */
export class Load {
  readonly namespace = `bench-${randomBytes(5).toString('hex')}`;
  readonly collection = `/api/v1/namespaces/${this.namespace}/configmaps`;
  readonly #pool: Pool;
  #patches = 0;

  constructor(
    readonly subject: Subject,
    readonly signal: AbortSignal,
  ) {
    this.#pool = new Pool(subject.url, { connections, connect: { ca: subject.ca }, bodyTimeout: 120_000 });
  }

  /** Makes the namespace and all connections. Throws where the server cannot be reached or refuses. */
  async open(): Promise<void> {
    await this.send('POST', '/api/v1/namespaces', { metadata: { name: this.namespace } });
    const once = Array.from({ length: connections }, () => this.send('GET', `/api/v1/namespaces/${this.namespace}`));
    await Promise.all(once);
  }

  /** Removes the objects. */
  async clear(): Promise<void> {
    await this.send('DELETE', this.collection);
  }

  /** Removes the objects and the namespace. */
  async close(): Promise<void> {
    try {
      for (const path of [this.collection, `/api/v1/namespaces/${this.namespace}`]) await this.#request('DELETE', path);
    } finally {
      await this.#pool.destroy();
    }
  }

  /** Makes the object with a number. */
  async create(index: number): Promise<void> {
    const labels = { app: 'bench', ...(index % 10 === 0 && { bench: 'tenth' }) };
    const rest = JSON.stringify({ metadata: { name: nameOf(index), labels }, data: { text: '' } }).length;
    const text = `${index} `.repeat(objectBytes).slice(0, objectBytes - rest);
    await this.send('POST', this.collection, { metadata: { name: nameOf(index), labels }, data: { text } });
  }

  /** Reads the object with a number. */
  async get(index: number, format: Format = json): Promise<void> {
    await this.send('GET', `${this.collection}/${nameOf(index)}`, undefined, format);
  }

  /** Changes the object with a number; never twice to the same. */
  async patch(index: number): Promise<void> {
    this.#patches += 1;
    const annotations = { patch: String(this.#patches) };
    await this.send('PATCH', `${this.collection}/${nameOf(index)}`, { metadata: { annotations } });
  }

  /** Lists all objects, or those that a selector matches. A list that is too short to hold `count` of them throws. */
  async list(query: string, count: number, format: Format = json): Promise<void> {
    const { bytes } = await this.send('GET', `${this.collection}${query}`, undefined, format);
    if (bytes < count * objectBytes * 0.9)
      throw new Error(`the list is ${bytes} bytes long: that is not ${count} objects`);
  }

  /** Does a job `count` times over all connections; answers the microseconds of server CPU for each. */
  async measure(count: number, job: (index: number) => Promise<void>): Promise<number> {
    const before = cpuMicroseconds(this.subject.pids);
    await this.repeat(count, job);
    return (cpuMicroseconds(this.subject.pids) - before) / count;
  }

  /** Does a job `count` times over all connections. */
  async repeat(count: number, job: (index: number) => Promise<void>): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < count) await job(next++);
    };
    await Promise.all(Array.from({ length: connections }, work));
  }

  /** Reads the metadata of the object or list at a path. */
  async read(path: string): Promise<{ readonly metadata: { readonly resourceVersion: string } }> {
    const { text } = await this.send('GET', path);
    return JSON.parse(text()) as { readonly metadata: { readonly resourceVersion: string } };
  }

  /** Sends a request and reads its answer. Throws for anything but a success in the format that was asked for. */
  async send(method: Method, path: string, body?: object, format: Format = json): Promise<Answer> {
    this.signal.throwIfAborted();
    const answer = await this.#request(method, path, body, format);
    const { status, mediaType } = answer;
    if (status >= 300 || mediaType !== format.mediaType)
      throw new Error(`${this.subject.name}: ${method} ${path} was answered ${status} in ${mediaType}`);
    return answer;
  }

  async #request(method: Method, path: string, body?: object, { mediaType }: Format = json): Promise<Answer> {
    const {
      statusCode,
      headers,
      body: content,
    } = await this.#pool.request({
      method,
      path,
      headers: {
        accept: mediaType,
        authorization: `Bearer ${this.subject.token}`,
        ...(body && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk as Buffer);
    const bytes = chunks.reduce((sum, { length }) => sum + length, 0);
    return {
      status: statusCode,
      mediaType: headers['content-type'],
      bytes,
      text: () => Buffer.concat(chunks).toString(),
    };
  }
}

const nameOf = (index: number): string => `object-${String(index % objects).padStart(5, '0')}`;
