// Values from a target that no request can carry are reported before the request is sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareTarget } from '../testing/bareTarget.js';
import { type BadServer, startBadServer } from '../testing/resilience/badServers.js';
import { Client } from './client.js';
import { mustBeSendable } from './sendable.js';

describe('a request', () => {
  it.each([
    ['/api', [['authorization', 'Bearer a\nb']], /U\+000A at place 9 of the 10 of the header "authorization"/],
    ['/api', [['authorization', 'Bearer \ud800']], /U\+D800/],
    ['/api', [['x-☃', 'a']], /cannot be sent/],
    ['/a b', [], /U\+0020 in its path/],
    ['/a\nb', [], /U\+000A in its path/],
    ['/ü☃', [], /U\+2603 in its path/],
    ['api', [], /cannot be sent/],
  ] as const)('for %j with %j cannot be sent', (path, headers, message) => {
    expect(() => mustBeSendable({ method: 'GET', path }, headers)).toThrow(message);
  });

  it('with valid characters can be sent', () => {
    const headers = [
      ['authorization', 'Bearer é\t'],
      ['x-empty', ''],
    ] as const;
    expect(() => mustBeSendable({ method: 'GET', path: '/a?b=%0A' }, headers)).not.toThrow();
  });
});

describe('a client', () => {
  let server: BadServer;
  beforeAll(async () => {
    server = await startBadServer((socket) => socket.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n'));
  });
  afterAll(() => server.close());

  it('still sends after many credentials that cannot be sent', async () => {
    const client = new Client(bareTarget(server.url));
    const bad = () => client.send({ method: 'GET', path: '/api', as: { token: 'a\nb' } });
    for (let count = 0; count < 20; count += 1) await expect(bad()).rejects.toThrow(/the target gave one/);
    expect((await client.send({ method: 'GET', path: '/api' })).status).toBe(404);
    expect(server.heads.length).toBe(1);
    await client.close();
  });

  it('gives up a request that waits for a free connection, and continues', async () => {
    let isSilent = true;
    const stuck = await startBadServer((socket) => {
      if (!isSilent) socket.end('HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n');
    });
    const client = new Client(bareTarget(stuck.url), undefined, { timeout: 500 });
    const asked = Array.from({ length: 30 }, () => client.send({ method: 'GET', path: '/api' }));
    const outcomes = await Promise.allSettled(asked);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']));
    isSilent = false;
    const again = client.send({ method: 'GET', path: '/api', deadline: 30_000 });
    expect((await again).status).toBe(404);
    await client.close();
    await stuck.close();
  });
});
