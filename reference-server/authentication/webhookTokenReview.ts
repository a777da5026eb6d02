// Webhook token review: a remote service returns the user of a bearer token (Authentication/Webhook token review).
import { setTimeout as wait } from 'node:timers/promises';
import { OptionError, parseDuration } from '../optionValues.js';
import type { Authenticator, User } from './authenticator.js';
import { bearerToken } from './authorization.js';
import { readClientConfiguration } from './clientConfiguration.js';
import type { AuthenticatorOptions } from './options.js';
import { type Ask, createPeer, isObject, jsonObject, PeerError } from './peer.js';
import { VerdictCache } from './verdictCache.js';

/** The remote service and its request settings. */
export interface Reviewer {
  readonly server: URL;
  readonly ask: Ask;
  /** The `<group>/<version>` of the reviews. */
  readonly apiVersion: string;
  /**
   * The delays of further attempts after a busy response or a broken connection, in milliseconds, varied by up to an
   * eighth.
   */
  readonly pauses?: readonly number[];
}

const option = '--authentication-token-webhook-config-file';

/**
 * Makes the authenticator of `--authentication-token-webhook-config-file`. Throws an OptionError if the configuration
 * is invalid or reviews are not enabled.
 */
export async function setUpTokenReview(options: AuthenticatorOptions, stopping: AbortSignal): Promise<Authenticator> {
  const { authenticationTokenWebhookConfigFile: file, authenticationTokenWebhookCacheTtl = '2m' } = options;
  const ttl = parseDuration('--authentication-token-webhook-cache-ttl', authenticationTokenWebhookCacheTtl);
  if (file === undefined) {
    throw new OptionError(`--authentication-token-webhook-cache-ttl goes with ${option}, which is missing`);
  }
  const { server, tls } = await readClientConfiguration(option, file);
  const apiVersion = `authentication.${options.authenticationDomain}/v1beta1`;
  if (!options.isEnabled(apiVersion)) {
    throw new OptionError(`${option} needs ${apiVersion}: add --runtime-config=${apiVersion}=true`);
  }
  return webhookTokenReview({ server, ask: createPeer(tls, stopping), apiVersion }, ttl);
}

/** Authenticates bearer tokens by a reviewer. Caches verdicts for `ttl` milliseconds. */
export function webhookTokenReview(reviewer: Reviewer, ttl: number): Authenticator {
  const cache = new VerdictCache((token) => review(reviewer, token), ttl);
  return (request) => {
    const token = bearerToken(request);
    return token === undefined ? undefined : judge(cache, token);
  };
}

async function judge(cache: VerdictCache, token: string): Promise<User> {
  const user = await cache.verdict(token);
  if (user === undefined) throw new Error('the remote service does not know the token');
  return user;
}

/** Reports whether a second request may succeed. */
const isBusy = (status: number): boolean => status >= 500 || status === 429;

/** The delays of real API servers: half a second, then one and a half times as long each time. */
const usualPauses = [500, 750, 1_125, 1_690];

async function review(reviewer: Reviewer, token: string): Promise<User | undefined> {
  const { server, ask, apiVersion, pauses = usualPauses } = reviewer;
  const question = { apiVersion, kind: 'TokenReview', metadata: {}, spec: { token } };
  for (let attempt = 0; ; attempt++) {
    const reply = await ask(server, question).catch((error: unknown) => {
      if (error instanceof PeerError && error.reset) return error;
      throw error;
    });
    if (!(reply instanceof PeerError) && !isBusy(reply.status)) return userOf(reply, apiVersion);
    const pause = pauses[attempt];
    if (pause === undefined) {
      throw reply instanceof PeerError ? reply : new PeerError(server, `HTTP status ${reply.status}`);
    }
    await wait(pause * (0.875 + Math.random() / 4), undefined, { ref: false });
  }
}

/**
 * Returns the user of a response, or undefined if it says `authenticated: false`, which may have any status code
 * (Webhook token review, failure). Ignores its spec. Throws if the response is not a review.
 */
function userOf({ status, text }: Awaited<ReturnType<Ask>>, apiVersion: string): User | undefined {
  const success = status >= 200 && status < 300;
  if (status >= 300 && status < 400) throw new Error(`HTTP status ${status}: redirects are not followed`);
  const answer = jsonObject(text);
  if (answer.apiVersion !== apiVersion || answer.kind !== 'TokenReview') {
    throw new Error(success ? `the answer is not a TokenReview of ${apiVersion}` : `HTTP status ${status}`);
  }
  const { authenticated = false, user } = isObject(answer.status) ? answer.status : {};
  if (typeof authenticated !== 'boolean') throw new Error('status.authenticated of the answer is not a boolean');
  if (!authenticated) return undefined;
  if (!success) throw new Error(`the answer is authenticated, but with HTTP status ${status}`);
  if (!isObject(user)) throw new Error('status.user of the answer is not an object');
  const { username, uid, groups, extra } = user;
  if (typeof username !== 'string' || username === '') throw new Error('the answer names no user');
  if (!isAbsent(uid) && typeof uid !== 'string') throw new Error('status.user.uid of the answer is not a string');
  return {
    name: username,
    ...(isAbsent(uid) ? {} : { uid }),
    groups: strings('groups', groups),
    ...(isAbsent(extra) ? {} : { extra: extraOf(extra) }),
  };
}

const isAbsent = (value: unknown): value is undefined | null => value === undefined || value === null;

function strings(field: string, value: unknown): readonly string[] {
  if (isAbsent(value)) return [];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new Error(`status.user.${field} of the answer is not a list of strings`);
}

function extraOf(value: unknown): Readonly<Record<string, readonly string[]>> {
  if (!isObject(value)) throw new Error('status.user.extra of the answer is not an object');
  return Object.fromEntries(Object.entries(value).map(([key, list]) => [key, strings('extra', list)]));
}
