// Tests client certificates with real connections: the user of each valid one, and the refusal of others.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { issueCertificate } from '../../test-certs/index.js';
import { createApp } from '../app.js';
import { OptionError } from '../optionValues.js';
import type { RunningServer } from '../server.js';
import { startStandIn } from '../testing/standIn.js';
import { readAuthorities } from './pem.js';

type Issued = Awaited<ReturnType<typeof issueCertificate>>;

const authority = (commonName: string, issuer?: Issued) =>
  issueCertificate({ subject: { commonName }, usage: 'authority', ...(issuer && { issuer }) });
const client = (issuer: Issued | undefined, more: Partial<Parameters<typeof issueCertificate>[0]> = {}) =>
  issueCertificate({
    subject: { commonName: 'jane', organizations: ['dev', 'ops'] },
    usage: 'client',
    ...(issuer && { issuer }),
    ...more,
  });

const [ca, second, otherCa] = await Promise.all(['one', 'two', 'stranger'].map((name) => authority(name)));
if (ca === undefined || second === undefined || otherCa === undefined) throw new Error('no authorities');
let folder: string;
let server: RunningServer;
const inFolder = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-certificates-'));
  await writeFile(inFolder('ca.crt'), `a comment\n${ca.certificate}\n${second.certificate}`);
  await writeFile(inFolder('one.crt'), ca.certificate);
  await writeFile(inFolder('one.key'), ca.key);
  await writeFile(inFolder('key.pem'), ca.key);
  await writeFile(inFolder('broken.crt'), ca.certificate + second.certificate.replace(/\n.{20}/, '\nAAAA'));
  await writeFile(inFolder('half.crt'), ca.certificate.slice(0, -40));
  server = await startStandIn({}, { clientCaFile: inFolder('ca.crt') });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const dial = (options: ConnectionOptions): Promise<TLSSocket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: server.port, ca: server.caCertificate, ...options }, () =>
      resolve(socket),
    );
    socket.once('error', reject);
  });

