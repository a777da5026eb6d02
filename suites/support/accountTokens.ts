// The tokens of service accounts: in the Secrets that the target makes, or on request from servers that make none.

import { eventually } from './eventually.js';
import { Prerequisite, Unjudged } from './expect.js';
import { at, itemsOf, type JsonObject } from './json.js';
import type { Reply } from './reply.js';
import type { Scope } from './scope.js';

/** Where an account is. */
export interface AccountPlace {
  readonly namespace: string;
  readonly name: string;
}

/** The annotation by which a Secret says whose token it holds. */
export const ownerAnnotation = ({ client }: Scope): string =>
  `${client.target.domains.secretType}/service-account.name`;

/** The Secrets of a namespace that say they are of this account. */
async function secretsOf(scope: Scope, { namespace, name }: AccountPlace): Promise<JsonObject[]> {
  const list = await scope.client.send({ method: 'GET', path: `/api/v1/namespaces/${namespace}/secrets` });
  return itemsOf(list.tryValue()).filter(
    ({ metadata }) => at(metadata, 'annotations', ownerAnnotation(scope)) === name,
  );
}

/** A decoded value of a Secret's data; undefined where there is none. */
export function decoded(secret: unknown, key: string): string | undefined {
  const value = at(secret, 'data', key);
  return typeof value === 'string' && value !== '' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}

/** Targets that made no Secret in time: the next account is not waited for. */
const makesNone = new WeakSet<Scope>();

/** The Secret that the target makes for an account, with its token; undefined where none is there in time (in milliseconds). */
export async function madeSecret(scope: Scope, place: AccountPlace, patience: number): Promise<JsonObject | undefined> {
  const look = async (): Promise<JsonObject | undefined> =>
    (await secretsOf(scope, place)).find((secret) => decoded(secret, 'token') !== undefined);
  const found = await eventually(look, (secret) => secret !== undefined, makesNone.has(scope) ? 0 : patience);
  if (found === undefined) makesNone.add(scope);
  scope.client.redactor.add(decoded(found, 'token'));
  return found;
}

/** Later servers make no Secret, or their controller does that is not running: they are asked for a token. */
export async function requestedToken(scope: Scope, { namespace, name }: AccountPlace): Promise<string> {
  const reply = await scope.client.send({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: `authentication.${scope.client.target.domains.authentication}/v1`,
      kind: 'TokenRequest',
      spec: {},
    }),
  });
  const token = at(reply.tryValue(), 'status', 'token');
  if (typeof token !== 'string') {
    const why = whyNone(scope, reply);
    if (why !== undefined) throw new Unjudged('not-supported', why);
    throw new Prerequisite(`service account ${namespace}/${name} has no token`);
  }
  scope.client.redactor.add(token);
  return token;
}

/** Why a target that knows no requests for tokens has none: nobody beside it fills Secrets. */
function whyNone({ client }: Scope, { status }: Reply): string | undefined {
  if (status !== 404) return undefined;
  return client.target.notSupported.find(({ capability }) => capability === 'feature:token-controller')?.reason;
}
