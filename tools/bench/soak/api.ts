// Requests of the soak: JSON over a bounded number of kept connections, and watches on a connection of their own.
import type { IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { type Access, openWatch } from '../openWatch.js';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What the soak reads of an object. */
export interface Written {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
}

/** A client of the soak. */
export class Api {
  readonly #pool: Pool;

  /** Opens at most `connections` connections, beside one for each watch. */
  constructor(
    readonly access: Access,
    connections: number,
  ) {
    this.#pool = new Pool(access.url, { connections, connect: { ca: access.ca }, bodyTimeout: 300_000 });
  }

  /** Sends a request and returns the bytes of the response. Throws for any status of 300 and above. */
  async send(method: Method, path: string, body?: object): Promise<Buffer> {
    const bytes = await this.sendOr410(method, path, body);
    if (bytes === undefined) throw new Error(`${method} ${path}: 410`);
    return bytes;
  }

  /** The same, and undefined for 410: the state that was asked for is forgotten. */
  async sendOr410(method: Method, path: string, body?: object): Promise<Buffer | undefined> {
    const { statusCode, body: content } = await this.#pool.request({
      method,
      path,
      headers: {
        authorization: `Bearer ${this.access.token}`,
        ...(body && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const bytes = Buffer.from(await content.arrayBuffer());
    if (statusCode === 410) return undefined;
    if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${bytes.subarray(0, 300).toString()}`);
    return bytes;
  }

  /** Writes an object and returns the stored object. */
  async write(method: 'POST' | 'PATCH', path: string, body: object): Promise<Written> {
    return JSON.parse((await this.send(method, path, body)).toString()) as Written;
  }

  /** Opens a watch and resolves when its head is there. Throws for any status but 200. */
  watch(path: string): Promise<IncomingMessage> {
    return openWatch(this.access, path);
  }

  /** Closes all connections except those of the watches. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
