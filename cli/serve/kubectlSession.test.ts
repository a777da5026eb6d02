// kubectl as its users type it, on `serve`: each command of the session must do what it does on a real cluster.
import { expect, inject, it } from 'vitest';
import { clients, newest } from '../testing/kubectl/clients.js';
import { readSession, runSession, wordsOf } from '../testing/kubectl/session.js';
import { startServing } from '../testing/serving.js';

/** The newest one; with SESSIONS=all every one, of which 1.20 takes twice as long. */
const chosen = process.env.SESSIONS === 'all' ? clients : clients.filter((each) => each === newest);

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

it.each(chosen)('kubectl $version', async ({ command, minor, version }) => {
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
