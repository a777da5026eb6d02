// Sends a credential to the target, and records the response and the user that the target takes it for.
import { defined, type Mechanism, operations } from '../../matrix/api/index.js';
import type { Call } from '../client/calls.js';
import { Client } from '../client/client.js';
import { equal, fail, Unchecked } from '../client/expect.js';
import { brief, type Json, missing } from '../client/json.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { clientCertificates } from '../fixtures/clientCertificates.js';
import { openidUser, passwordUsers, tokenUsers, webhookUsers } from '../fixtures/users.js';
import { absenceFor, type Credential, type Subject } from '../requirements/index.js';
import type { ReviewedUser } from '../stand-ins/webhookReviewer.js';
import { accepted, identified, wasAccepted } from './acceptance.js';
import { anyRequest } from './anonymousAccess.js';
import type { Context } from './context.js';
import { credentials } from './credentials/index.js';
import { untilIssuerIsFound } from './credentials/openidConnect.js';
import type { GoodCredential, Setting, Source } from './credentials/source.js';
import { identify, type UserIdentity } from './identity.js';
import type { SecondServer, SecondServerAddress } from './secondServer.js';

/** The ordinary variant of each mechanism's credentials. */
export const ordinaryVariants: Readonly<Record<Mechanism, string>> = {
  clientCertificate: 'plain',
  staticToken: 'severalGroups',
  staticPassword: 'plain',
  serviceAccountToken: 'account',
  openidConnect: 'rs256',
  webhookTokenReview: 'plain',
  identityServicePassword: 'plain',
};

/** The create without which a target has no tokens of service accounts. */
const accountCreate = operations.find(({ id }) => id === 'POST /api/v1/namespaces/{namespace}/serviceaccounts');

/** Returns the setting for credentials. Throws Unchecked if the target does not know the suite's users. */
export function settingOf({ run, sandbox, backends }: Context): Setting {
  if (run.authentication === undefined || backends === undefined)
    throw new Unchecked('skipped', 'the target was not started with the fixtures of the suite');
  return { sandbox, fixtures: run.authentication.fixtures, backends };
}

/** Returns why the target does not offer the mechanism; undefined if it does. */
export function lackOf({ run }: Pick<Context, 'run'>, mechanism: Mechanism) {
  const { notSupported } = run.target;
  return (
    absenceFor(notSupported, { mechanism }) ??
    (mechanism === 'serviceAccountToken' && accountCreate
      ? absenceFor(notSupported, { operation: accountCreate })
      : undefined)
  );
}

/** Throws Unchecked if the target does not offer the mechanism, or cannot receive its credentials. */
export function mustBeOffered(context: Context, mechanism: Mechanism): void {
  const { run } = context;
  const lack = lackOf(context, mechanism);
  if (lack !== undefined) throw new Unchecked('not-supported', lack.reason);
  if (mechanism === 'clientCertificate' && run.target.url.startsWith('http:'))
    throw new Unchecked('skipped', 'the target speaks plain HTTP: certificates cannot be shown');
}

/** Returns a good credential of the mechanism, from the fixtures or the target's file. Throws Unchecked without one. */
export async function validCredential(context: Context, mechanism: Mechanism): Promise<Credential> {
  mustBeOffered(context, mechanism);
  const given = context.run.target.credentials[mechanism];
  const isOurs = mechanism === 'openidConnect' && context.backends !== undefined;
  if (isOurs) await untilIssuerIsFound(settingOf(context));
  if (given !== undefined) return given;
  if (mechanism !== 'serviceAccountToken')
    throw new Unchecked('skipped', 'no credential of this mechanism was given, nor were the fixtures of the suite');
  return (await credentials.serviceAccountToken.good.account(context)).credential;
}

export interface SentCredential extends GoodCredential {
  readonly reply: Reply;
  /** Absent if the credential was refused, or if the target has no way to show the user. */
  readonly identity?: UserIdentity;
}

/** Sends the good credential that the subject names; the ordinary one of its mechanism if the subject names none. */
export async function sendGoodCredential({ mechanism, variant }: Subject, context: Context): Promise<SentCredential> {
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  mustBeOffered(context, mechanism);
  const make = goodCredential(mechanism, variant);
  return await sendCredential(await make(settingOf(context)), context);
}

/** Returns what makes a good credential of the mechanism: the ordinary one without a variant. */
export function goodCredential(mechanism: Mechanism, variant = ordinaryVariants[mechanism]) {
  const make = (credentials[mechanism] as Source).good[variant];
  if (make === undefined) throw new Error(`no good credential ${mechanism}, ${variant}`);
  return make;
}

export async function sendCredential({ credential, user }: GoodCredential, context: Context): Promise<SentCredential> {
  const { client, run } = context;
  const reply = await identified(context, credential, await client.send({ ...anyRequest, as: credential }));
  const identity = wasAccepted(reply) ? await identify(client, credential, run.runId) : undefined;
  return { credential, reply, user, ...defined({ identity }) };
}

