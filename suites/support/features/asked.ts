// What a probe of a feature works with, and what it says.
import type { Setting } from '../credentials/source.js';
import type { JsonObject } from '../json.js';
import type { Reply } from '../reply.js';
import type { Made, Scope } from '../scope.js';

/** What a probe works with. */
export interface Asked {
  readonly scope: Scope;
  /** A namespace of the run's own, made when a probe first asks for it. */
  readonly namespace: () => Promise<string>;
  /** What credentials are made with; absent where the target was not started with the fixtures. */
  readonly setting: Setting | undefined;
  /** False where deletes of this target are not trusted. */
  readonly deletes: boolean;
  /** Milliseconds that a controller is given. */
  readonly patience: number;
}

/** What was seen: whether the feature is there, and how that was seen. */
export interface Seen {
  readonly has: boolean;
  readonly how: string;
}

/** Looks for a feature; undefined where nothing can be said. It may throw NoAnswer and Prerequisite, which say nothing. */
export type Probe = (asked: Asked) => Promise<Seen | undefined>;

export const there = (how: string): Seen => ({ has: true, how });
export const absent = (how: string): Seen => ({ has: false, how });

export const succeeded = ({ status }: Reply): boolean => status >= 200 && status <= 299;
/** An answer that says that the request was wrong: authentication, authorization and load are no such answers. */
export const refused = ({ status }: Reply): boolean => [400, 409, 412, 422].includes(status);

/** Sends an object. */
export function sending(
  { scope }: Asked,
  method: string,
  path: string,
  body: JsonObject,
  type = 'application/json',
): Promise<Reply> {
  return scope.client.send({ method, path, headers: { 'content-type': type }, body: JSON.stringify(body) });
}

/** Reads. */
export const reading = ({ scope }: Asked, path: string): Promise<Reply> => scope.client.send({ method: 'GET', path });

/** An object of the run in the namespace of the probes. */
export async function newObject(
  { scope, namespace }: Asked,
  resource: Made['resource'],
  change: JsonObject = {},
): Promise<Made> {
  return scope.make(resource, { namespace: await namespace(), change });
}
