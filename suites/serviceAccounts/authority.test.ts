// The authority of an account verifies the certificate that pods see, whatever clients outside see.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createSecureContext, createServer } from 'node:tls';
import { expect, it } from 'vitest';
import { makeServerCertificates } from '../../test-certs/index.js';
import { whyUnverified } from './authority.js';

it('is the one of the certificate for the name in pods', async () => {
  const [outside, inside] = await Promise.all([1, 2].map(() => makeServerCertificates('127.0.0.1')));
  const contextOf = ({ server }: NonNullable<typeof outside>) => ({ cert: server.certificate, key: server.key });
  if (outside === undefined || inside === undefined) throw new Error('no certificates');
  const context = createSecureContext(contextOf(inside));
  const server = createServer({ ...contextOf(outside), SNICallback: (_, use) => use(null, context) }, (socket) =>
    socket.on('error', () => undefined),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const target = { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const other = await makeServerCertificates('127.0.0.1');
  const timeout = 60_000;
  expect(await whyUnverified(target, outside.ca.certificate, timeout)).toBeUndefined();
  expect(await whyUnverified(target, inside.ca.certificate, timeout)).toBeUndefined();
  expect(await whyUnverified(target, other.ca.certificate, timeout)).toMatch(/certificate/);
  expect(await whyUnverified(target, undefined, timeout)).toBe('there is no ca.crt');
  server.close();
});
