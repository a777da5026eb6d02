// The virtual network, the addresses of its pods, and the proxy that leads to it.
import { once } from 'node:events';
import { linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EgressError, startConnectProxy } from '../egress/connectProxy.js';
import { AddressInUse } from '../programs/program.js';
import { AddressPool } from './addresses.js';
import { VirtualNetwork } from './virtualNetwork.js';

describe('addresses of pods', () => {
  test('each pod gets its own, as long as there are any', () => {
    const pool = new AddressPool('10.244.7.0/24');
    const all = Array.from({ length: 253 }, () => pool.take());
    expect(new Set(all).size).toBe(253);
    expect(all[0]).toBe('10.244.7.2');
    expect(all.at(-1)).toBe('10.244.7.254');
    expect(pool.take()).toBeUndefined();
    pool.give('10.244.7.9');
    expect(pool.take()).toBe('10.244.7.9');
  });

  test('a pod keeps the address that it had, if it is free and of the range', () => {
    const pool = new AddressPool('10.244.7.0/24');
    expect(pool.take('10.244.7.50')).toBe('10.244.7.50');
    expect(pool.take('10.244.7.50')).toBe('10.244.7.2');
    for (const foreign of ['10.244.8.5', '10.244.7.1', '10.244.7.255', '127.0.0.1', '10.244.7.x']) {
      expect(pool.take(foreign)).not.toBe(foreign);
    }
  });

  test('one that was given back rests', () => {
    const pool = new AddressPool('10.244.7.0/24');
    const first = pool.take() ?? '';
    pool.give(first);
    expect(pool.take()).not.toBe(first);
  });

  test.each(['', '10.244.7.0', '10.244.7.0/16', '10.999.7.0/24', '127.0.0.0/24', '192.168.1.0/24'])(
    '"%s" is no range',
    (range) => expect(() => new AddressPool(range)).toThrow(RangeError),
  );
});

describe('the CONNECT proxy', () => {
  let folder: string;
  let path: string;
  let network: VirtualNetwork;
  let close: () => Promise<void>;
  const listening = new AbortController();

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'egress-'));
    path = join(folder, 'socket');
    network = new VirtualNetwork();
    network.listen('10.1.2.3', 80, listening.signal, (connection) => void connection.pipe(connection));
    network.name('node-1', '10.1.2.3');
    close = await startConnectProxy(path, network);
  });
  afterEach(async () => {
    await close();
    rmSync(folder, { recursive: true });
  });

  async function ask(head: string): Promise<Socket> {
    const socket = connect(path);
    await once(socket, 'connect');
    socket.write(head);
    return socket;
  }

  test.each(['10.1.2.3:80', 'node-1:80'])('leads to who listens: %s', async (target) => {
    const socket = await ask(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\nearly `);
    socket.end('late');
    expect(await text(socket)).toBe('HTTP/1.1 200 Connection established\r\n\r\nearly late');
  });

  test('leads nowhere else, and least of all to this machine', async () => {
    const real = createServer((socket) => socket.end('reached')).listen(0, '127.0.0.1');
    await once(real, 'listening');
    const { port } = real.address() as { port: number };
    const targets = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, '169.254.169.254:80'];
    for (const target of [...targets, '10.1.2.3:81', '10.1.2.4:80', '10.1.2.3', ':', '10.1.2.3:080808']) {
      const answer = await text(await ask(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`));
      expect(answer).toMatch(/^HTTP\/1\.1 (502 Bad Gateway|400 Bad Request)\r\n/);
      expect(answer).not.toContain('reached');
    }
    real.close();
  });

  test('serves nothing but CONNECT', async () => {
    const answer = await text(await ask('GET http://10.1.2.3/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  });

  test('is for the owner of the socket', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('does not take a socket that is in use, or a file that is none', async () => {
    await expect(startConnectProxy(path, network)).rejects.toThrow(EgressError);
    const file = join(folder, 'file');
    writeFileSync(file, 'kept');
    await expect(startConnectProxy(file, network)).rejects.toThrow('is no socket');
    await expect(startConnectProxy(join(folder, 'none', 'x'), network)).rejects.toThrow('cannot listen');
  });

  test('takes over a socket that was left behind', async () => {
    const left = join(folder, 'left');
    const server = createServer().listen(left);
    await once(server, 'listening');
    // closing would remove the file: the handle alone goes, as with a process that is killed
    const copy = join(folder, 'copy');
    linkSync(left, copy);
    server.close();
    await once(server, 'close');
    const closeCopy = await startConnectProxy(copy, network);
    await closeCopy();
  });

  test('two cannot listen on one address', () => {
    const listen = () => network.listen('10.1.2.3', 80, listening.signal, () => {});
    expect(listen).toThrow(AddressInUse);
  });
});
