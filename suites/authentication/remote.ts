// Mechanisms with a backend: their users, and the users of other mechanisms, while the backend changes or is down.
import { type Mechanism, mechanisms } from '../../matrix/api/index.js';
import { fail, Unchecked } from '../client/expect.js';
import { at } from '../client/json.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { eventually } from '../objects/eventually.js';
import type { Credential, Subject } from '../requirements/index.js';
import { identified, unidentified, wasAccepted } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import { mustBeOffered, sendGoodCredential, settingOf, validCredential } from '../run/credentialChecks.js';
import { credentials } from '../run/credentials/index.js';
import { idTokenUntil } from '../run/credentials/openidConnect.js';
import { type Outlived, outlive } from '../run/outlived.js';

/** Milliseconds that a server may take to find the new keys of an issuer. */
const timeout = 15_000;
/** Milliseconds that a request waits for a service that does not respond: long enough to delay other requests. */
const held = 500;

/** Sends an ID token; `claim` is the claim of the target's user names, if one is configured. */
export async function sendIdToken(subject: Subject, context: Context) {
  const seen = await sendGoodCredential(subject, context);
  return { seen, claim: settingOf(context).fixtures.openidConnect.usernameClaim };
}

/** Returns the response to a token that is signed with a new key of the issuer. */
export async function rotate(_: Subject, context: Context): Promise<Reply> {
  const setting = settingOf(context);
  await setting.backends.rotateKeys();
  const { credential } = await credentials.openidConnect.good.rs256(setting);
  const ask = async () => identified(context, credential, await context.client.send({ ...anyRequest, as: credential }));
  return await eventually(ask, wasAccepted, context.run.timeout ?? timeout);
}

/** Uses an ID token, and uses it again after it has expired. */
export function outliveIdToken(_: Subject, context: Context): Promise<Outlived> {
  mustBeOffered(context, 'openidConnect');
  return outlive(context, async (exp) => ({ as: { token: await idTokenUntil(settingOf(context), exp) } }));
}

/** Returns the responses to users of other mechanisms. Throws Unchecked if the target offers none. */
async function askOthers(context: Context, except: readonly Mechanism[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const mechanism of Object.keys(mechanisms) as Mechanism[]) {
    if (except.includes(mechanism)) continue;
    const as = await credentialIfOffered(context, mechanism);
    if (as !== undefined) replies.push(await identified(context, as, await context.client.send({ ...anyRequest, as })));
  }
  if (replies.length === 0) throw new Unchecked('skipped', 'the target has no other mechanism');
  return replies;
}

async function credentialIfOffered(context: Context, mechanism: Mechanism): Promise<Credential | undefined> {
  try {
    return await validCredential(context, mechanism);
  } catch (error) {
    if (error instanceof Unchecked) return undefined;
    throw error;
  }
}

/**
 * Returns the responses to users of other mechanisms while the issuer is down and a token with an unknown key makes the
 * target look for keys.
 */
export async function loseIssuer(_: Subject, context: Context): Promise<Reply[]> {
  const setting = settingOf(context);
  const as = await credentials.openidConnect.bad.unknownKey(setting);
  await setting.backends.setReachable('oidcIssuer', false);
  try {
    const looking = context.client.send({ ...anyRequest, as });
    const [others] = await Promise.all([askOthers(context, ['openidConnect']), looking]);
    return others;
  } finally {
    await setting.backends.setReachable('oidcIssuer', true);
  }
}

/** Sends a password that the identity service confirms, and returns the requests to the service. */
export async function confirmPassword(subject: Subject, context: Context) {
  const asked = async () => (await settingOf(context).backends.calls('identityService')).map(({ body }) => body);
  const before = (await asked()).length;
  const seen = await sendGoodCredential(subject, context);
  const { username, password } = seen.credential;
  const about = (await asked()).slice(before).map((body) => at(body, 'auth', 'passwordCredentials'));
  const own = about.filter((question) => at(question, 'username') === username);
  return { seen, asked: own.length, rightly: own.some((question) => at(question, 'password') === password) };
}

const outages: Readonly<Record<string, (context: Context) => Promise<Credential>>> = {
  unreachable: async (context) => {
    const setting = settingOf(context);
    await setting.backends.setReachable('identityService', false);
    return (await credentials.identityServicePassword.good.plain(setting)).credential;
  },
  reset: (context) => credentials.identityServicePassword.bad.reset(settingOf(context)),
  silence: (context) => credentials.identityServicePassword.bad.silence(settingOf(context)),
};

/** Returns the responses to a user of the identity service and to other users while the service is down. */
export async function loseIdentityService({ variant = '' }: Subject, context: Context) {
  const { backends } = settingOf(context);
  const outage = outages[variant] ?? fail(variant);
  try {
    const as = await outage(context);
    const own = context.client.send({ ...anyRequest, as, ...(variant === 'silence' ? { deadline: held } : {}) });
    const answered = own.catch((error: unknown) => {
      if (error instanceof NoAnswer && variant === 'silence') return undefined;
      throw error;
    });
    const [others, its] = await Promise.all([askOthers(context, ['identityServicePassword']), answered]);
    return { own: await unidentified(context, its), others };
  } finally {
    await backends.setReachable('identityService', true);
  }
}
