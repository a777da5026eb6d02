// How the other end is reached: certificates both ways, patience, and an end.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { issueCertificate } from '../../test-certs/index.js';
import { startServer } from '../index.js';
import { startBefore, upgrading } from '../testing/farCluster.js';
import { FarEnd } from '../testing/farEnd.js';
import { ask, exchange } from '../testing/standIn.js';
import { exchange as exchangeWith } from './backend.js';
import { Dialer } from './dialer.js';

const core = '/api/v1/namespaces/default';
let far: FarEnd;

beforeAll(async () => {
  far = await FarEnd.start();
});
afterEach(async () => {
  await expect.poll(() => far.open.size, { timeout: 5000 }).toBe(0);
  far.arrived.splice(0);
});
afterAll(() => far.close());

it.each([
  ['a request', undefined],
  ['a body', Readable.from(['all of it'])],
])('what takes %s and says nothing is 504', async (_, body) => {
  const call = { method: 'POST', path: '/', headers: [], body };
  const { signal } = new AbortController();
  const asked = exchangeWith(new Dialer(far.socketPath), { host: '10.244.0.5', port: 82 }, call, signal, 50);
  await expect(asked).rejects.toMatchObject({ code: 504, reason: 'Timeout' });
});

describe('a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'));
  const file = (name: string, content: string) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  it('verifies nodes where it is told what signs them', async () => {
    const { certificate } = await issueCertificate({ subject: { commonName: 'other' }, usage: 'authority' });
    for (const [ca, code] of [
      [far.ca, 200],
      [certificate, 503],
    ] as const) {
      await using own = await startBefore(far, { kubeletCertificateAuthority: file('ca.crt', ca) });
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
    const asking = await FarEnd.start({ requestCert: true, rejectUnauthorized: true, ca: authority.certificate });
    const pair = {
      kubeletClientCertificate: file('client.crt', client.certificate),
      kubeletClientKey: file('client.key', client.key),
    };
    await using own = await startBefore(asking, pair);
    expect((await ask(own, `${core}/pods/p/log`)).status).toBe(200);
    expect(asking.take().client).toBe('api-server');
    await expect(startServer({ kubeletClientKey: pair.kubeletClientKey })).rejects.toThrow(
      '--kubelet-client-certificate is missing',
    );
    await asking.close();
  });

  it('stops within a second, whatever is open', async () => {
    const own = await startBefore(far);
    far.behave = (response) => response.writeHead(200).write('first\n');
    const head = upgrading(own, 'GET', `${core}/pods/p/exec`);
    const streams = [
      exchange(own, head),
      exchange(
        own,
        `GET ${core}/pods/p/log?follow=1 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${own.token}\r\n\r\n`,
      ),
    ];
    await expect.poll(() => far.arrived.length).toBe(2);
    await own.close();
    await Promise.all(streams);
    await expect.poll(() => far.open.size).toBe(0);
  });
});
