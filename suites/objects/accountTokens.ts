// The tokens of service accounts: from the Secrets that the target creates, or requested from servers that create none.

import { Prerequisite, Unchecked } from '../client/expect.js';
import { at, itemsOf, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { absenceOf, whenControlled } from './controllers.js';
import { eventually } from './eventually.js';
import type { Sandbox } from './sandbox.js';

/** The namespace and name of a service account. */
export interface AccountPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Returns the annotation that names the service account of a token Secret. */
export const ownerAnnotation = ({ client }: Sandbox): string =>
  `${client.target.domains.secretType}/service-account.name`;

async function secretsOf(sandbox: Sandbox, { namespace, name }: AccountPlace): Promise<JsonObject[]> {
  const list = await sandbox.client.send({ method: 'GET', path: `/api/v1/namespaces/${namespace}/secrets` });
  return itemsOf(list.tryValue()).filter(
    ({ metadata }) => at(metadata, 'annotations', ownerAnnotation(sandbox)) === name,
  );
}

/** Returns a decoded value of a Secret's data; undefined if it is absent or empty. */
export function decodedData(secret: unknown, key: string): string | undefined {
  const value = at(secret, 'data', key);
  return typeof value === 'string' && value !== '' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}

/** Sandboxes whose target created no Secret in time: later calls do not wait. */
const makesNone = new WeakSet<Sandbox>();

/**
 * Returns the Secret that the target creates for an account, with its token; undefined if there is none after
 * `timeout` milliseconds. A target that has made one for the namespace `default` or one of the run gets the time that
 * controllers may take.
 */
export async function madeSecret(
  sandbox: Sandbox,
  place: AccountPlace,
  timeout: number,
): Promise<JsonObject | undefined> {
  const look = async (account = place): Promise<JsonObject | undefined> =>
    (await secretsOf(sandbox, account)).find((secret) => decodedData(secret, 'token') !== undefined);
  const isMade = (secret: JsonObject | undefined): boolean => secret !== undefined;
  let found = await eventually(look, isMade, makesNone.has(sandbox) ? 0 : timeout);
  if (found === undefined && !makesNone.has(sandbox)) {
    const namespaces = sandbox.client.target.only === undefined ? ['default'] : [];
    const others = [...namespaces, await sandbox.namespace()].map((namespace) => look({ namespace, name: 'default' }));
    const isLate = (await Promise.all(others)).some(isMade);
    if (isLate) found = await whenControlled(sandbox, look, isMade);
    if (found === undefined) makesNone.add(sandbox);
  }
  sandbox.client.redactor.add(decodedData(found, 'token'));
  return found;
}

/**
 * Requests a token, from servers that create no Secret or whose token controller does not run. Throws Unchecked if the
 * target has no tokens, and Prerequisite for other refusals.
 */
export async function requestedToken(sandbox: Sandbox, { namespace, name }: AccountPlace): Promise<string> {
  const reply = await sandbox.client.send({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: `authentication.${sandbox.client.target.domains.authentication}/v1`,
      kind: 'TokenRequest',
      spec: {},
    }),
  });
  const token = at(reply.tryValue(), 'status', 'token');
  if (typeof token !== 'string') {
    const why = whyNone(sandbox, reply);
    if (why !== undefined) throw new Unchecked('not-supported', why);
    throw new Prerequisite(`service account ${namespace}/${name} has no token`);
  }
  sandbox.client.redactor.add(token);
  return token;
}

/** Returns why a target without token requests has no tokens: its token controller is declared absent. */
function whyNone(sandbox: Sandbox, { status }: Reply): string | undefined {
  return status === 404 ? absenceOf(sandbox, 'token-controller')?.reason : undefined;
}
