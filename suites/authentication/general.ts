// Rules of all mechanisms: every operation, several credentials at once, two users, attributes without an effect.

import type { Mechanism } from '../../matrix/api/index.js';
import type { Json, JsonObject } from '../client/json.js';
import { pathTo, selectingName } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { harmlessCall } from '../objects/harmless.js';
import { configMaps } from '../objects/related.js';
import type { Credential, OperationSubject, Subject } from '../requirements/index.js';
import { identified, identifiedOnce, refusalOf } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import {
  goodCredential,
  lackOf,
  mustBeOffered,
  ordinaryVariants,
  type SentCredential,
  sendCredential,
  sendGoodCredential,
  settingOf,
  validCredential,
} from '../run/credentialChecks.js';
import { credentials } from '../run/credentials/index.js';
import { untilIssuerIsFound } from '../run/credentials/openidConnect.js';

const namespaceKey = 'authentication';
const wrongPassword: Credential = { username: 'nobody', password: 'a-password-that-nobody-has' };

/** Sends an operation with a credential of a mechanism. */
export async function sendWith({ operation, mechanism }: OperationSubject, context: Context): Promise<Reply> {
  const { client, sandbox } = context;
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  const as = await validCredential(context, mechanism);
  if (operation.verb === 'deleteCollection' && operation.resource !== undefined)
    await sandbox.selectorsAreRespected(operation.resource);
  const call = harmlessCall(operation, sandbox, await sandbox.namespace(namespaceKey));
  return await identifiedOnce(context, as, await client.send({ ...call, as }));
}

/** Sends an operation with a bad credential. */
export async function sendWithWrong({ operation, variant }: OperationSubject, context: Context): Promise<Reply> {
  const { sandbox } = context;
  const as = variant === 'a wrong password' ? wrongPassword : await foreignCertificate(context);
  const call = harmlessCall(operation, sandbox, await sandbox.namespace(namespaceKey));
  return await refusalOf(context, call, as);
}

/** Sends a good credential of the subject's mechanism with each bad credential of another mechanism. */
export async function sendWithOtherHeader({ mechanism, variant }: Subject, context: Context): Promise<Reply[]> {
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  const good = await validCredential(context, mechanism);
  const bad =
    mechanism !== 'clientCertificate'
      ? [await foreignCertificate(context)]
      : variant === 'beside a wrong token'
        ? await wrongTokens(context)
        : [wrongPassword];
  const replies = [];
  for (const each of bad) {
    const as = { ...good, ...each };
    replies.push(await identified(context, as, await context.client.send({ ...anyRequest, as })));
  }
  return replies;
}

/** Returns a token that nobody has, and tokens that the target reads before it refuses them. */
async function wrongTokens(context: Context): Promise<readonly Credential[]> {
  const tokens: Credential[] = [{ token: 'a-token-that-nobody-has' }];
  const { openidConnect, serviceAccountToken } = credentials;
  if (isOffered(context, 'openidConnect')) tokens.push(await openidConnect.bad.expired(settingOf(context)));
  if (isOffered(context, 'serviceAccountToken'))
    tokens.push(await serviceAccountToken.bad.otherSignature(settingOf(context)));
  return tokens;
}

/** Reports whether the run has credentials of a mechanism. One that only reads makes no account. */
const isOffered = (context: Context, mechanism: Mechanism): boolean =>
  !(mechanism === 'serviceAccountToken' && context.client.target.readOnly) &&
  context.run.authentication !== undefined &&
  context.backends !== undefined &&
  lackOf(context, mechanism) === undefined;

async function foreignCertificate(context: Context): Promise<Credential> {
  mustBeOffered(context, 'clientCertificate');
  return await credentials.clientCertificate.bad.foreignAuthority(settingOf(context));
}

/** The mechanisms that read the same header, by the one whose subject stands for them. */
const sameHeader: Partial<Record<Mechanism, readonly Mechanism[]>> = {
  staticToken: ['staticToken', 'serviceAccountToken', 'openidConnect', 'webhookTokenReview'],
  staticPassword: ['staticPassword', 'identityServicePassword'],
};

/** Sends a certificate of one user with a header credential of another user, of each mechanism of the header. */
export async function sendTwoCredentials({ mechanism }: Subject, context: Context) {
  const others = sameHeader[mechanism ?? 'clientCertificate'];
  if (mechanism === undefined || others === undefined) throw new Error('a mechanism of another header');
  mustBeOffered(context, 'clientCertificate');
  const setting = settingOf(context);
  const one = await credentials.clientCertificate.good.plain(setting);
  const records = [];
  for (const each of others.filter((other) => isOffered(context, other))) {
    if (each === 'openidConnect') await untilIssuerIsFound(setting);
    const other = await goodCredential(each, ordinaryVariants[each])(setting);
    const credential = { ...one.credential, ...other.credential };
    const seen = await sendCredential({ credential, user: one.user }, context);
    records.push({ mechanism: each, users: [one.user, other.user], seen });
  }
  if (records.length === 0) mustBeOffered(context, mechanism);
  return records;
}

/** Returns the responses to a user with odd attributes, and to another user of the same mechanism. */
export async function compareOdd(subject: Subject, context: Context) {
  const seen = await sendGoodCredential(subject, context);
  const usual = await sendGoodCredential(
    { ...subject, variant: ordinaryVariants[subject.mechanism ?? 'staticToken'] },
    context,
  );
  const { namespace, name } = await context.sandbox.make(configMaps);
  // A list of one name, because controllers write into namespaces too.
  const list = `${pathTo(configMaps, 'list', namespace)}?${selectingName(name)}`;
  const paths = ['/api/v1', list, pathTo(configMaps, 'read', namespace, 'absent')];
  return { seen, own: await answersTo(seen, context, paths), other: await answersTo(usual, context, paths) };
}

/** Returns the statuses and, for successes, the bodies without metadata, which changes between requests. */
async function answersTo({ credential }: SentCredential, { client }: Context, paths: readonly string[]) {
  const answers: Json[] = [];
  for (const path of paths) {
    const reply = await client.send({ method: 'GET', path, as: credential });
    const { metadata: _, ...body } = Object(reply.tryValue()) as JsonObject;
    answers.push(reply.status, reply.status === 200 ? body : {});
  }
  return answers;
}
