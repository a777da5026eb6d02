// kubectl as its users type it, on `serve`: each command of the session must do what it does on a real cluster.
import { expect, inject, it } from 'vitest';
import { clients } from '../testing/kubectl/clients.js';
import { readSession, runSession, wordsOf } from '../testing/kubectl/session.js';
import { startServing } from '../testing/serving.js';

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
    const outcomes = await runSession(command, kubeconfig, commands, { timeout: inject('deadline') / 4 });
    const faults = outcomes.filter(({ fault }) => fault !== undefined);
    console.log(`kubectl ${version}: ${outcomes.length - faults.length} of ${outcomes.length} commands`);
    expect(faults).toEqual([]);
  } finally {
    await stop();
  }
});