/** Sends the bad credential that the subject names; undefined if a certificate ended the connection. */
export async function sendBadCredential(
  { mechanism, variant = '' }: Subject,
  context: Context,
): Promise<Reply | undefined> {
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  mustBeOffered(context, mechanism);
  const make = (credentials[mechanism] as Source).bad[variant];
  if (make === undefined) throw new Error(`no bad credential ${mechanism}, ${variant}`);
  return await sendUnwelcome({ as: await make(settingOf(context)) }, context);
}

/** Sends a credential that the target may refuse; undefined if a certificate ended the connection. */
export async function sendUnwelcome(
  carried: { readonly as: Credential } & Pick<Call, 'over'>,
  context: Context,
): Promise<Reply | undefined> {
  const { as } = carried;
  try {
    return await identified(context, as, await context.client.send({ ...anyRequest, ...carried }));
  } catch (error) {
    if (error instanceof NoAnswer && as.certificate !== undefined) return undefined;
    throw error;
  }
}

/** Returns what starts a second server. Throws Unchecked if the suite does not start the target, or does not know its users. */
export function secondServerOf(context: Context): SecondServer {
  settingOf(context);
  if (context.secondServer === undefined)
    throw new Unchecked('skipped', 'it needs a server with other settings, and only managed targets are started here');
  return context.secondServer;
}

/** Calls `act` with what asks a second server with a credential, and returns the response. */
export async function askingSecondServer<T>(
  { run, client }: Context,
  reached: SecondServerAddress,
  act: (ask: (as: Credential) => Promise<Reply>) => Promise<T>,
): Promise<T> {
  const other = new Client({ ...run.target, ...reached }, undefined, { redactor: client.redactor });
  try {
    return await act(async (as) => identified({ run, client: other }, as, await other.send({ ...anyRequest, as })));
  } finally {
    client.adopt(other.takeExchanges());
    await other.close();
  }
}

/** Returns the user that the target takes the client for. Throws Unchecked if the target does not show it. */
export function identityOf({ reply, identity }: SentCredential): UserIdentity {
  accepted(reply);
  return identity ?? unobservable('identity', 'the target offers no way to see it');
}

/** Throws Failure unless the user has the known name. */
export function hasName(seen: SentCredential): void {
  const { name, seenIn } = identityOf(seen);
  equal(name, seen.user.name, `the user name, in ${seenIn}`);
}

/** What the fixtures give to some of their users. A server that gives it to others takes them for each other. */
const fixtureUsers: readonly Partial<ReviewedUser>[] = [
  ...Object.values(tokenUsers),
  ...Object.values(passwordUsers),
  ...Object.values(webhookUsers),
  ...Object.values(clientCertificates).map(({ organizations }) => ({ groups: organizations })),
  openidUser,
];
const fixtureUids = fixtureUsers.flatMap(({ uid = [] }) => uid);
const fixtureGroups = fixtureUsers.flatMap(({ groups = [] }) => groups);
const fixtureExtra = fixtureUsers.flatMap(({ extra = {} }) => Object.keys(extra));

/** Throws Failure if the user has any of these that is not the user's own. */
function hasNoneOf(others: readonly string[], own: readonly string[], found: readonly string[], what: string): void {
  const strange = found.filter((each) => others.includes(each) && !own.includes(each));
  if (strange.length > 0) fail(`${what}: ${brief(strange)} of other users`);
}

/** Throws Failure unless the user has the known uid, if there is one, and none of another user. */
export function hasUid(seen: SentCredential): void {
  const { uid, groups, seenIn } = identityOf(seen);
  hasNoneOf(fixtureUids, [seen.user.uid ?? ''], [uid ?? ''], `the uid, in ${seenIn}`);
  if (seen.user.uid === undefined) return;
  if (groups === undefined) unobservable('uid', `${seenIn} does not contain it`);
  equal(uid, seen.user.uid, `the uid, in ${seenIn}`);
}

/** Throws Failure unless the user is in all these groups. The user may be in others too, but not in those of other users. */
export function hasGroups(seen: SentCredential, expected: readonly string[] = seen.user.groups): void {
  const { groups, seenIn } = identityOf(seen);
  const found = groups ?? unobservable('groups', `${seenIn} does not contain them`);
  const lacks = expected.filter((group) => !found.includes(group));
  if (lacks.length > 0) fail(`the groups, in ${seenIn}: ${brief(lacks)} not among ${brief(found)}`);
  if (expected === seen.user.groups) hasNoneOf(fixtureGroups, expected, found, `the groups, in ${seenIn}`);
}

/** Throws Failure unless the user has the known extra attributes, if there are any, and none of another user. */
export function hasExtra(seen: SentCredential): void {
  const { extra, seenIn } = identityOf(seen);
  const own = Object.keys(seen.user.extra ?? {});
  hasNoneOf(fixtureExtra, own, Object.keys(extra ?? {}), `the extra attributes, in ${seenIn}`);
  if (seen.user.extra === undefined) return;
  const lack = missing(
    extra ?? unobservable('extra', `${seenIn} does not contain it`),
    seen.user.extra as Json,
    'extra',
  );
  if (lack !== undefined) fail(`the user, in ${seenIn}: ${lack}`);
}

function unobservable(what: string, why: string): never {
  throw new Unchecked('not-supported', `${what} not observable: ${why}`);
}