/** Returns the response on a connection: its status, and the user that the handler received. */
async function answerOn(socket: TLSSocket, authorization?: string): Promise<{ status: number; user?: unknown }> {
  const header = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
  socket.write(`GET /api/v1/namespaces/ns/pods/p HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket) text += chunk;
  const { user } = JSON.parse(text.slice(text.indexOf('\r\n\r\n'))) as { user?: unknown };
  return { status: Number(text.split(' ', 2)[1]), ...(user !== undefined && { user }) };
}
const ask = async (of: Issued, options: ConnectionOptions = {}, authorization?: string) =>
  answerOn(await dial({ cert: of.certificate, key: of.key, ...options }), authorization);

const jane = { name: 'jane', groups: ['dev', 'ops', 'system:authenticated'] };

describe('a client certificate', () => {
  it.each([
    ['of the first authority', () => client(ca), jane],
    ['of the second authority', () => client(second), jane],
    ['for any use', () => client(ca, { usage: 'any' }), jane],
    ['with an RSA key', () => client(ca, { keyKind: 'rsa-2048' }), jane],
    [
      'without an organization',
      () => client(ca, { subject: { commonName: 'joe' } }),
      { name: 'joe', groups: ['system:authenticated'] },
    ],
    [
      'with odd names',
      () => client(ca, { subject: { commonName: 'système:ü,+="/日本\\', organizations: ['a,b', 'c+d', '__proto__'] } }),
      { name: 'système:ü,+="/日本\\', groups: ['a,b', 'c+d', '__proto__', 'system:authenticated'] },
    ],
  ])('%s names its user', async (_, issue, user) => {
    expect(await ask(await issue())).toEqual({ status: 200, user });
  });

  const later = new Date(Date.now() + 3_600_000);
  it.each([
    ['that has expired', () => client(ca, { days: -1 })],
    ['that is not valid yet', () => client(ca, { notBefore: later })],
    ['of another authority', () => client(otherCa)],
    ['of another authority of the same name', async () => client(await authority('one'))],
    ['that signs itself', () => client(undefined)],
    ['for servers', () => client(ca, { usage: 'server' })],
    ['for any use that has expired', () => client(ca, { usage: 'any', days: -1 })],
    ['for any use that is not valid yet', () => client(ca, { usage: 'any', notBefore: later })],
    ['for any use of another authority', () => client(otherCa, { usage: 'any' })],
    ['for any use of another authority of the same name', async () => client(await authority('one'), { usage: 'any' })],
    ['for any use that signs itself', () => client(undefined, { usage: 'any' })],
    ['for any use of a certificate that is no authority', async () => client(await client(ca), { usage: 'any' })],
    ['for any use without a name', () => client(ca, { usage: 'any', subject: { commonName: '' } })],
    ['without a name', () => client(ca, { subject: { commonName: '' } })],
  ])('%s is refused', async (_, issue) => {
    const issued = await issue();
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      expect(await ask(issued, { maxVersion })).toEqual({ status: 401 });
    }
  });

  it('that is refused does not affect another credential', async () => {
    const expired = await client(ca, { days: -1 });
    expect(await ask(expired, {}, `Bearer ${server.token}`)).toMatchObject({ status: 200, user: { name: 'admin' } });
  });

  it('of an intermediate authority needs that authority in the chain', async () => {
    const between = await authority('between', ca);
    const issued = await client(between);
    expect(await ask(issued)).toEqual({ status: 401 });
    expect(await ask(issued, { cert: issued.certificate + between.certificate })).toEqual({ status: 200, user: jane });
  });

  it('may have several attributes in one RDN', async () => {
    const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });
    const subject = '/O=ops/CN=other+O=dev/CN=multi+O=qa';
    await openssl(
      'req',
      '-new',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'm.key',
      '-subj',
      subject,
      '-out',
      'm.csr',
    );
    await openssl(
      ...['x509', '-req', '-in', 'm.csr', '-CA', 'one.crt', '-CAkey', 'one.key', '-CAcreateserial', '-out', 'm.crt'],
    );
    const issued = {
      certificate: await readFile(inFolder('m.crt'), 'utf8'),
      key: await readFile(inFolder('m.key'), 'utf8'),
    };
    const { user } = (await ask(issued)) as { user: { name: string; groups: string[] } };
    expect(user.name).toBe('multi');
    expect(user.groups.sort()).toEqual(['dev', 'ops', 'qa', 'system:authenticated']);
  });

  it('names no user if the server has no authorities', async () => {
    await using plain = await startStandIn();
    const issued = await client(ca);
    const socket = await dial({
      port: plain.port,
      ca: plain.caCertificate,
      cert: issued.certificate,
      key: issued.key,
    });
    expect(await answerOn(socket)).toEqual({ status: 401 });
  });
});

it('a refused certificate is not the anonymous user', async () => {
  await using open = await startStandIn({}, { anonymousAuth: true });
  const to = { port: open.port, ca: open.caCertificate };
  const { certificate: cert, key } = await client(ca);
  expect(await answerOn(await dial({ ...to, cert, key }))).toEqual({ status: 401 });
  const user = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
  expect(await answerOn(await dial(to))).toEqual({ status: 200, user });
});

describe('a resumed session', () => {
  /** Connects, then reconnects with the session of the server. */
  async function resumed(options: ConnectionOptions): Promise<TLSSocket> {
    const first = await dial(options);
    // TLS 1.2 has the session after the handshake, 1.3 sends it later.
    const sent = first.getProtocol() === 'TLSv1.2' ? [first.getSession()] : once(first, 'session');
    await answerOn(first);
    const [session] = (await sent) as [Buffer];
    const again = await dial({ ...options, session });
    expect(again.isSessionReused()).toBe(true);
    return again;
  }

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('without a certificate has no user: %s', async (version) => {
    const options = { minVersion: version, maxVersion: version };
    expect(await answerOn(await resumed(options))).toEqual({ status: 401 });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('keeps its first certificate: %s', async (version) => {
    const issued = await client(ca);
    const options = { minVersion: version, maxVersion: version, cert: issued.certificate, key: issued.key };
    expect(await answerOn(await resumed(options))).toEqual({ status: 200, user: jane });
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)('keeps a bad certificate: %s', async (version) => {
    const issued = await client(otherCa);
    const options = { minVersion: version, maxVersion: version, cert: issued.certificate, key: issued.key };
    expect(await answerOn(await resumed(options))).toEqual({ status: 401 });
  });
});

it('a certificate that expires during its connection is refused', async () => {
  const issued = await client(ca, { days: 1 });
  const socket = await dial({ cert: issued.certificate, key: issued.key });
  const statusNow = async () => {
    socket.write('GET /api/v1/namespaces/ns/pods/p HTTP/1.1\r\nHost: x\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return Number(chunk.toString().split(' ', 2)[1]);
  };
  expect(await statusNow()).toBe(200);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 86_400_000 });
  expect(await statusNow()).toBe(401);
  vi.useRealTimers();
  socket.destroy();
});

describe('a file of authorities', () => {
  it.each([
    ['no-such.crt', /^--client-ca-file: cannot read .*: there is none/],
    ['key.pem', /^--client-ca-file: .*key\.pem holds no PEM certificate$/],
    ['broken.crt', /broken\.crt, certificate 2 cannot be read$/],
    ['half.crt', /half\.crt, certificate 1 cannot be read$/],
  ])('%s is refused', async (name, message) => {
    const refusal = readAuthorities('--client-ca-file', inFolder(name));
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toBeInstanceOf(OptionError);
  });
});

it('an application refuses authorities that cannot be read', async () => {
  for (const clientAuthorities of ['nothing', '-----BEGIN CERTIFICATE-----\nAAAA'])
    await expect(createApp({ clientCertificates: true, clientAuthorities })).rejects.toThrow(OptionError);
});
