// Identity-service password: a Keystone v2.0 service confirms basic credentials (Authentication/Mechanisms).
import { OptionError } from '../optionError.js';
import type { CompleteOptions } from '../options.js';
import type { Authenticator, User } from './authenticator.js';
import { type BasicCredentials, basicCredentials } from './authorization.js';
import { type Ask, createPeer, httpsUrl, isObject, jsonObject } from './peer.js';
import { readAuthorities } from './pem.js';

/**
 * Makes the authenticator of `--experimental-keystone-url`. The service is asked with the first credentials, so that
 * one that is down stops nothing. Throws an OptionError for options that cannot be used.
 */
export async function setUp(options: CompleteOptions, stopping: AbortSignal): Promise<Authenticator> {
  const { experimentalKeystoneUrl: url, experimentalKeystoneCaFile: caFile } = options;
  if (url === undefined) {
    throw new OptionError('--experimental-keystone-ca-file goes with --experimental-keystone-url, which is missing');
  }
  const service = httpsUrl('--experimental-keystone-url', url);
  const tls =
    caFile === undefined ? {} : { authority: await readAuthorities('--experimental-keystone-ca-file', caFile) };
  return identityServicePassword(service, createPeer(tls, stopping));
}

/** Authenticates basic credentials by asking the service for a token, each time: no password is kept. */
export function identityServicePassword(service: URL, ask: Ask): Authenticator {
  const tokens = new URL(`${service.href.replace(/\/$/, '')}/tokens`);
  return (request) => {
    const credentials = basicCredentials(request);
    return credentials === undefined ? undefined : confirm(credentials, tokens, ask);
  };
}

async function confirm({ username, password }: BasicCredentials, tokens: URL, ask: Ask): Promise<User> {
  const { status, text } = await ask(tokens, { auth: { passwordCredentials: { username, password } } });
  // 203 is what a service behind a proxy answers
  if (status !== 200 && status !== 203) throw new Error(`the identity service refuses: HTTP status ${status}`);
  const { access } = jsonObject(text);
  const token = isObject(access) && isObject(access.token) ? access.token.id : undefined;
  if (typeof token !== 'string' || token === '') throw new Error('the identity service confirms without a token');
  return { name: username, groups: [] };
}
