// kubectl as its users type it, on `serve`: each command of the session must do what it does on a real cluster.
import { execFileSync } from 'node:child_process';
import { expect, inject, it } from 'vitest';
import { readSession, runSession, wordsOf } from './testing/kubectl/session.js';
import { startServing } from './testing/serving.js';

/** The commands that KUBECTL names, separated by colons, or the one on the PATH, with their minor versions. */
const clients = (process.env.KUBECTL ?? 'kubectl').split(':').flatMap((command) => {
  try {
    const text = execFileSync(command, ['version', '--client', '-o', 'json'], { encoding: 'utf8', stdio: 'pipe' });
    const { clientVersion } = JSON.parse(text) as { clientVersion: { minor: string; gitVersion: string } };
    return [{ command, minor: Number.parseInt(clientVersion.minor, 10), version: clientVersion.gitVersion }];
  } catch {
    return [];
  }
});
if (clients.length === 0) console.log('not run: KUBECTL names no kubectl');

it('splits a command into words', () => {
  expect(wordsOf("exec one -- sh -c 'exit 3' --a='b c'")).toEqual([
    'exec',
    'one',
    '--',
    'sh',
    '-c',
    'exit 3',
    '--a=b c',
  ]);
});

it.each(clients)('kubectl $version', async ({ command, minor, version }) => {
  const { kubeconfig, stop } = await startServing();
  try {
    const commands = (await readSession()).filter(({ from }) => minor >= from);
    const outcomes = await runSession(command, kubeconfig, commands, inject('deadline') / 4);
    const faults = outcomes.filter(({ fault }) => fault !== undefined);
    console.log(`kubectl ${version}: ${outcomes.length - faults.length} of ${outcomes.length} commands`);
    expect(faults).toEqual([]);
  } finally {
    await stop();
  }
});
