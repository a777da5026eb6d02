// Tests connections to backends: certificates in both directions, time limits, and ends.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueCertificate } from '../../test-certs/index.js';
import { startServer } from '../index.js';
import { startServerBefore, upgrading } from '../testing/backendCluster.js';
import { ask, exchange } from '../testing/standIn.js';
import { TestBackend } from '../testing/testBackend.js';
import { exchange as exchangeWith } from './backend.js';
import { Dialer } from './dialer.js';

const core = '/api/v1/namespaces/default';
let backend: TestBackend;

beforeAll(async () => {
  backend = await TestBackend.start();
});
afterEach(async () => {
  await expect.poll(() => backend.open.size).toBe(0);
  backend.arrived.splice(0);
});
afterAll(() => backend.close());

it.each([
  ['a request', undefined],
  ['a body', Readable.from(['all of it'])],
])('a node that accepts %s and does not respond is 504', async (_, body) => {
  const call = { method: 'POST', path: '/', headers: [], body };
  const { signal } = new AbortController();
  const asked = exchangeWith(new Dialer(backend.socketPath), { host: '10.244.0.5', port: 82 }, call, signal, 50);
  await expect(asked).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
});

describe('a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('verifies nodes if it has their authority', async () => {
    const { certificate } = await issueCertificate({ subject: { commonName: 'other' }, usage: 'authority' });
    for (const [ca, code] of [
      [backend.ca, 200],
      [certificate, 503],
    ] as const) {
      await using own = await startServerBefore(backend, { kubeletCertificateAuthority: file('ca.crt', ca) });
      expect((await ask(own, `${core}/pods/p/log`)).status).toBe(code);
    }
  });

  it('shows nodes its certificate', async () => {
    const authority = await issueCertificate({ subject: { commonName: 'a' }, usage: 'authority' });
    const client = await issueCertificate({
      subject: { commonName: 'api-server' },
      usage: 'client',
      issuer: authority,
    });
    const asking = await TestBackend.start({ requestCert: true, rejectUnauthorized: true, ca: authority.certificate });
    const pair = {
      kubeletClientCertificate: file('client.crt', client.certificate),
      kubeletClientKey: file('client.key', client.key),
    };
    await using own = await startServerBefore(asking, pair);
    expect((await ask(own, `${core}/pods/p/log`)).status).toBe(200);
    expect(asking.take().client).toBe('api-server');
    await expect(startServer({ kubeletClientKey: pair.kubeletClientKey })).rejects.toThrow(
      '--kubelet-client-certificate is missing',
    );
    await asking.close();
  });

  it('stops within a second, with open connections', async () => {
    const own = await startServerBefore(backend);
    backend.behave = (response) => response.writeHead(200).write('first\n');
    const head = upgrading(own, 'GET', `${core}/pods/p/exec`);
    const streams = [
      exchange(own, head),
      exchange(
        own,
        `GET ${core}/pods/p/log?follow=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`,
      ),
    ];
    await expect.poll(() => backend.arrived.length).toBe(2);
    await own.close();
    await Promise.all(streams);
    await expect.poll(() => backend.open.size).toBe(0);
  });
});
