// Probes of authentication mechanisms, with the users of the fixtures.

import { at } from '../../client/json.js';
import type { Reply } from '../../client/reply.js';
import type { Credential } from '../../requirements/index.js';
import { identityServicePassword } from '../credentials/identityServicePassword.js';
import { openidConnect } from '../credentials/openidConnect.js';
import type { Setting, Source } from '../credentials/source.js';
import { staticPassword } from '../credentials/staticPassword.js';
import { anonymousUser, userNamedIn } from '../identity.js';
import { hasSucceeded, lacks, offers, type Probe, type ProbeContext } from './probe.js';

const show = ({ sandbox }: ProbeContext, as: Credential): Promise<Reply> =>
  sandbox.client.send({ method: 'GET', path: '/api/v1', as });

/** Reports whether a request was not accepted: 401, or a 403 for the anonymous user. */
function isTurnedAway(reply: Reply): boolean {
  return reply.status === 401 || userNamedIn(reply) === anonymousUser;
}

/** Reports whether a refusal announces Basic authentication: such a server has passwords, and must accept good ones. */
const asksForPassword = ({ headers }: Reply): boolean => /(^|,)\s*basic\b/i.test(headers['www-authenticate'] ?? '');

/** Returns a probe that reports whether every good password of a source is refused; undefined without the fixtures. */
const passwords =
  (source: (setting: Setting) => readonly ReturnType<Source['good'][string]>[]): Probe =>
  async (asked) => {
    if (asked.setting === undefined) return undefined;
    const good = await Promise.all(source(asked.setting));
    const replies = await Promise.all(good.map(({ credential }) => show(asked, credential)));
    if (replies.some(hasSucceeded)) return offers('a password of the fixtures is accepted');
    if (!replies.every(isTurnedAway)) return undefined;
    return replies.some(asksForPassword)
      ? offers('a refusal asks for Basic credentials')
      : lacks('every password of the fixtures is refused');
  };

const ofSource =
  ({ good }: Source) =>
  (setting: Setting) =>
    Object.values(good).map((make) => make(setting));

const algorithms: Probe = async (asked) => {
  const { setting } = asked;
  if (setting === undefined) return undefined;
  const { rs256, es256, ps256 } = openidConnect.good;
  const usual = await show(asked, (await rs256(setting)).credential);
  if (!hasSucceeded(usual)) return undefined;
  const others = [(await es256(setting)).credential, (await ps256(setting)).credential];
  const replies = await Promise.all(others.map((credential) => show(asked, credential)));
  if (replies.some(hasSucceeded)) return offers('an ID token with another algorithm is accepted');
  return replies.every(isTurnedAway)
    ? lacks('an ID token with RS256 is accepted, but none with ES256 or PS256')
    : undefined;
};

const refusals: Probe = async (asked) => {
  const reply = await show(asked, { token: 'a-token-that-nobody-has' });
  if (reply.status !== 401) return undefined;
  const isStatus = at(reply.tryValue(), 'kind') === 'Status';
  return isStatus ? offers('a 401 holds a Status') : lacks('a 401 holds no Status');
};

export const userProbes = {
  'refusal-status': refusals,
  'jwt-algorithms': algorithms,
  'static-password': passwords(ofSource(staticPassword)),
  'identity-service': passwords(ofSource(identityServicePassword)),
};
