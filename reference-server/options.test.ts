import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { makeServerCertificates } from '../test-certs/index.js';
import { OptionError } from './optionValues.js';
import { ask, startStandIn } from './testing/standIn.js';

const { ca, server } = await makeServerCertificates('127.0.0.1');
const tls = { ...server, ca: ca.certificate };

it('serves with the given certificate', async () => {
  await using running = await startStandIn({}, { tls });
  expect(running.caCertificate).toBe(ca.certificate);
  expect((await ask(running, '/healthz')).text).toBe('ok');
});

it('gives clients the last certificate of a chain to trust', async () => {
  await using running = await startStandIn(
    {},
    { tls: { ...server, certificate: server.certificate + ca.certificate } },
  );
  expect(running.caCertificate).toBe(ca.certificate);
  expect((await ask(running, '/healthz')).text).toBe('ok');
});

it('makes no token if one is given', async () => {
  const tokens = [{ token: 'mine', user: { name: 'jane', groups: [] } }];
  await using running = await startStandIn({}, { tls, tokens });
  expect(running.token).toBe('mine');
  expect((await ask(running, '/healthz')).status).toBe(200);
});

it.each([
  ['no certificate', { ...tls, certificate: 'x' }, '--tls-cert-file holds no PEM certificate'],
  ['no key', { ...tls, key: 'x' }, '--tls-private-key-file holds no PEM key without a passphrase'],
  [
    'the key of another',
    { ...tls, key: ca.key },
    '--tls-private-key-file does not belong to the certificate of --tls-cert-file',
  ],
])('refuses %s', async (_, given, message) => {
  await expect(startStandIn({}, { tls: given })).rejects.toThrow(new OptionError(message));
});

it.each([
  [
    { maxObjectSize: 100 },
    '--max-object-size: "100" is too little for what the server itself writes; give at least 16384',
  ],
  [
    { requestheaderGroupHeaders: ['X-Group'] },
    '--requestheader-group-headers requires --requestheader-client-ca-file, which is missing',
  ],
])('refuses %j', async (options, message) => {
  await expect(startStandIn({}, { tls, ...options })).rejects.toThrow(new OptionError(message));
});

it('refuses a port in use, and an address of another machine', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await expect(startStandIn({}, { tls, port })).rejects.toThrow(
    `--port: ${port} is in use on 127.0.0.1; choose another, or 0 for a free one`,
  );
  taken.close();
  await expect(startStandIn({}, { tls, bindAddress: '192.0.2.1' })).rejects.toThrow(
    '--bind-address: 192.0.2.1 is not an address of this machine',
  );
});
