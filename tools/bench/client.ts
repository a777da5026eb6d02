// A client of a measured server: requests over a bounded number of kept connections, and watches on their own.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { Pool } from 'undici';
import { type Format, json } from './format.js';

/** The address of a server, and the credentials for it. */
export interface Access {
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly token: string;
}

interface Response {
  readonly status: number;
  readonly mediaType: string | string[] | undefined;
  readonly bytes: Buffer;
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** An object or list, as far as a measurement reads it. */
export interface Stored {
  readonly metadata: { readonly name: string; readonly resourceVersion: string; readonly continue?: string };
}

export class Client {
  readonly #pool: Pool;

  /** Opens at most `connections` connections, beside one for each watch. */
  constructor(
    readonly access: Access,
    connections: number,
  ) {
    this.#pool = new Pool(access.url, { connections, connect: { ca: access.ca }, bodyTimeout: 300_000 });
  }

  /** Sends a request, with a body in JSON, and reads the response in a format, of any status. */
  async request(method: Method, path: string, body?: object, { mediaType }: Format = json): Promise<Response> {
    const {
      statusCode,
      headers,
      body: content,
    } = await this.#pool.request({
      method,
      path,
      headers: {
        accept: mediaType,
        authorization: `Bearer ${this.access.token}`,
        ...(body && { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of content) chunks.push(chunk as Buffer);
    return { status: statusCode, mediaType: headers['content-type'], bytes: Buffer.concat(chunks) };
  }

  /** Sends a request and returns the bytes of the response. Throws unless it is a success in the requested format. */
  async send(method: Method, path: string, body?: object, format: Format = json): Promise<Buffer> {
    const { status, mediaType, bytes } = await this.request(method, path, body, format);
    if (status < 300 && mediaType === format.mediaType) return bytes;
    const start = bytes.subarray(0, 300).toString();
    throw new Error(`${method} ${this.access.url}${path} was answered ${status} in ${mediaType}: ${start}`);
  }

  /** Sends a request and returns the object or list of the response. Throws like `send`. */
  async read(method: Method, path: string, body?: object): Promise<Stored> {
    return JSON.parse((await this.send(method, path, body)).toString()) as Stored;
  }

  /** Opens a watch and resolves with the head of its response. Throws for any status but 200. */
  async watch(path: string, { mediaType }: Format = json, signal?: AbortSignal): Promise<IncomingMessage> {
    const { url, ca, token } = this.access;
    const asked = request(`${url}${path}`, {
      ca,
      agent: false,
      ...(signal && { signal }),
      headers: { accept: mediaType, authorization: `Bearer ${token}` },
    }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    if (response.statusCode === 200) return response;
    response.destroy();
    throw new Error(`GET ${path}: ${response.statusCode}`);
  }

  /** Closes all connections except those of watches. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}
