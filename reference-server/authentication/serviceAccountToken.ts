// Service account tokens: signed here, and good for as long as their Secret and their account last (Authentication/Mechanisms).
import { timingSafeEqual } from 'node:crypto';
import { StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { Place } from '../registry/update.js';
import { type KubeObject, part } from '../schema/object.js';
import { type TokenSubject, userNameOf } from '../serviceaccounts/tokenIssuer.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';

/** Authenticates tokens that say they are from this server; all others are not mine. */
export function serviceAccountToken(registry: Registry): Authenticator {
  const { issuer } = registry.tokens;
  return (request) => {
    const token = bearerToken(request);
    return token === undefined || !issuer.claims(token) ? undefined : userOf(token, registry);
  };
}

async function userOf(token: string, registry: Registry): Promise<User> {
  const subject = await registry.tokens.issuer.verify(token);
  const { namespace, account, secret: name, uid } = subject;
  const secret = await living(registry, 'core/secrets', { namespace, name });
  const { token: held = '' } = part<{ token?: string }>(secret, 'data');
  if (!isSame(Buffer.from(held, 'base64'), Buffer.from(token))) throw new Error('the Secret holds another token');
  const holder = await living(registry, 'core/serviceaccounts', { namespace, name: account });
  if (holder.metadata.uid !== uid) throw new Error('the token is that of an earlier account');
  return userFrom(subject);
}

function userFrom({ namespace, account, uid }: TokenSubject): User {
  return {
    name: userNameOf(namespace, account),
    uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`],
  };
}

/** What a token stands on; it ends when this is deleted. */
async function living(registry: Registry, resource: string, place: Place): Promise<KubeObject> {
  const refuse = (): never => {
    throw new Error(`${resource.slice('core/'.length)} ${place.namespace}/${place.name} is gone`);
  };
  try {
    const object = (await registry.of(resource).get(place)).value as KubeObject;
    return object.metadata.deletionTimestamp === undefined ? object : refuse();
  } catch (error) {
    if (error instanceof StatusError && error.code === 404) return refuse();
    throw error;
  }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}
