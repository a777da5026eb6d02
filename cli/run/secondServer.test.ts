// Tests the second server as the suite's workers use it: its files are a copy, it runs once at a time, and leaves
// nothing.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { connectSecondServer, type SecondServer } from '../../suites/run/secondServer.js';
import { serveSecondServer } from './secondServer.js';

let fixtures: string;
let server: SecondServer;
let close: () => Promise<void>;
/** The folder, tokens and state of each start. */
let starts: { readonly directory: string; readonly tokens: string; stopped: boolean }[];

beforeEach(async () => {
  fixtures = mkdtempSync(join(tmpdir(), 'second-server-'));
  mkdirSync(join(fixtures, 'clients'));
  writeFileSync(join(fixtures, 'tokens.csv'), 'old-token,jane,1\n');
  writeFileSync(join(fixtures, 'clients', 'plain.crt'), 'PEM');
  starts = [];
  const served = await serveSecondServer(fixtures, async (directory) => {
    const tokens = readFileSync(join(directory, 'tokens.csv'), 'utf8');
    const started = { directory, tokens, stopped: false };
    starts.push(started);
    const stop = async (): Promise<void> => {
      started.stopped = true;
    };
    return { target: { url: `https://127.0.0.1:${starts.length}`, ca: 'PEM' }, stop };
  });
  server = connectSecondServer(served.url);
  close = served.close;
});
afterEach(async () => {
  await close();
  rmSync(fixtures, { recursive: true });
});

it('starts with a copy of the files, which can be changed, and is stopped at the end', async () => {
  expect(await server.start()).toEqual({ url: 'https://127.0.0.1:1', ca: 'PEM' });
  await server.change('tokens.csv', 'old-token', 'a $& token');
  await server.stop();
  expect(await server.start()).toEqual({ url: 'https://127.0.0.1:2', ca: 'PEM' });
  expect(starts.map(({ tokens }) => tokens)).toEqual(['old-token,jane,1\n', 'a $& token,jane,1\n']);
  expect(readFileSync(join(fixtures, 'tokens.csv'), 'utf8')).toBe('old-token,jane,1\n');
  const directory = starts[0]?.directory ?? '';
  expect(existsSync(join(directory, 'clients', 'plain.crt'))).toBe(true);
  await close();
  expect([starts[1]?.stopped, existsSync(directory)]).toEqual([true, false]);
});

it('has the files of the target again once they are restored', async () => {
  await server.change('tokens.csv', 'old-token', 'new-token');
  await server.restore();
  await server.start();
  expect(starts[0]?.tokens).toBe('old-token,jane,1\n');
});

it('starts once at a time', async () => {
  await server.start();
  await expect(server.start()).rejects.toThrow('the second server runs already');
});

it.each([
  ['tokens.csv', 'no-such-token', 'tokens.csv does not hold what is to be replaced'],
  ['../tokens.csv', 'old-token', 'no file of users'],
])('keeps other options: %s, %s', async (file, from, message) => {
  await expect(server.change(file as 'tokens.csv', from, 'x')).rejects.toThrow(message);
});

it('is not started without a request', () => {
  expect(starts).toEqual([]);
});
