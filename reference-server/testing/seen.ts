// For tests of what a whole server answers: short questions about the objects of one namespace.
import type { RunningServer } from '../server.js';
import type { AnyShape } from './anyShape.js';
import { ask } from './standIn.js';

const core = '/api/v1/namespaces/default';
/** Milliseconds: for what must happen, and for what must not. */
const patience = 20_000;
const aWhile = 500;

/** A server as its clients see it. */
export class Seen {
  constructor(readonly server: RunningServer) {}

  /** The body of an answer, whatever its status. */
  async call(method: string, path: string, body?: unknown): Promise<AnyShape> {
    return JSON.parse((await this.#send(method, path, body)).text);
  }

  async status(method: string, path: string, body?: unknown): Promise<number> {
    return (await this.#send(method, path, body)).status;
  }

  /** Creates a config map. */
  config(name: string, metadata: object = {}): Promise<AnyShape> {
    return this.call('POST', `${core}/configmaps`, { metadata: { name, ...metadata } });
  }

  /** The body of the answer to a strategic merge patch. */
  async patch(path: string, body: unknown): Promise<AnyShape> {
    return JSON.parse((await this.#send('PATCH', path, body, 'application/strategic-merge-patch+json')).text);
  }

  /** The status for other credentials. */
  async authorized(authorization: string): Promise<number> {
    return (await ask(this.server, '/api/v1', { headers: { authorization } })).status;
  }

  /** The status for a media type. */
  async accepted(path: string, accept: string): Promise<number> {
    return (await ask(this.server, path, { headers: { accept } })).status;
  }

  /** The types of the events of a short watch of config maps. */
  async events(query: string): Promise<string[]> {
    const { text } = await ask(this.server, `${core}/configmaps?watch=true&timeoutSeconds=1&${query}`);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as AnyShape).type]));
  }

  /** The status of a GET once it is this one; where it must not become so, what it is after a while. */
  async eventually(status: number, path: string, never: boolean): Promise<number> {
    await this.until(async () => (await this.status('GET', path)) === status, never ? aWhile : patience);
    return this.status('GET', path);
  }

  /** Waits for something to be so. */
  async until(isSo: () => Promise<boolean>, most = patience): Promise<void> {
    const end = performance.now() + most;
    while (!(await isSo()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  #send(method: string, path: string, body?: unknown, type = 'application/json') {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    return ask(this.server, path, { method, ...sent });
  }
}
