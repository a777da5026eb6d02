// Shows a credential to the target: what it answers, and who it thinks we are.
import type { Mechanism } from '../../matrix/api/index.js';
import type { Credential, Subject } from '../../matrix/requirements/index.js';
import { letIn, told, wasLetIn } from './acceptance.js';
import { credentials } from './credentials/index.js';
import type { GoodCredential, Setting, Source } from './credentials/source.js';
import { equal, fail, Unjudged } from './expect.js';
import { lackOf } from './gate.js';
import { type Identity, identify } from './identity.js';
import { brief, type Json, missing } from './json.js';
import { NoAnswer, type Reply } from './reply.js';
import { anyRequest } from './strangers.js';
import type { Context } from './worker.js';

/** The credential of each mechanism that has nothing odd. */
export const ordinary: Readonly<Record<Mechanism, string>> = {
  clientCertificate: 'plain',
  staticToken: 'severalGroups',
  staticPassword: 'plain',
  serviceAccountToken: 'account',
  openidConnect: 'rs256',
  webhookTokenReview: 'plain',
  identityServicePassword: 'plain',
};

/** What credentials are made with. Throws Unjudged where the target does not know the suite's users. */
export function settingOf({ run, scope, standIns }: Context): Setting {
  if (run.authentication === undefined || standIns === undefined)
    throw new Unjudged('skipped', 'the target was not started with the fixtures of the suite');
  return { scope, fixtures: run.authentication.fixtures, standIns };
}

/** Throws Unjudged where the target does not offer the mechanism, or cannot be shown its credentials. */
export function offered({ run }: Context, mechanism: Mechanism): void {
  const lack = lackOf(run.target, { mechanism });
  if (lack !== undefined) throw new Unjudged('not-supported', lack.reason);
  if (mechanism === 'clientCertificate' && run.target.url.startsWith('http:'))
    throw new Unjudged('skipped', 'the target speaks plain HTTP: certificates cannot be shown');
}

/** A credential of the mechanism that lets somebody in, of the fixtures or given by the target's owner. */
export async function validCredential(context: Context, mechanism: Mechanism): Promise<Credential> {
  offered(context, mechanism);
  const given = context.run.target.credentials[mechanism];
  if (given !== undefined) return given;
  if (mechanism !== 'serviceAccountToken')
    throw new Unjudged('skipped', 'no credential of this mechanism was given, nor were the fixtures of the suite');
  return (await credentials.serviceAccountToken.good.account(context)).credential;
}

/** What came of a good credential. */
export interface Seen extends GoodCredential {
  readonly reply: Reply;
  /** Absent where it was not let in, or where the target offers no way of seeing who we are. */
  readonly identity?: Identity;
}

/** Shows the good credential that the subject names; the ordinary one of its mechanism where it names none. */
export async function showGood({ mechanism, variant }: Subject, context: Context): Promise<Seen> {
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  offered(context, mechanism);
  const make = (credentials[mechanism] as Source).good[variant ?? ordinary[mechanism]];
  if (make === undefined) throw new Error(`no good credential ${mechanism}, ${variant}`);
  return await showed(await make(settingOf(context)), context);
}

/** Shows a credential that lets somebody in. */
export async function showed({ credential, user }: GoodCredential, context: Context): Promise<Seen> {
  const { client, run } = context;
  const reply = await told(context, credential, await client.send({ ...anyRequest, as: credential }));
  const identity = wasLetIn(reply) ? await identify(client, credential, run.runId) : undefined;
  return { credential, reply, user, ...(identity === undefined ? {} : { identity }) };
}

/** Shows the bad credential that the subject names; undefined where a certificate ended the connection. */
export async function showBad({ mechanism, variant = '' }: Subject, context: Context): Promise<Reply | undefined> {
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  offered(context, mechanism);
  const make = (credentials[mechanism] as Source).bad[variant];
  if (make === undefined) throw new Error(`no bad credential ${mechanism}, ${variant}`);
  const as = await make(settingOf(context));
  try {
    return await told(context, as, await context.client.send({ ...anyRequest, as }));
  } catch (error) {
    if (error instanceof NoAnswer && as.certificate !== undefined) return undefined;
    throw error;
  }
}

/** Who the target thinks we are. Throws Unjudged where it does not show it. */
export function identityOf({ reply, identity }: Seen): Identity {
  letIn(reply);
  return identity ?? unobservable('identity', 'it offers no way of seeing it');
}

/** The user has the name that we know it by. */
export function hasName(seen: Seen): void {
  const { name, seenIn } = identityOf(seen);
  equal(name, seen.user.name, `the user name, in ${seenIn}`);
}

/** The user has the uid that we know, if we know any. */
export function hasUid(seen: Seen): void {
  const { uid, groups, seenIn } = identityOf(seen);
  if (seen.user.uid === undefined) return;
  if (groups === undefined) unobservable('uid', `${seenIn} does not say it`);
  equal(uid, seen.user.uid, `the uid, in ${seenIn}`);
}

/** The user is in all these groups, and perhaps in others. */
export function hasGroups(seen: Seen, expected: readonly string[] = seen.user.groups): void {
  const { groups, seenIn } = identityOf(seen);
  const found = groups ?? unobservable('groups', `${seenIn} does not say them`);
  const lacks = expected.filter((group) => !found.includes(group));
  if (lacks.length > 0) fail(`the groups, in ${seenIn}: ${brief(lacks)} not among ${brief(found)}`);
}

/** The user has the extra attributes that we know, if we know any. */
export function hasExtra(seen: Seen): void {
  const { extra, seenIn } = identityOf(seen);
  if (seen.user.extra === undefined) return;
  const lack = missing(extra ?? unobservable('extra', `${seenIn} does not say it`), seen.user.extra as Json, 'extra');
  if (lack !== undefined) fail(`the user, in ${seenIn}: ${lack}`);
}

function unobservable(what: string, why: string): never {
  throw new Unjudged('not-supported', `${what} not observable: ${why}`);
}
