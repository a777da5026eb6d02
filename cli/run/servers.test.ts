// What a start command says about its server, right or wrong.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bareTarget } from '../../suites/testing/bareTarget.js';
import { UsageError } from '../errors.js';
import { lacksIn, managedServer } from './servers.js';

it('the lines of a start command name capabilities, each with the reason', () => {
  const output = 'url: https://a\nlacks: feature:token-controller no controller runs\nlacks:\nit lacks: nothing\n';
  expect(lacksIn(output)).toEqual([
    { capability: 'feature:token-controller', reason: 'no controller runs', at: 'its start command' },
  ]);
});

describe.skipIf(process.platform === 'win32')('a start command', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'start-'));
    writeFileSync(join(folder, 'ca.crt'), 'an authority');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const started = (start: string) => {
    const stop = `touch '${folder}/stopped'`;
    rmSync(join(folder, 'stopped'), { force: true });
    return managedServer(bareTarget('https://unknown'), { start, stop, fixtures: false }).start({});
  };
  const wasStopped = (): boolean => existsSync(join(folder, 'stopped'));

  it.each([
    ['a URL that is none', 'echo "url: ../../etc"', /says url: \.\.\/\.\.\/etc, which is no http or https URL$/],
    ['a URL of a file', 'echo "url: file:///etc/passwd"', /no http or https URL$/],
    [
      'an authority that is not there',
      'echo "url: https://a"; echo "ca: none"',
      /the ca of the .*: cannot read none: /,
    ],
    ['an authority in a folder', 'echo "url: https://a"; echo "ca: /"', /cannot read \/: it is a folder/],
    ['nothing', 'true', /failed \(exit 0\)/],
    ['an error', 'echo no >&2; exit 3', /failed \(exit 3\):\nno\n$/],
  ])('that says %s is an error of the user, and what it started is stopped', async (_, command, why) => {
    const error = await started(command).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(why);
    expect(wasStopped()).toBe(true);
  });

  it('may write very much', async () => {
    const much = 'yes "a line of a log" | head -c 50000000';
    const server = await started(
      `echo "url: https://a"; ${much}; echo "ca: ${folder}/ca.crt"; ${much} >&2; echo "token: t"`,
    );
    expect(server.target).toMatchObject({ url: 'https://a', credentials: { staticToken: { token: 't' } } });
    await server.stop();
    expect(wasStopped()).toBe(true);
  });
});
