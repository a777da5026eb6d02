// Tests that a chosen port is not chosen again, by any process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, holdPort } from './freePort.js';

const module = new URL('../../dist/matrix/api/freePort.js', import.meta.url);

it('is held for the process that has chosen it, which listens there when it likes', async () => {
  const program = `import { freePort } from '${module}'; process.stdin.resume(); console.log(await freePort());`;
  const other = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const port = Number(String((await once(other.stdout, 'data'))[0]));
  expect(await holdPort(port)).toBe(false);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  other.stdin.end();
  await once(other, 'exit');
  expect(await holdPort(port)).toBe(true);
  expect(await holdPort(port)).toBe(false);
});

it('rejects an address that this machine does not have', async () => {
  await expect(freePort('192.0.2.1')).rejects.toThrow('EADDRNOTAVAIL');
  expect(await freePort('::1')).toBeGreaterThan(9_999);
});
