// Tests many pipelined requests on one connection: each gets its response, in order.
import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Handler } from '../request.js';
import type { RunningServer } from '../server.js';
import { dial, startStandIn } from '../testing/standIn.js';

let server: RunningServer;
/** The requests that are handled now, and the most at a time. */
let handled = 0;
let most = 0;
const slowly: Handler = async () => {
  handled += 1;
  most = Math.max(most, handled);
  await setImmediate();
  handled -= 1;
  return { status: 200, raw: 'x', mediaType: 'text/plain' };
};
beforeAll(async () => {
  server = await startStandIn({ listAll: slowly });
});
afterAll(() => server.close());

const requests = (count: number, last: string): string =>
  Array.from({ length: count }, (_, index) => {
    const more = index === count - 1 ? last : '';
    return `GET /api/v1/namespaces/n${index} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.token}\r\n${more}\r\n`;
  }).join('');

const answered = (text: string): string[] =>
  [...text.matchAll(/"path":\{"name":"(n\d+)"\}/g)].map(([, name]) => name ?? '');

describe('pipelined requests', () => {
  it.each([200, 400, 3000])('%i of them are answered in order', async (count) => {
    const socket = await dial(server);
    let text = '';
    const ended = new Promise((resolve) => socket.on('data', (chunk) => (text += chunk)).once('close', resolve));
    socket.write(requests(count, 'Connection: close\r\n'));
    await ended;
    expect(answered(text)).toEqual(Array.from({ length: count }, (_, index) => `n${index}`));
  });

  it('are handled one after the other', async () => {
    const socket = await dial(server);
    const ended = once(socket.resume(), 'close');
    socket.write(requests(100, 'Connection: close\r\n').replaceAll(/namespaces.n\d+/g, 'pods'));
    await ended;
    expect(most).toBe(1);
  });

  it('are read only as fast as the client reads responses', async () => {
    const socket = await dial(server);
    socket.pause();
    const count = 3000;
    socket.write(requests(count, 'Connection: close\r\n'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    let text = '';
    const ended = new Promise((resolve) => socket.on('data', (chunk) => (text += chunk)).once('close', resolve));
    socket.resume();
    await ended;
    expect(answered(text)).toHaveLength(count);
  });
});
