// Connections as TLS makes them: the server's certificate by its names, and sessions that are resumed.
import { X509Certificate } from 'node:crypto';
import type { Subject } from '../../matrix/requirements/index.js';
import { told, toldRaw } from '../support/acceptance.js';
import { fail, Unjudged } from '../support/expect.js';
import { type RawAnswer, rawRequest } from '../support/rawRequest.js';
import type { Reply } from '../support/reply.js';
import { offered, settingOf, validCredential } from '../support/shown.js';
import { anyRequest } from '../support/strangers.js';
import type { Context } from '../support/worker.js';

/** The SHA-256 of a certificate that the target shows, and of the one that it was started with. */
export async function seeCertificate(_: Subject, context: Context) {
  const { client } = context;
  if (client.target.url.startsWith('http:')) throw new Unjudged('skipped', 'the target speaks plain HTTP');
  const { serverCertificate } = settingOf(context).fixtures;
  return {
    shown: await rawRequest(client, anyRequest),
    fingerprint: new X509Certificate(serverCertificate).fingerprint256,
  };
}

/** A connection for each address and name of the certificate, which must be good for it. */
export async function connectByNames(_: Subject, context: Context) {
  const { client } = context;
  if (client.target.url.startsWith('http:')) throw new Unjudged('skipped', 'the target speaks plain HTTP');
  const answers: { readonly name: string; readonly answer: RawAnswer }[] = [];
  for (const name of settingOf(context).fixtures.serverNames)
    answers.push({ name, answer: await rawRequest(client, { ...anyRequest, tls: { name } }) });
  return answers;
}

/** Two requests without a certificate, the second on the TLS session of the first where the target resumes it. */
export async function resume({ variant }: Subject, context: Context): Promise<readonly RawAnswer[]> {
  offered(context, 'clientCertificate');
  const version = variant === 'TLS 1.2' ? 'TLSv1.2' : 'TLSv1.3';
  const first = await rawRequest(context.client, { ...anyRequest, tls: { version } });
  const session = first.session === undefined ? {} : { session: first.session };
  const second = await rawRequest(context.client, { ...anyRequest, tls: { version, ...session } });
  return [await toldRaw(context, first), await toldRaw(context, second)];
}

/** A credential in the header, and no certificate. */
export async function showWithoutCertificate({ mechanism }: Subject, context: Context): Promise<Reply> {
  const as = await validCredential(context, mechanism ?? fail('a subject without a mechanism'));
  return await told(context, as, await context.client.send({ ...anyRequest, as }));
}
