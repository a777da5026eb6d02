// Tests the virtual network, the addresses of pods, and the CONNECT proxy.
import { once } from 'node:events';
import { linkSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { AddressPool } from './addresses.js';
import { EgressError, type FindListener, startConnectProxy } from './connectProxy.js';
import { AddressInUse, VirtualNetwork } from './virtualNetwork.js';

describe('addresses of pods', () => {
  test('each pod gets its own address, as long as one is free', () => {
    const pool = new AddressPool('10.244.7.0/24');
    const all = Array.from({ length: 253 }, () => pool.allocate());
    expect(new Set(all).size).toBe(253);
    expect(all[0]).toBe('10.244.7.2');
    expect(all.at(-1)).toBe('10.244.7.254');
    expect(pool.allocate()).toBeUndefined();
    pool.release('10.244.7.9');
    expect(pool.allocate()).toBe('10.244.7.9');
  });

  test('a pod keeps its address, if it is free and in the range', () => {
    const pool = new AddressPool('10.244.7.0/24');
    expect(pool.allocate('10.244.7.50')).toBe('10.244.7.50');
    expect(pool.allocate('10.244.7.50')).toBe('10.244.7.2');
    for (const foreign of ['10.244.8.5', '10.244.7.1', '10.244.7.255', '127.0.0.1', '10.244.7.x']) {
      expect(pool.allocate(foreign)).not.toBe(foreign);
    }
  });

  test('a released address is not the next one', () => {
    const pool = new AddressPool('10.244.7.0/24');
    const first = pool.allocate() ?? '';
    pool.release(first);
    expect(pool.allocate()).not.toBe(first);
  });

  test.each(['', '10.244.7.0', '10.244.7.0/16', '10.999.7.0/24', '127.0.0.0/24', '192.168.1.0/24'])(
    '"%s" is not a range',
    (range) => expect(() => new AddressPool(range)).toThrow(RangeError),
  );
});

describe('the CONNECT proxy', () => {
  let folder: string;
  let path: string;
  let network: VirtualNetwork;
  let close: () => Promise<void>;
  const listening = new AbortController();
  const find: FindListener = async (host, port) => network.listenerAt(host, port);

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'egress-'));
    path = join(folder, 'socket');
    network = new VirtualNetwork();
    network.listen('10.1.2.3', 80, listening.signal, (connection) => void connection.pipe(connection));
    network.addHost('node-1', '10.1.2.3');
    close = await startConnectProxy(path, find);
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

  test.each(['10.1.2.3:80', 'node-1:80'])('connects to a listener: %s', async (target) => {
    const socket = await ask(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\nearly `);
    socket.end('late');
    expect(await text(socket)).toBe('HTTP/1.1 200 Connection established\r\n\r\nearly late');
  });

  test('connects to nothing else, and not to this machine', async () => {
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

  test('refuses a socket that is in use, and a file that is not a socket', async () => {
    await expect(startConnectProxy(path, find)).rejects.toThrow(EgressError);
    const file = join(folder, 'file');
    writeFileSync(file, 'kept');
    await expect(startConnectProxy(file, find)).rejects.toThrow('is not a socket');
    await expect(startConnectProxy(join(folder, 'none', 'x'), find)).rejects.toThrow('make it first');
  });

  test('replaces a stale socket', async () => {
    const left = join(folder, 'left');
    const server = createServer().listen(left);
    await once(server, 'listening');
    // A close would remove the file, so only the handle is closed, as in a killed process.
    const copy = join(folder, 'copy');
    linkSync(left, copy);
    server.close();
    await once(server, 'close');
    const closeCopy = await startConnectProxy(copy, find);
    await closeCopy();
  });

  test('two cannot listen on one address', () => {
    const listen = () => network.listen('10.1.2.3', 80, listening.signal, () => {});
    expect(listen).toThrow(AddressInUse);
  });
});
