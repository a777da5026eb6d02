// Floods of TLS itself, and connections that stall: renegotiations of TLS 1.2, key updates of TLS 1.3, handshakes, heads
// and bodies that do not go on keep no other client waiting.
import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { connect as connectSafely } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { onPath } from '../testing/programs.js';
import { ask, dial, startStandIn } from '../testing/standIn.js';

const openssl = onPath('openssl');
const server = await startStandIn();
afterAll(() => server.close());

/** Each line of `R` or `K` asks openssl for one renegotiation or key update. */
test.skipIf(openssl === undefined).each([
  ['renegotiations of TLS 1.2', '-tls1_2', 'R\n'],
  ['key updates of TLS 1.3', '-tls1_3', 'K\n'],
])(`%s (${openssl ?? 'not run: no openssl'})`, async (_, version, line) => {
  const floods = Array.from({ length: 4 }, () => {
    const client = spawn(openssl as string, ['s_client', '-connect', `127.0.0.1:${server.port}`, version]);
    let output = '';
    for (const stream of [client.stdout, client.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    client.stdin.on('error', () => {});
    const timer = setInterval(() => client.stdin.write(line.repeat(10)), 1);
    const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
    const end = async () => {
      clearInterval(timer);
      client.kill('SIGKILL');
      await ended;
    };
    return { output: () => output, end };
  });
  const asked = line === 'R\n' ? 'RENEGOTIATING' : 'KEYUPDATE';
  for (const { output } of floods) await expect.poll(output).toContain(asked);
  for (let count = 0; count < 20; count += 1) expect((await ask(server, '/version')).status).toBe(200);
  for (const { end } of floods) await end();
  expect((await ask(server, '/version')).status).toBe(200);
});

/** `STALLS=1000` sets another number of connections that stall, of each kind. */
const stalls = Number(process.env.STALLS ?? 100);
const head = 'POST /api/v1/namespaces/a/configmaps HTTP/1.1\r\nHost: x\r\n';
/** The beginning of a ClientHello: a record that says that more follows. */
const hello = Buffer.from('160301020001000', 'hex');

const raw = (): Socket => connect(server.port, '127.0.0.1').on('error', () => {});
const authorized = `Authorization: Bearer ${server.token}\r\n`;

test.each<[string, () => Promise<Socket>]>([
  ['a connection that says nothing', async () => raw()],
  [
    'half a ClientHello',
    async () =>
      raw()
        .setNoDelay()
        .once('connect', function (this: Socket) {
          this.write(hello);
        }),
  ],
  ['half a head', () => dial(server)],
  ['half a body', () => dial(server)],
])(`${stalls} times %s`, async (what, open) => {
  const sockets = await Promise.all(Array.from({ length: stalls }, open));
  for (const socket of sockets) {
    socket.on('error', () => {});
    if (what === 'half a head') socket.write(head);
    if (what === 'half a body') socket.write(`${head}${authorized}Content-Length: 1000\r\n\r\n{"a":`);
  }
  for (let count = 0; count < 10; count += 1) expect((await ask(server, '/version')).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  expect((await ask(server, '/version')).status).toBe(200);
});

test('HTTP/2, with its resets, is not served', async () => {
  const socket = connectSafely({
    ...{ port: server.port, host: '127.0.0.1', ca: server.caCertificate },
    ALPNProtocols: ['h2', 'http/1.1'],
  });
  await new Promise((resolve) => socket.once('secureConnect', resolve));
  expect(socket.alpnProtocol).toBe('http/1.1');
  socket.destroy();
});
