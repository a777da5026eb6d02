// Tests exit codes: 1 is for verdicts; 2, with one line, for errors that the user can correct; 70, with one line, for
// bugs.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportUnexpected, UsageError } from './errors.js';
import { runCommandHere } from './testing/runHere.js';
import { main } from './testing/serving.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'exit-codes-'));
  const row = (requirement: string): string => `deviations:\n  - requirement: ${requirement}\n    reason: it is old\n`;
  writeFileSync(join(folder, 'file'), '');
  writeFileSync(join(folder, 'two'), 'a\nb\n');
  writeFileSync(join(folder, 'evidence.jsonl'), '\n');
  writeFileSync(join(folder, 'target.yaml'), `name: t\nurl: https://127.0.0.1:1\n${row('create.anwser')}`);
  writeFileSync(
    join(folder, 'old.mjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.3' } });`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const url = ['--url', 'https://127.0.0.1:1'];

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function cli(
  options: readonly string[],
  node: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  const env = { ...process.env, ...environment };
  return await promisify(execFile)(process.execPath, [...node, main, ...options], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (ended: Ended) => ended,
  );
}

describe('a user error ends with 2 and one line', () => {
  const files = ['--kubeconfig', '--target', '--ca', '--token-file'].flatMap((option) => [
    [option, 'none', 'there is none'] as const,
    [option, '.', 'it is a folder'] as const,
  ]);
  // All errors of users come out in the same way, which some of the rows below show.
  it.each(files)('%s %s', async (option, file, why) => {
    const more = option === '--kubeconfig' || option === '--target' ? [] : url;
    await expect(runCommandHere(...more, option, join(folder, file))).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(`^${option}: cannot read \\S+: ${why} \\(E\\w+\\)$`),
    });
  });

  it.each([
    ['an output in a file', ['run', '--url', 'https://127.0.0.1:1', '--output', 'file/report'], /^--output: .*file/],
    ['a report in a file', ['report', '.', '--output', 'file/report'], /^--output: cannot write into file.* no folder/],
    ['a chapter that is none', ['run', '--chapter', 'craete'], /there is no chapter craete; did you mean create\?/],
    ['an option that is none', ['run', '--grpe', 'x'], /--grpe.*--help/],
    ['an option that nothing is like', ['run', '--verbos'], /^unknown option '--verbos'; --help shows the options$/],
    ['an option of the program', ['--versio'], /Did you mean --version\?/],
    ['an unknown command', ['help', 'rnu'], /rnu.*run\?/],
    ['the help of an unknown command', ['rnu', '--help'], /^there is no command rnu; did you mean run\?/],
    [
      'a rendering in place of its command',
      ['compare', 'a', 'b'],
      /^there is no command compare: write report --as comparison$/,
    ],
    ['another rendering', ['record', 'a'], /^there is no command record: write report --as record$/],
    ['a command that is longer', ['server'], /^there is no command server; did you mean serve\?/],
    ['a password in a URL without its option', ['run', 'https://u:secret@a'], /^run: write --url before the URL$/],
    ['a URL without its option', ['run', 'https://127.0.0.1:1'], /write --url https:\/\/127\.0\.0\.1:1$/],
  ])('%s', async (_, options, sentence) => {
    const { code, stdout, stderr } = await cli(options);
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([2, '', 1]);
    expect(stderr.trimEnd()).toMatch(sentence);
  });

  it.each([
    [
      'an output in a file for the bundled server',
      ['--target', 'reference-server', '--output', 'file/report'],
      /^--output: .*file/,
    ],
    ...['/proc/none', '/proc', '/sys/none'].map((path): [string, string[], RegExp] => [
      `an output in ${path}`,
      ['--target', 'reference-server', '--output', path],
      /^--output: cannot write into \/\w+/,
    ]),
    ['a deviation of no requirement', ['--target', 'target.yaml'], /target\.yaml:4: .* create\.answer\?$/],
    ['a profile that is none', ['--profile', 'quick'], /smoke, standard, full/],
    ['workers that are no number', ['--url', 'http://127.0.0.1:1', '--workers', 'many'], /^--workers: many/],
    ['a token of two lines', ['--url', 'http://127.0.0.1:1', '--token', 'a\nb'], /^--token: .*U\+000A at place 2/],
    [
      'a token file in two lines',
      ['--url', 'http://127.0.0.1:1', '--token-file', 'two'],
      /^--token-file: \S*two: .*U\+000A/,
    ],
    [
      'samples of no kind',
      ['--url', 'http://127.0.0.1:1', '--samples', 'none'],
      /^--samples is an option of --every-kind/,
    ],
    [
      'samples that are not there',
      ['--url', 'http://127.0.0.1:1', '--kinds', '*.x', '--samples', 'none'],
      /^--samples: cannot read none: there is none: give a directory/,
    ],
    ['an empty token', ['--url', 'http://127.0.0.1:1', '--token', ''], /^--token: the token is empty$/],
    ['two URLs', ['--url', 'http://a', '--url', 'http://b'], /^--url is given twice, as http:\/\/a and as http:/],
    [
      'a URL and a kubeconfig',
      ['--url', 'http://a', '--kubeconfig', 'b'],
      /^--url and --kubeconfig contradict each other: give only one of them$/,
    ],
    ['a target that is not there', ['--target', 'none.yaml'], /cannot read \S*none\.yaml: there is none/],
    [
      'a chapter outside the profile',
      ['--list', '--chapter', 'openapi', '--profile', 'smoke'],
      /^--profile smoke leaves no case of openapi/,
    ],
  ])('%s', async (_, options, sentence) => {
    const here = options.map((word) => (/^(file|two|.*\.yaml)(\/|$)/.test(word) ? join(folder, word) : word));
    const error: unknown = await runCommandHere(...here).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).message).toMatch(sentence);
    expect((error as UsageError).message).not.toContain('\n');
  });

  it('a variable in place of an option, which overrides it', async () => {
    const environment = { KUBE_API_CONFORMANCE_URL: 'ftp://a', KUBE_API_CONFORMANCE_LIST: '0' };
    const none = ['run', '--target', 'none.yaml'];
    for (const command of ['run', 'clean'])
      expect((await cli([command], [], environment)).stderr).toBe(
        'KUBE_API_CONFORMANCE_URL: ftp://a is not http or https\n',
      );
    expect((await cli(['run'], [], { KUBECONFIG: '/nope' })).stderr).toMatch(/^KUBECONFIG: cannot read \/nope: /);
    const unsure = await cli(['run'], [], { KUBE_API_CONFORMANCE_DISPOSABLE: 'off' });
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringMatching(/^\w+_DISPOSABLE: off is neither/)]);
    expect((await cli([...none, '--url', 'ftp://b'], [], environment)).stderr).toMatch(/none\.yaml/);
    expect((await cli(['run', '--url', 'ftp://b'], [], environment)).stderr).toMatch(/ftp:\/\/b/);
  });

  it('a Node.js that is too old', async () => {
    const { code, stdout, stderr } = await cli(['--version'], ['--import', join(folder, 'old.mjs')]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^kube-api-conformance requires Node\.js .*20\.19\.0.*; this is 20\.18\.3\n$/);
  });
});

it('a command that waits for what never comes ends with 70', async () => {
  const errors = new URL('../dist/cli/errors.js', import.meta.url).href;
  const wait = `import { toItsEnd } from ${JSON.stringify(errors)};
    void toItsEnd(() => new Promise(() => {}));`;
  const options = ['--input-type=module', '--eval', wait];
  const { code, stderr } = await promisify(execFile)(process.execPath, options).then(
    () => ({ code: 0, stderr: '' }),
    (ended: Ended) => ended,
  );
  expect([code, stderr]).toEqual([70, expect.stringContaining('the command waits for something that never comes')]);
});

it('startServer says on an old Node.js what the command says', async () => {
  const library = new URL('../dist/cli/index.js', import.meta.url).href;
  const start = `import { OptionError, startServer } from ${JSON.stringify(library)};
    await startServer().catch((error) => console.log(error instanceof OptionError, error.message));`;
  const options = ['--import', join(folder, 'old.mjs'), '--input-type=module', '--eval', start];
  const { stdout } = await promisify(execFile)(process.execPath, options);
  expect(stdout).toMatch(/^true kube-api-conformance requires Node\.js .*20\.19\.0.*; this is 20\.18\.3\n$/);
});

it('a reader that closes the pipe is no error', async () => {
  const child = spawn(process.execPath, [main, 'run', '--list'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  expect(said).toBe('');
});

describe('an unexpected error', () => {
  it.each([
    [
      'a bug',
      new TypeError('x is not a function\nat all'),
      70,
      /^this is a bug in kube-api-conformance: TypeError: x is not .*report it\n$/,
    ],
    [
      'a full disk',
      Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
      2,
      /^the operating system refused: ENOSPC.*: make room, or write to another disk\n$/,
    ],
  ])('%s is one line', (_, error, code, line) => {
    const written: string[] = [];
    const { write } = process.stderr;
    process.stderr.write = ((text: string) => written.push(text) > 0) as typeof write;
    try {
      expect(reportUnexpected(error)).toBe(code);
    } finally {
      process.stderr.write = write;
    }
    expect(written.join('')).toMatch(line);
  });
});
