// What holds for all mechanisms: every operation, several at once, two users, attributes that mean nothing here.
import type { Credential, OperationSubject, Subject } from '../../matrix/requirements/index.js';
import { told, toldOnce } from '../support/acceptance.js';
import { credentials } from '../support/credentials/index.js';
import { harmlessCall } from '../support/harmless.js';
import type { Json, JsonObject } from '../support/json.js';
import { configMaps } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { pathTo } from '../support/scope.js';
import { offered, ordinary, type Seen, settingOf, showed, showGood, validCredential } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

const namespaceKey = 'authentication';
const wrongPassword: Credential = { username: 'nobody', password: 'a-password-that-nobody-has' };

/** One cell of the cross product: an operation with a credential of a mechanism. */
export async function sendWith({ operation, mechanism }: OperationSubject, context: Context): Promise<Reply> {
  const { client, scope } = context;
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  const as = await validCredential(context, mechanism);
  if (operation.verb === 'deleteCollection' && operation.resource !== undefined)
    await scope.selectorsAreRespected(operation.resource);
  const call = harmlessCall(operation, scope, await scope.namespace(namespaceKey));
  return await toldOnce(context, as, await client.send({ ...call, as }));
}

/** An operation with a credential that lets nobody in. */
export async function sendWithWrong({ operation, variant }: OperationSubject, context: Context): Promise<Reply> {
  const { client, scope } = context;
  const as = variant === 'a wrong password' ? wrongPassword : await foreignCertificate(context);
  const call = harmlessCall(operation, scope, await scope.namespace(namespaceKey));
  return await toldOnce(context, as, await client.send({ ...call, as }));
}

/** A good credential of the subject's mechanism beside a bad one of another. */
export async function showBeside({ mechanism, variant }: Subject, context: Context): Promise<Reply> {
  if (mechanism === undefined) throw new Error('a subject without a mechanism');
  const good = await validCredential(context, mechanism);
  const bad =
    mechanism !== 'clientCertificate'
      ? await foreignCertificate(context)
      : variant === 'beside a wrong token'
        ? { token: 'a-token-that-nobody-has' }
        : wrongPassword;
  const as = { ...good, ...bad };
  return await told(context, as, await context.client.send({ ...anyRequest, as }));
}

async function foreignCertificate(context: Context): Promise<Credential> {
  offered(context, 'clientCertificate');
  return await credentials.clientCertificate.bad.foreignAuthority(settingOf(context));
}

/** Shows a certificate of one user and, in the header, the credential of another. */
export async function showTwo({ mechanism }: Subject, context: Context) {
  if (mechanism !== 'staticToken' && mechanism !== 'staticPassword') throw new Error('a mechanism of another header');
  offered(context, 'clientCertificate');
  const setting = settingOf(context);
  const one = await credentials.clientCertificate.good.plain(setting);
  const other = await (mechanism === 'staticToken'
    ? credentials.staticToken.good.severalGroups(setting)
    : credentials.staticPassword.good.plain(setting));
  const seen = await showed({ credential: { ...one.credential, ...other.credential }, user: one.user }, context);
  return { names: [one.user.name, other.user.name], seen };
}

/** What a user with odd attributes is answered, and what another of the same mechanism is answered. */
export async function compareOdd(subject: Subject, context: Context) {
  const seen = await showGood(subject, context);
  const usual = await showGood({ ...subject, variant: ordinary[subject.mechanism ?? 'staticToken'] }, context);
  return { seen, own: await answersTo(seen, context), other: await answersTo(usual, context) };
}

/** Statuses and, where they are successes, bodies without what moves by itself. */
async function answersTo({ credential }: Seen, { client, scope }: Context): Promise<Json[]> {
  const namespace = await scope.namespace(namespaceKey);
  const read = pathTo(configMaps, 'read', namespace, 'absent');
  const answers: Json[] = [];
  for (const path of ['/api/v1', pathTo(configMaps, 'list', namespace), read]) {
    const reply = await client.send({ method: 'GET', path, as: credential });
    const { metadata: _, ...body } = Object(reply.tryValue()) as JsonObject;
    answers.push(reply.status, reply.status === 200 ? body : {});
  }
  return answers;
}
