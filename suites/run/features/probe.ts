// The input and the result of a feature probe.

import type { JsonObject } from '../../client/json.js';
import type { Reply } from '../../client/reply.js';
import type { CreatedObject, Sandbox } from '../../objects/sandbox.js';
import type { Setting } from '../credentials/source.js';

export interface ProbeContext {
  readonly sandbox: Sandbox;
  /** Returns a namespace of the run, created at the first use. */
  readonly namespace: () => Promise<string>;
  /** The setting for credentials; absent if the target was not started with the fixtures. */
  readonly setting: Setting | undefined;
  /** False if deletes of this target are not trusted. */
  readonly deletes: boolean;
  /** Milliseconds that a controller may take. */
  readonly timeout: number;
}

/** The result of a probe: whether the feature is there, and the evidence. */
export interface ProbeFinding {
  readonly has: boolean;
  readonly how: string;
}

/** Looks for a feature; undefined if the result is open. NoAnswer and Prerequisite leave the result open too. */
export type Probe = (asked: ProbeContext) => Promise<ProbeFinding | undefined>;

export const offers = (how: string): ProbeFinding => ({ has: true, how });
export const lacks = (how: string): ProbeFinding => ({ has: false, how });

export const hasSucceeded = ({ status }: Reply): boolean => status >= 200 && status <= 299;
/** Reports whether a response says that the request was wrong, and not its user or the load. */
export const wasRefused = ({ status }: Reply): boolean => [400, 409, 412, 422].includes(status);

export function sendObject(
  { sandbox }: ProbeContext,
  method: string,
  path: string,
  body: JsonObject,
  type = 'application/json',
): Promise<Reply> {
  return sandbox.client.send({ method, path, headers: { 'content-type': type }, body: JSON.stringify(body) });
}

export const readPath = ({ sandbox }: ProbeContext, path: string): Promise<Reply> =>
  sandbox.client.send({ method: 'GET', path });

/** Creates an object of the run in the namespace of the probes. */
export async function newObject(
  { sandbox, namespace }: ProbeContext,
  resource: CreatedObject['resource'],
  change: JsonObject = {},
): Promise<CreatedObject> {
  return sandbox.make(resource, { namespace: await namespace(), change });
}
