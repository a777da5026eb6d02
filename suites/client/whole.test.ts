// A response that is long may take longer: a slow link carries its bytes, in either direction.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { bareTarget } from '../testing/bareTarget.js';
import { Client } from './client.js';

const megabyte = 'x'.repeat(1024 * 1024);

it.each([
  ['a long response', '', megabyte, 200],
  ['a response of kilobytes', '', 'x'.repeat(16 * 1024), 200],
  ['a short response', '', '{', 'NoAnswer'],
  ['a response to a long request', megabyte, '{', 200],
])('%s that is complete after the deadline', async (_, sent, begun, outcome) => {
  const server = createServer((request, response) => {
    request.resume();
    response.write(begun);
    const drip = setInterval(() => response.write(' '), 250);
    response.once('close', () => clearInterval(drip));
    // What is given up has no end: this timer runs while the process stands still, and the deadline does not.
    if (outcome !== 200) return;
    setTimeout(() => {
      clearInterval(drip);
      response.end();
    }, 2_500);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  const call = { method: 'PUT', path: '/', body: sent, deadline: 1_500 };
  const seen = await client.send(call).then(
    ({ status }) => status,
    ({ name }: Error) => name,
  );
  expect(seen).toBe(outcome);
  await client.close();
  server.close();
});
