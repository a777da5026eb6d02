// Tests the command of a run in its report: it has neither secrets nor options that choose cases.
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { registerInterop } from './kubeApiserver.js';
import { repeatCommand } from './repeatCommand.js';
import { registerConformance, registerRun } from './run.js';

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
    again = repeatCommand(command);
  };
  for (const command of program.commands) command.action(() => note(command));
  await program.parseAsync(line.split(' '), { from: 'user' });
  expect(again.split(' ').sort()).toEqual(`npx kube-api-conformance ${expected}`.split(' ').sort());
});
