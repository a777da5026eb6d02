// Tests the command of a run in its report: it has neither secrets nor options that choose cases.
import { Command } from 'commander';
import { expect, it } from 'vitest';
import { repeatCommand } from './repeatCommand.js';
import { registerRun } from './run.js';

it.each([
  ['run --target reference-server --chapter create,read --output out', 'run --target reference-server'],
  ['run --target targets/a.yaml --fixtures dir --grep x', 'run --target targets/a.yaml --fixtures dir'],
  [
    'run --url https://127.0.0.1:6443 --ca ca.crt --token secret --disposable --workers 4',
    'run --url https://127.0.0.1:6443 --ca ca.crt --token "$TOKEN" --disposable',
  ],
  ['run --url https://me:secret@h:1 --insecure --strict', 'run --url https://h:1 --insecure --strict'],
  ["run --kubeconfig it's/config --context b", "run --kubeconfig 'it'\\''s/config' --context b"],
  ['run --url https://h --features all --timeout 20', 'run --url https://h --features all --timeout 20'],
  ['run --kubeconfig /home/somebody/.kube/config --context b', 'run --kubeconfig config --context b'],
  [`run --url https://h --ca ${process.cwd()}/certs/ca.crt`, 'run --url https://h --ca certs/ca.crt'],
  ['run --target a --no-disposable --shard 1/2', 'run --target a --no-disposable'],
  ['run --target a --start-options=--anonymous-auth', 'run --target a --start-options --anonymous-auth'],
])('%s', async (line, expected) => {
  const program = new Command();
  registerRun(program);
  let again = '';
  const note = (command: Command): void => {
    again = repeatCommand(command);
  };
  for (const command of program.commands) command.action(() => note(command));
  await program.parseAsync(line.split(' '), { from: 'user' });
  expect(again.split(' ').sort()).toEqual(`npx kube-api-conformance ${expected}`.split(' ').sort());
});
