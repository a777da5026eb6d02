// Identity-service password: a Keystone v2.0 service confirms basic credentials (Authentication/Mechanisms).
import { OptionError } from '../optionValues.js';
import type { Authenticator, User } from './authenticator.js';
import { type BasicCredentials, basicCredentials } from './authorization.js';
import type { AuthenticatorOptions } from './options.js';
import { type Ask, createPeer, httpsUrl, isObject, jsonObject } from './peer.js';
import { readAuthorities } from './pem.js';

/**
 * Makes the authenticator of `--experimental-keystone-url`. It calls the service only when credentials arrive, so the
 * server starts even if the service is down. Throws an OptionError for invalid options.
 */
export async function setUpIdentityService(
  options: AuthenticatorOptions,
  stopping: AbortSignal,
): Promise<Authenticator> {
  const { experimentalKeystoneUrl: url, experimentalKeystoneCaFile: caFile } = options;
  if (url === undefined) {
    throw new OptionError('--experimental-keystone-ca-file goes with --experimental-keystone-url, which is missing');
  }
  const service = httpsUrl('--experimental-keystone-url', url);
  const tls =
    caFile === undefined ? {} : { authority: await readAuthorities('--experimental-keystone-ca-file', caFile) };
  return identityServicePassword(service, createPeer(tls, stopping));
}

/**
 * Authenticates basic credentials by requesting a token from the service, for each request: passwords are not cached.
 */
export function identityServicePassword(service: URL, ask: Ask): Authenticator {
  const tokens = new URL(`${service.href.replace(/\/$/, '')}/tokens`);
  return (request) => {
    const credentials = basicCredentials(request);
    return credentials === undefined ? undefined : confirm(credentials, tokens, ask);
  };
}

async function confirm({ username, password }: BasicCredentials, tokens: URL, ask: Ask): Promise<User> {
  const { status, text } = await ask(tokens, { auth: { passwordCredentials: { username, password } } });
  // A service behind a proxy may return 203.
  if (status !== 200 && status !== 203) throw new Error(`the identity service refuses: HTTP status ${status}`);
  const { access } = jsonObject(text);
  const token = isObject(access) && isObject(access.token) ? access.token.id : undefined;
  if (typeof token !== 'string' || token === '') throw new Error('the identity service confirms without a token');
  return { name: username, groups: [] };
}
