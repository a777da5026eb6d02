// A request carries the target's own credentials, other credentials, or none.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defined } from '../../matrix/api/index.js';
import { type Issued, issueCertificate, makeServerCertificates } from '../../test-certs/index.js';
import type { Credential, Target } from '../requirements/index.js';
import { bareTarget } from '../testing/bareTarget.js';
import type { Call } from './calls.js';
import { Client } from './client.js';

let server: Server;
let url: string;
let ca: string;
let certificates: Record<'own' | 'other', Credential>;

beforeAll(async () => {
  const made = await makeServerCertificates('127.0.0.1');
  ca = made.ca.certificate;
  const client = (commonName: string): Promise<Issued> =>
    issueCertificate({ subject: { commonName }, usage: 'client', issuer: made.ca });
  certificates = { own: await client('own'), other: await client('other') };
  const { certificate: cert, key } = made.server;
  server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const seen = [
      request.headers.authorization ?? null,
      (request.socket as TLSSocket).getPeerCertificate().subject?.CN,
    ];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(seen));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const basic = `Basic ${Buffer.from('jüne:pass:wörd').toString('base64')}`;
const both = (): Target['credentials'] => ({ clientCertificate: certificates.own, staticToken: { token: 'own' } });

it('redacts Basic credentials that a target shows in one more encoding', async () => {
  const client = new Client(bareTarget(url, { ca }));
  const [username, password] = ['somebody', 'a-long-password'];
  await client.send({ method: 'GET', path: '/', as: { username, password } });
  const sent = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  for (const encoding of ['base64', 'base64url', 'hex'] as const) {
    const left = client.redactor.redact(Buffer.from(sent).toString(encoding)).replace('<redacted>', '');
    expect(Buffer.from(left, encoding).toString().length).toBeLessThan('Basic '.length + 3);
  }
  await client.close();
});

describe('a request', () => {
  it.each<[string, () => Pick<Target, 'credentials' | 'own'>, () => Call['as'], readonly (string | null)[]]>([
    ['carries all that is its own', () => ({ credentials: both() }), () => undefined, ['Bearer own', 'own']],
    [
      'carries only what is its own',
      () => ({ credentials: both(), own: ['staticToken'] }),
      () => undefined,
      ['Bearer own', null],
    ],
    ['carries nothing', () => ({ credentials: both() }), () => 'none', [null, null]],
    ['carries another token alone', () => ({ credentials: both() }), () => ({ token: 'x' }), ['Bearer x', null]],
    ['carries another certificate alone', () => ({ credentials: both() }), () => certificates.other, [null, 'other']],
    [
      'carries another password alone',
      () => ({ credentials: both() }),
      () => ({ username: 'jüne', password: 'pass:wörd' }),
      [basic, null],
    ],
  ])('%s', async (_, of, as, expected) => {
    const client = new Client(bareTarget(url, { ca, ...of() }));
    const shown = as();
    for (let times = 0; times < 2; times++) {
      await client.send({ method: 'GET', path: '/', as: 'none' });
      const reply = await client.send({ method: 'GET', path: '/', ...defined({ as: shown }) });
      expect(reply.value()).toEqual(expected);
    }
    await client.close();
  });

  it('leaves its connection to the next one, also with a body that its method does not expect', async () => {
    const client = new Client(bareTarget(url, { ca, credentials: both() }));
    const sockets = new Set<unknown>();
    const look = ({ socket }: IncomingMessage): unknown => sockets.add(socket);
    server.on('request', look);
    for (let times = 0; times < 8; times++) await client.send({ method: 'DELETE', path: '/', body: '{}' });
    server.off('request', look);
    await client.close();
    // The pool may open a second one, before it knows that the first is free again.
    expect(sockets.size).toBeLessThan(3);
  });
});
