// TLS connections: the server's certificate by its names, and resumed sessions.
import { X509Certificate } from 'node:crypto';
import { fail, Unchecked } from '../client/expect.js';
import { OwnConnection } from '../client/otherTransports.js';
import { type RawAnswer, rawRequest } from '../client/rawRequest.js';
import type { Reply } from '../client/reply.js';
import type { Subject } from '../requirements/index.js';
import { identified, unidentifiedRaw } from '../run/acceptance.js';
import { anyRequest } from '../run/anonymousAccess.js';
import type { Context } from '../run/context.js';
import { mustBeOffered, settingOf, validCredential } from '../run/credentialChecks.js';
import { certificateUntil } from '../run/credentials/clientCertificate.js';
import { behindGateway } from '../run/gateway.js';
import { type Outlived, outlive } from '../run/outlived.js';

/** Returns the SHA-256 of the certificate that the target presents, and of the certificate that it was started with. */
export async function seeCertificate(_: Subject, context: Context) {
  const { client } = context;
  if (client.target.url.startsWith('http:')) throw new Unchecked('skipped', 'the target speaks plain HTTP');
  const { serverCertificate } = settingOf(context).fixtures;
  const shown = await rawRequest(client, anyRequest);
  const { fingerprint256: fingerprint } = new X509Certificate(serverCertificate);
  const isOther = shown.fingerprint !== undefined && shown.fingerprint !== fingerprint;
  return { shown, fingerprint, unjudged: isOther ? await behindGateway(context) : undefined };
}

/** Opens a connection for each address and name for which the certificate must be valid. */
export async function connectByNames(_: Subject, context: Context) {
  const { client } = context;
  if (client.target.url.startsWith('http:')) throw new Unchecked('skipped', 'the target speaks plain HTTP');
  const answers: { readonly name: string; readonly answer: RawAnswer }[] = [];
  for (const name of settingOf(context).fixtures.serverNames)
    answers.push({ name, answer: await rawRequest(client, { ...anyRequest, tls: { name } }) });
  const isRefused = answers.some(({ answer }) => answer.reply === undefined);
  return { answers, unjudged: isRefused ? await behindGateway(context) : undefined };
}

/** Sends two requests without a certificate, the second on the TLS session of the first if the target resumes it. */
export async function resume({ variant }: Subject, context: Context): Promise<readonly RawAnswer[]> {
  mustBeOffered(context, 'clientCertificate');
  const version = variant === 'TLS 1.2' ? 'TLSv1.2' : 'TLSv1.3';
  const first = await rawRequest(context.client, { ...anyRequest, tls: { version } });
  const session = first.session === undefined ? {} : { session: first.session };
  const second = await rawRequest(context.client, { ...anyRequest, tls: { version, ...session } });
  return [await unidentifiedRaw(context, first), await unidentifiedRaw(context, second)];
}

/** Sends a credential in the header, without a certificate. */
export async function sendWithoutCertificate({ mechanism }: Subject, context: Context): Promise<Reply> {
  const as = await validCredential(context, mechanism ?? fail('a subject without a mechanism'));
  return await identified(context, as, await context.client.send({ ...anyRequest, as }));
}

/** Shows a certificate, and sends another request on its connection after it has expired. */
export async function outliveCertificate(_: Subject, context: Context): Promise<Outlived> {
  mustBeOffered(context, 'clientCertificate');
  const opened: OwnConnection[] = [];
  try {
    return await outlive(context, async (exp) => {
      const connection = new OwnConnection();
      opened.push(connection);
      const certificate = await certificateUntil(settingOf(context), exp);
      return { as: certificate, over: connection.transport };
    });
  } finally {
    for (const connection of opened) await connection.close();
  }
}
