// The mechanisms that ask somebody else: what becomes of their users and of others while that one changes or is away.
import { type Mechanism, mechanisms } from '../../matrix/api/index.js';
import type { Credential, Subject } from '../../matrix/requirements/index.js';
import { told, toldNothing, wasLetIn } from '../support/acceptance.js';
import { credentials } from '../support/credentials/index.js';
import { eventually } from '../support/eventually.js';
import { fail, Unjudged } from '../support/expect.js';
import { at } from '../support/json.js';
import { NoAnswer, type Reply } from '../support/reply.js';
import { settingOf, showGood, validCredential } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

/** Milliseconds that a server is given to see that an issuer has other keys. */
const patience = 15_000;
/** Milliseconds that a request waits for a service that does not answer: long enough to be held up. */
const held = 500;

/** Shows an ID token; `claim` is the one that the target takes user names from, where it was told one. */
export async function showIdToken(subject: Subject, context: Context) {
  const seen = await showGood(subject, context);
  return { seen, claim: settingOf(context).fixtures.openidConnect.usernameClaim };
}

/** The answer to a token of keys that the issuer has only now. */
export async function rotate(_: Subject, context: Context): Promise<Reply> {
  const setting = settingOf(context);
  await setting.standIns.rotateKeys();
  const { credential } = await credentials.openidConnect.good.rs256(setting);
  const ask = async () => told(context, credential, await context.client.send({ ...anyRequest, as: credential }));
  return await eventually(ask, wasLetIn, context.run.patience ?? patience);
}

/** Answers to users of other mechanisms. Throws Unjudged where the target offers none. */
async function askOthers(context: Context, except: readonly Mechanism[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const mechanism of Object.keys(mechanisms) as Mechanism[]) {
    if (except.includes(mechanism)) continue;
    const as = await credentialIfOffered(context, mechanism);
    if (as !== undefined) replies.push(await told(context, as, await context.client.send({ ...anyRequest, as })));
  }
  if (replies.length === 0) throw new Unjudged('skipped', 'the target has no other mechanism');
  return replies;
}

async function credentialIfOffered(context: Context, mechanism: Mechanism): Promise<Credential | undefined> {
  try {
    return await validCredential(context, mechanism);
  } catch (error) {
    if (error instanceof Unjudged) return undefined;
    throw error;
  }
}

/** Answers to the other mechanisms' users while the issuer is away and a token of unknown keys makes the target look. */
export async function loseIssuer(_: Subject, context: Context): Promise<Reply[]> {
  const setting = settingOf(context);
  const as = await credentials.openidConnect.bad.unknownKey(setting);
  await setting.standIns.setReachable('oidcIssuer', false);
  try {
    const looking = context.client.send({ ...anyRequest, as });
    const [others] = await Promise.all([askOthers(context, ['openidConnect']), looking]);
    return others;
  } finally {
    await setting.standIns.setReachable('oidcIssuer', true);
  }
}

/** Shows a password that the identity service confirms, and looks at what it was asked meanwhile. */
export async function confirmPassword(subject: Subject, context: Context) {
  const asked = async () => (await settingOf(context).standIns.calls('identityService')).map(({ body }) => body);
  const before = (await asked()).length;
  const seen = await showGood(subject, context);
  const { username, password } = seen.credential;
  const about = (await asked()).slice(before).map((body) => at(body, 'auth', 'passwordCredentials'));
  const own = about.filter((question) => at(question, 'username') === username);
  return { seen, asked: own.length, rightly: own.some((question) => at(question, 'password') === password) };
}

const outages: Readonly<Record<string, (context: Context) => Promise<Credential>>> = {
  unreachable: async (context) => {
    const setting = settingOf(context);
    await setting.standIns.setReachable('identityService', false);
    return (await credentials.identityServicePassword.good.plain(setting)).credential;
  },
  reset: (context) => credentials.identityServicePassword.bad.reset(settingOf(context)),
  silence: (context) => credentials.identityServicePassword.bad.silence(settingOf(context)),
};

/** A user of the identity service while that is away, and users of the other mechanisms meanwhile. */
export async function loseIdentityService({ variant = '' }: Subject, context: Context) {
  const { standIns } = settingOf(context);
  const outage = outages[variant] ?? fail(variant);
  try {
    const as = await outage(context);
    const own = context.client.send({ ...anyRequest, as, ...(variant === 'silence' ? { deadline: held } : {}) });
    const answered = own.catch((error: unknown) => {
      if (error instanceof NoAnswer && variant === 'silence') return undefined;
      throw error;
    });
    const [others, its] = await Promise.all([askOthers(context, ['identityServicePassword']), answered]);
    return { own: await toldNothing(context, its), others };
  } finally {
    await standIns.setReachable('identityService', true);
  }
}
