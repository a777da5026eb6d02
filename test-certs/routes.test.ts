// Tests the document's two routes to a server certificate with openssl and real handshakes.
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  generateKey,
  issueCertificate,
  makeAuthority,
  makeScriptCertificates,
  makeSigningRequest,
  signServerRequest,
  writeNewFiles,
} from './index.js';
import { certify } from './issue.js';
import { readSigningRequest } from './signingRequest.js';

let folder: string;
let openssl: (...args: string[]) => Promise<{ stdout: string }>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'routes-'));
  openssl = (...args) => promisify(execFile)('openssl', args, { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true }));

/** Connects to a server with the certificate under the name that the client expects. */
async function handshake(server: { certificate: string; key: string }, ca: string, servername: string, host: string) {
  const listener = createServer({ cert: server.certificate, key: server.key }, (socket) => socket.end()).listen(
    0,
    host,
  );
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  try {
    await new Promise<void>((resolve, reject) => {
      const names = servername === host ? {} : { servername };
      const socket = connect({ port, host, ca, ...names }, () => {
        socket.destroy();
        resolve();
      });
      socket.once('error', reject);
    });
  } finally {
    listener.close();
  }
}

describe('the script', () => {
  it('makes a certificate that verifies for exactly the given addresses and names', async () => {
    const names = ['IP:10.0.0.1', 'DNS:kubernetes.default.svc', 'DNS:*.example.org'];
    const { ca, server } = await makeScriptCertificates('127.0.0.1', { names, days: 30, keyKind: 'rsa-2048' });
    await writeFile(join(folder, 'ca.crt'), ca.certificate);
    await writeFile(join(folder, 'server.crt'), server.certificate);
    const verify = (...by: string[]) =>
      openssl('verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', 'ca.crt', ...by, 'server.crt');
    for (const address of ['127.0.0.1', '10.0.0.1']) await verify('-verify_ip', address);
    for (const name of ['kubernetes.default.svc', 'a.example.org']) await verify('-verify_hostname', name);
    await expect(verify('-verify_hostname', 'localhost')).rejects.toThrow();
    await expect(verify('-verify_ip', '127.0.0.2')).rejects.toThrow();
    await handshake(server, ca.certificate, '127.0.0.1', '127.0.0.1');
    await handshake(server, ca.certificate, 'kubernetes.default.svc', '127.0.0.1');
    await expect(handshake(server, ca.certificate, 'localhost', '127.0.0.1')).rejects.toThrow(/altnames/);
    expect(new X509Certificate(server.certificate).publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
  });
});

describe('the manual route', () => {
  it('makes each file from the previous ones, and its certificate verifies for the address', async () => {
    const caKey = await generateKey('rsa-2048');
    const ca = await makeAuthority(caKey, 7);
    const serverKey = await generateKey('rsa-2048');
    const request = makeSigningRequest(serverKey, '127.0.0.1');
    const certificate = signServerRequest(request, { certificate: ca, key: caKey }, 3);
    await writeFile(join(folder, 'ca.crt'), ca);
    await writeFile(join(folder, 'server.csr'), request);
    await writeFile(join(folder, 'server.crt'), certificate);
    const asked = await openssl('req', '-in', 'server.csr', '-verify', '-noout', '-subject', '-nameopt', 'RFC2253');
    expect(asked.stdout).toBe('subject=CN=127.0.0.1\n');
    await openssl('verify', '-x509_strict', '-CAfile', 'ca.crt', '-verify_ip', '127.0.0.1', 'server.crt');
    const { subject, publicKey, validTo } = new X509Certificate(certificate);
    expect([subject, publicKey.asymmetricKeyDetails?.modulusLength]).toEqual(['CN=127.0.0.1', 2048]);
    expect(new X509Certificate(ca).publicKey.asymmetricKeyDetails?.modulusLength).toBe(2048);
    expect(Math.round((Date.parse(validTo) - Date.now()) / 86_400_000)).toBe(3);
    await handshake({ certificate, key: serverKey }, ca, '127.0.0.1', '127.0.0.1');
  });

  it('signs the request of another program that has only a common name', async () => {
    await openssl(
      'req',
      '-new',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      'o.key',
      '-subj',
      '/CN=::1',
      '-out',
      'o.csr',
    );
    const authority = await issueCertificate({ subject: { commonName: 'ca' }, usage: 'authority' });
    const certificate = signServerRequest(await readFile(join(folder, 'o.csr'), 'utf8'), authority, 1);
    expect(new X509Certificate(certificate).checkIP('::1')).toBeDefined();
  });

  it('refuses mismatched files', async () => {
    const [authority, other] = await Promise.all([
      issueCertificate({ subject: { commonName: 'ca' }, usage: 'authority' }),
      issueCertificate({ subject: { commonName: 'ca' }, usage: 'authority' }),
    ]);
    const request = makeSigningRequest(await generateKey('rsa-2048'), '10.0.0.1');
    const der = Buffer.from(request.replace(/-----.+-----|\n/g, ''), 'base64');
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(() => signServerRequest(changed, authority, 1)).toThrow(/signature/);
    expect(() => signServerRequest('nothing', authority, 1)).toThrow('no signing request');
    expect(() => signServerRequest(request, { ...authority, key: other.key }, 1)).toThrow('does not belong');
    expect(() => signServerRequest(request, { ...authority, key: 'x' }, 1)).toThrow('not a private key');
    expect(() => signServerRequest(request, { ...authority, certificate: 'x' }, 1)).toThrow('not a certificate');
    expect(() => makeSigningRequest(authority.key, '10.0.0.1')).toThrow('not an RSA private key');
    expect(() => makeSigningRequest(authority.key, 'a b')).toThrow('subject alternative name');
    await expect(makeAuthority('x', 1)).rejects.toThrow('not a private key');
  });

  it('keeps the names of a request', async () => {
    const key = await generateKey('rsa-2048');
    for (const [address, name] of [
      ['fd00::1', /^IP:(fd00::1|fd00(:0)*:1)$/],
      ['10.0.0.1', /^IP:10\.0\.0\.1$/],
      ['api.example.org', /^DNS:api\.example\.org$/],
    ] as const) {
      const { names, commonName, publicKey } = readSigningRequest(makeSigningRequest(key, address));
      expect([commonName, names]).toEqual([address, [expect.stringMatching(name)]]);
      const issuer = await issueCertificate({ subject: { commonName: 'ca' }, usage: 'authority' });
      const certificate = certify(publicKey, { subject: { commonName }, issuer, names, usage: 'server' });
      expect(new X509Certificate(certificate).subjectAltName).toBeDefined();
    }
  });
});

describe('files', () => {
  it('are readable by their owner only if they are secret, and are replaced only on request', async () => {
    const out = join(folder, 'out');
    await writeNewFiles(out, [
      { path: 'keys/a.key', text: 'one', secret: true },
      { path: 'a.crt', text: 'one' },
    ]);
    expect((await stat(join(out, 'keys/a.key'))).mode & 0o777).toBe(0o600);
    const again = [
      { path: 'b.crt', text: 'two' },
      { path: 'a.crt', text: 'two', secret: true },
    ];
    await expect(writeNewFiles(out, again)).rejects.toThrow('holds a.crt already: give --force');
    expect(await readdir(out)).toEqual(['a.crt', 'keys']);
    expect(await readFile(join(out, 'a.crt'), 'utf8')).toBe('one');
    await writeNewFiles(out, again, true);
    expect(await readFile(join(out, 'a.crt'), 'utf8')).toBe('two');
    expect((await stat(join(out, 'a.crt'))).mode & 0o777).toBe(0o600);
    await expect(writeNewFiles('/dev/null', [{ path: 'a', text: '' }])).rejects.toThrow(/^--out: /);
  });
});
