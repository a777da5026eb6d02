// Tests the documents step by step: their shell blocks run in an empty folder with the packed package.
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { onPath } from '../../reference-server/testing/programs.js';
import { isSoak } from '../../suites/testing/soak.js';
import { plainEnvironment, quickNpx } from '../testing/npm.js';
import { type Installed, installPacked } from '../testing/packed.js';

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
beforeEach(({ skip }) => {
  if (installed.unreachable !== undefined) skip(installed.unreachable);
});
afterAll(() => installed?.remove());

/** The time limit of a script, in milliseconds. A test of a killed script shows its output. */
const limit = inject('deadline') * 0.8;

/** The expected output of each document, in this order. */
const shown: readonly (readonly [document: string, outputs: readonly RegExp[]])[] = [
  [
    'quick-start',
    [/^conformant|^partial/m, /cases: [1-9]\d* passed, 0 failed/, /cases: 1 passed, 0 failed/, /^replace\.stale › /m],
  ],
  [
    'deviations',
    [
      /not conformant/,
      /it exits with 1/,
      /requirement: responses\.media-type/,
      /0 failed, 0 blocked, [1-9]\d* known deviations/,
    ],
  ],
  [
    'without-nodes',
    [
      /cases: [1-9]\d* passed, 0 failed, 0 blocked, 0 known deviations, [1-9]/,
      /cases: [1-9]\d* passed, 0 failed, 0 blocked, 0 known deviations, 0 not supported/,
    ],
  ],
  ['test-server', [/pass 9$/m]],
  ['reference-server', [/pass 1$/m, /pass 1$/m, /^1$/m]],
  ['present-clusters', [/^29$/m]],
  ['several-servers', Array.from({ length: 4 }, () => /^"name": "shared"$/m)],
];

/** The programs that a document needs beside the package. */
const needs: Readonly<Record<string, readonly string[]>> = { 'several-servers': ['etcd', 'nginx', 'openssl', 'curl'] };

/** What narrows the runs of a document: the tests look at what it says of a run, not at all cases. */
const narrowed: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  'quick-start': { KUBE_API_CONFORMANCE_CHAPTER: 'read,replace' },
};

/** The soak follows the other documents too. */
const followed = shown.filter(([name]) => isSoak || name === 'quick-start');

/** The documents whose commands are started by npx itself. */
const byNpx: readonly string[] = ['quick-start', 'reference-server'];

// The scripts mostly wait, so they run at the same time, each in its own folder.
it.concurrent.each(followed)('docs/%s.md', async (name, outputs) => {
  const lacking = needs[name]?.find((program) => onPath(program) === undefined);
  if (lacking !== undefined) {
    console.log(`docs/${name}.md: not run: no ${lacking}`);
    return;
  }
  const folder = join(installed.folder, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const { files, script } = stepsOf(readFileSync(join(import.meta.dirname, '../../docs', `${name}.md`), 'utf8'));
  for (const [file, text] of files) writeFileSync(join(folder, file), text);
  const path = byNpx.includes(name) ? {} : { PATH: quickNpx(join(folder, 'bin')) };
  const { code, output } = await follow(script, folder, { ...path, ...narrowed[name] });
  expect(code, output).toBe(0);
  let from = 0;
  for (const expected of outputs) {
    const found = output.slice(from).search(expected);
    expect(found, `${expected} in what follows:\n${output.slice(from)}`).not.toBe(-1);
    from += found + 1;
  }
});

/**
 * Returns the shell blocks as one script, without the installation, and the files of blocks that begin with a file
 * name.
 */
function stepsOf(document: string): { readonly files: [name: string, text: string][]; readonly script: string } {
  const blocks = [...document.matchAll(/^```(sh|js)\n([\s\S]*?)^```$/gm)].map(([, of, text = '']) => ({ of, text }));
  const files = blocks.flatMap(({ text }): [string, string][] => {
    const name = /^\/\/ (\S+)\n/.exec(text)?.[1];
    return name === undefined ? [] : [[name, text]];
  });
  const shell = blocks.filter(({ of }) => of === 'sh').map(({ text }) => text.replace(/^npm install .*\n/gm, ''));
  return { files, script: shell.join('\n') };
}

/** Runs a script, and ends all processes that it leaves behind. */
async function follow(
  script: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const log = join(folder, 'output.log');
  const descriptor = openSync(log, 'w');
  const options = { cwd: folder, env: { ...plainEnvironment(), ...environment }, detached: true } as const;
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    ...options,
    stdio: ['ignore', descriptor, descriptor],
  });
  const end = (): void => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, 'SIGKILL');
    } catch {
      // No process of the script is running.
    }
  };
  const timer = setTimeout(end, limit);
  const code = await new Promise<number | null>((resolve) => shell.once('exit', resolve));
  clearTimeout(timer);
  end();
  closeSync(descriptor);
  return { code, output: readFileSync(log, 'utf8') };
}
