// The command of a run as its report prints it: what chooses cases is left out, and secrets are never in it.
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { registerConformance } from '../conformance.js';
import { registerInterop } from '../interop.js';
import { registerRun } from '../run.js';
import { againOf } from './again.js';

it.each([
  ['conformance --chapter create,read --output out', 'conformance'],
  ['run --target targets/a.yaml --fixtures dir --grep x', 'run --target targets/a.yaml --fixtures dir'],
  [
    'run --url https://127.0.0.1:6443 --ca ca.crt --token secret --disposable --workers 4',
    'run --url https://127.0.0.1:6443 --ca ca.crt --token "$TOKEN" --disposable',
  ],
  ['run --url https://me:secret@h:1 --insecure --strict', 'run --url https://h:1 --insecure --strict'],
  ["run --kubeconfig it's/config --context b", "run --kubeconfig 'it'\\''s/config' --context b"],
  ['run --url https://h --features all --patience 20', 'run --url https://h --features all --patience 20'],
  ['interop --bare --no-controller-manager --shard 1/2', 'interop --bare --no-controller-manager'],
])('%s', async (line, expected) => {
  const program = new Command();
  for (const register of [registerConformance, registerInterop, registerRun]) register(program);
  let again = '';
  const note = (command: Command): void => {
    again = againOf(command);
  };
  for (const command of program.commands) command.action(() => note(command));
  await program.parseAsync(line.split(' '), { from: 'user' });
  expect(again.split(' ').sort()).toEqual(`npx kube-api-conformance ${expected}`.split(' ').sort());
});
