// A client for tests of a whole server, for the objects of one namespace.
import { inject } from 'vitest';
import type { RunningServer } from '../server.js';
import type { AnyShape } from './anyShape.js';
import { ask } from './standIn.js';

const core = '/api/v1/namespaces/default';
/** The time limit for expected events, in milliseconds. */
const patience = inject('deadline') / 2;
/** The time limit for events that must not happen. */
export const aWhile = 500;

export class ServerClient {
  constructor(readonly server: RunningServer) {}

  /** Returns the body of a response of any status. */
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

  /** Sends a strategic merge patch. Returns the body of the response. */
  async patch(path: string, body: unknown): Promise<AnyShape> {
    return JSON.parse((await this.#send('PATCH', path, body, 'application/strategic-merge-patch+json')).text);
  }

  /** Sends a merge patch. Returns the body of the response. */
  async merge(path: string, body: unknown): Promise<AnyShape> {
    return JSON.parse((await this.#send('PATCH', path, body, 'application/merge-patch+json')).text);
  }

  /** Applies a configuration. Returns the status of the response. */
  async apply(path: string, body: unknown): Promise<number> {
    return (await this.#send('PATCH', path, body, 'application/apply-patch+yaml')).status;
  }

  /** Returns the status of a request with other credentials. */
  async authorized(authorization: string): Promise<number> {
    return (await ask(this.server, '/api/v1', { headers: { authorization } })).status;
  }

  /** Returns the status of a request with an Accept header. */
  async accepted(path: string, accept: string): Promise<number> {
    return (await ask(this.server, path, { headers: { accept } })).status;
  }

  /** Returns the types of the events of a short watch of config maps. */
  async events(query: string): Promise<string[]> {
    const { text } = await ask(this.server, `${core}/configmaps?watch=true&timeoutSeconds=1&${query}`);
    return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as AnyShape).type]));
  }

  /** Waits until a GET has this status and returns the status. With `never`, waits only a short time. */
  async eventually(status: number, path: string, never: boolean): Promise<number> {
    await this.until(async () => (await this.status('GET', path)) === status, never ? aWhile : patience);
    return this.status('GET', path);
  }

  /** Waits for a condition, in milliseconds at most. */
  async until(isSo: () => Promise<boolean>, most = patience): Promise<void> {
    const end = performance.now() + most;
    while (!(await isSo()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  #send(method: string, path: string, body?: unknown, type = 'application/json') {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
    return ask(this.server, path, { method, ...sent });
  }
}
