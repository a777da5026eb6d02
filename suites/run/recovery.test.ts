// A target that ends a connection and refuses the next one was gone, however soon it is back.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { bareTarget } from '../testing/bareTarget.js';
import { Recovery } from './recovery.js';

/** Calls `act` with a client of a server that answers so. */
async function withServer(listener: RequestListener, act: (client: Client) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(bareTarget(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  try {
    await act(client);
  } finally {
    await client.close();
    server.close();
  }
}

const answers: RequestListener = (_, response) => void response.end('{}');

it.each([
  ['was gone', { cuts: ['PUT /a: other side closed'], wasRefused: true }, 'recovered', ['PUT /a: other side closed']],
  [
    'responds, if it only ended a connection',
    { cuts: ['PUT /a: other side closed'], wasRefused: false },
    'responds',
    [],
  ],
  ['responds, if it only refused a connection', { cuts: [], wasRefused: true }, 'responds', []],
] as const)('a target that responds again %s', async (_, seen, found, suspects) => {
  await withServer(answers, async (client) => {
    let renewed = 0;
    const recovery = new Recovery({}, client, () => {
      renewed += 1;
    });
    expect(await recovery.look({ ...seen, cuts: () => seen.cuts })).toBe(found);
    expect(recovery.outages.suspects(1)).toEqual(suspects);
    expect([renewed, recovery.wasGone]).toEqual([suspects.length, false]);
  });
});

it('names the requests of a subject that end after the first of them', async () => {
  await withServer(answers, async (client) => {
    const recovery = new Recovery({}, client, () => undefined);
    const ended = ['POST /a: other side closed'];
    const looking = recovery.look({ cuts: () => [...ended], wasRefused: true });
    ended.push('PUT /a: other side closed');
    expect(await looking).toBe('recovered');
    expect(recovery.outages.suspects(1)).toEqual(ended);
  });
});

it('a target behind a balancer responds, although the balancer has yet to end connections to a server that is gone', async () => {
  const asked = new WeakSet<object>();
  const balancer: RequestListener = ({ socket }, response) => {
    if (asked.has(socket)) socket.destroy();
    else response.end('{}');
    asked.add(socket);
  };
  await withServer(balancer, async (client) => {
    // As many as the client has connections.
    await Promise.all(Array.from({ length: 8 }, () => client.send({ method: 'GET', path: '/a' })));
    const recovery = new Recovery({}, client, () => undefined);
    expect(await recovery.look({ cuts: () => ['PUT /a: other side closed'], wasRefused: false })).toBe('responds');
    expect(recovery.outages.count).toBe(0);
  });
});

it.each([
  ['responds, although one new connection reaches a server that is about to end', 1, 'responds', 0],
  ['was gone, if all new connections of a probe ended', 4, 'recovered', 1],
] as const)('a target behind a balancer %s', async (_, ending, found, outages) => {
  let ended = 0;
  const balancer: RequestListener = ({ socket }, response) => {
    if (++ended > ending) response.end('{}');
    else socket.destroy();
  };
  await withServer(balancer, async (client) => {
    const recovery = new Recovery({}, client, () => undefined);
    expect(await recovery.look({ cuts: () => ['PUT /a: other side closed'], wasRefused: false })).toBe(found);
    expect(recovery.outages.count).toBe(outages);
  });
});
