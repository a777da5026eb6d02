// Tests that `--help` of each command fits the terminal, and has colours on a terminal only.
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { registerEnvtest } from './envtest/envtest.js';
import { registerFixtures } from './fixtures/fixtures.js';
import { helpStyle } from './help.js';
import { registerNodeAgent } from './nodeAgent.js';
import { registerClean } from './run/clean.js';
import { registerRun } from './run/run.js';
import { registerServe } from './serve/serve.js';

/** Returns what a command prints of itself, on an output of this width. */
function helpOf(register: (program: Command) => void, width: number, hasColors = false): string {
  const program = new Command('program').configureHelp(helpStyle).configureOutput({
    getOutHelpWidth: () => width,
    getOutHasColors: () => hasColors,
  });
  register(program);
  return program.commands[0]?.helpInformation() ?? '';
}

describe.each([
  ['run', registerRun],
  ['clean', registerClean],
  ['serve', registerServe],
  ['node-agent', registerNodeAgent],
  ['fixtures', registerFixtures],
  ['envtest', registerEnvtest],
])('the help of %s', (_, register) => {
  it.each([[60], [80], [120]])('fits %i columns', (width) => {
    const lines = helpOf(register, width).split('\n');
    expect(lines.filter((line) => line.length > width)).toEqual([]);
    expect(helpOf(register, width)).not.toContain('\u001b');
  });
});

it('shows terms in bold on a terminal', () => {
  expect(helpOf(registerServe, 80, true)).toContain('\n  \u001b[1m--port <number>\u001b[22m\n      port to listen on');
  expect(helpOf(registerFixtures, 80, true)).toContain(
    '\u001b[1m--stand-ins-address <address>\u001b[22m  address of this',
  );
});
