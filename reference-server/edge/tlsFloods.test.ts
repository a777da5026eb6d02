// Floods of TLS itself: renegotiations of TLS 1.2 and key updates of TLS 1.3 keep no other client waiting.
import { spawn } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { onPath } from '../testing/programs.js';
import { ask, startStandIn } from '../testing/standIn.js';

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
