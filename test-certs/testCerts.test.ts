import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { promisify } from 'node:util';
import { describe, expect, inject, it } from 'vitest';
import { time, toDer } from './asn1.js';
import { issueCertificate, makeServerCertificates } from './index.js';
import { encodeName } from './issue.js';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('a moment', () => {
  it.each([
    ['before 2050', time(new Date('2049-12-31T23:59:59Z')), `170d${hex(Buffer.from('491231235959Z'))}`],
    ['after it', time(new Date('2050-01-01T00:00:00Z')), `180f${hex(Buffer.from('20500101000000Z'))}`],
  ])('%s', (_, moment, expected) => expect(hex(toDer(moment))).toBe(expected));
});

it('new keys are exported as JWK while garbage is collected', async () => {
  const code = `
    import { createPublicKey } from 'node:crypto';
    import { newKey } from ${JSON.stringify(new URL('../dist/test-certs/index.js', import.meta.url))};
    for (let round = 0; round < 500; round += 1) {
      const keys = await Promise.all([newKey(), newKey()]);
      for (const key of keys)
        for (let time = 0; time < 12; time += 1) createPublicKey(key).export({ format: 'jwk' });
    }
    console.log('done');`;
  // A small heap, so that garbage is collected all the time. What waits for itself does not end.
  const options = ['--max-semi-space-size=1', '--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: inject('deadline') / 2 });
  expect(stdout).toBe('done\n');
});

describe('names', () => {
  it.each([
    ['DNS:localhost', '8209'.concat(hex(Buffer.from('localhost')))],
    ['IP:127.0.0.1', '87047f000001'],
    ['::1', '871000000000000000000000000000000001'],
    ['IP:fd00::1:2', '8710fd000000000000000000000000010002'],
    ['IP:::ffff:1.2.3.4', '871000000000000000000000ffff01020304'],
  ])('%s', (name, expected) => expect(hex(toDer(encodeName(name)))).toBe(expected));

  it.each(['', 'IP:localhost', 'DNS:a b', 'URI:x'])('refuses "%s"', (name) => {
    expect(() => encodeName(name)).toThrow(/subject alternative name/);
  });
});

describe.each(['ec', 'rsa-2048'] as const)('certificates with %s keys', (keyKind) => {
  it('are verified by openssl', async () => {
    const { ca, server } = await makeServerCertificates('10.0.0.1', { names: ['IP:10.0.0.1'], days: 30, keyKind });
    const client = await issueCertificate({
      subject: { commonName: 'jane doe', organizations: ['développeurs', 'x,y'] },
      issuer: ca,
      usage: 'client',
      keyKind,
    });
    const folder = await mkdtemp(join(tmpdir(), 'certs-'));
    try {
      for (const [name, { certificate }] of Object.entries({ ca, server, client })) {
        await writeFile(join(folder, `${name}.crt`), certificate);
      }
      const openssl = (...args: string[]) => promisify(execFile)('openssl', args, { cwd: folder });
      const strict = ['verify', '-x509_strict', '-CAfile', 'ca.crt'];
      await openssl(...strict, '-purpose', 'sslserver', '-verify_ip', '10.0.0.1', 'server.crt');
      await openssl(...strict, '-purpose', 'sslserver', '-verify_hostname', 'localhost', 'server.crt');
      await openssl(...strict, '-purpose', 'sslclient', 'client.crt');
      await expect(openssl(...strict, '-verify_hostname', 'elsewhere', 'server.crt')).rejects.toThrow();
      await expect(openssl(...strict, '-purpose', 'sslserver', 'client.crt')).rejects.toThrow();
      const { stdout } = await openssl(
        'x509',
        '-in',
        'client.crt',
        '-noout',
        '-subject',
        '-nameopt',
        'utf8,sep_comma_plus',
      );
      expect(stdout).toContain('O=développeurs,O=x,y,CN=jane doe');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('carry a TLS handshake with a client certificate', async () => {
    const { ca, server } = await makeServerCertificates('127.0.0.1', { keyKind });
    const client = await issueCertificate({
      subject: { commonName: 'jane', organizations: ['dev'] },
      issuer: ca,
      usage: 'client',
    });
    let accept: (socket: TLSSocket) => void = () => {};
    const peer = new Promise<TLSSocket>((resolve) => {
      accept = resolve;
    });
    const listener = createServer(
      { cert: server.certificate, key: server.key, ca: ca.certificate, requestCert: true, rejectUnauthorized: true },
      accept,
    ).listen(0, '127.0.0.1');
    await new Promise((resolve) => listener.once('listening', resolve));
    const socket = connect({
      port: (listener.address() as AddressInfo).port,
      host: '127.0.0.1',
      ca: ca.certificate,
      cert: client.certificate,
      key: client.key,
    });
    const accepted = await peer;
    expect(accepted.getPeerCertificate().subject).toMatchObject({ CN: 'jane', O: 'dev' });
    socket.destroy();
    accepted.destroy();
    listener.close();
  });
});

describe('validity', () => {
  it('is counted in days', async () => {
    const { certificate } = await issueCertificate({ subject: { commonName: 'x' }, usage: 'server', days: 7 });
    const { validTo } = new X509Certificate(certificate);
    expect(Math.round((Date.parse(validTo) - Date.now()) / 86_400_000)).toBe(7);
  });

  it('can be in the past', async () => {
    const { certificate } = await issueCertificate({ subject: { commonName: 'x' }, usage: 'client', days: -1 });
    const { validFrom, validTo } = new X509Certificate(certificate);
    expect(Date.parse(validTo)).toBeLessThan(Date.now());
    expect(Date.parse(validFrom)).toBeLessThan(Date.parse(validTo));
  });
});
