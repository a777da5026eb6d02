// Requests of a history. A lost response is no failure: the request may have been handled, once.
import type { Client } from '../client/client.js';
import { Prerequisite } from '../client/expect.js';
import { brief, type Json, type JsonObject } from '../client/json.js';
import { NoAnswer } from '../client/reply.js';
import { json } from './bodies.js';
import type { Entry } from './record.js';

/** The times of a request and its response. A response that was lost has no status. */
export type Exchanged = Pick<Entry, 'sent' | 'answered' | 'status' | 'reply'>;

type Request = readonly [method: string, path: string, body?: JsonObject | readonly Json[], type?: string];

/** How often a request is sent whose response is lost, or whose server could not complete it. */
export const mostTries = 6;

export async function exchange(client: Client, ...[method, path, body, type = json]: Request): Promise<Exchanged> {
  const sent = performance.now();
  const carried = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } };
  try {
    const reply = await client.send({ method, path, ...carried });
    return { sent, answered: performance.now(), status: reply.status, reply: reply.tryValue() };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { sent, answered: performance.now() };
  }
}

/** Reports whether a request may have been handled or not. */
export const isUncertain = ({ status }: Pick<Exchanged, 'status'>): boolean => status === undefined || status >= 500;

/** Sends a request that has the same effect again, until it succeeds. Throws Prerequisite if it does not. */
export async function succeed(client: Client, ...request: Request): Promise<unknown> {
  let last: Exchanged | undefined;
  for (let count = 0; count < mostTries && (last === undefined || isUncertain(last)); count += 1)
    last = await exchange(client, ...request);
  if (last?.status !== undefined && last.status < 300) return last.reply;
  throw new Prerequisite(`${request[0]} ${request[1]}: ${last?.status ?? 'no answer'}`);
}

/** Sends creates of an object until it is there; `send` sends one. Returns all of them. */
export async function createdSurely<E extends Exchanged>(what: string, send: () => Promise<E>): Promise<E[]> {
  const sent: E[] = [];
  while (sent.length < mostTries) {
    const entry = await send();
    const isAgain = sent.length > 0;
    sent.push(entry);
    if (entry.status !== undefined && (entry.status < 300 || (isAgain && entry.status === 409))) return sent;
    if (!isUncertain(entry)) break;
  }
  throw new Prerequisite(`${what}: ${sent.at(-1)?.status ?? 'no answer'} ${brief(sent.at(-1)?.reply)}`);
}
