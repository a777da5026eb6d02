// All commands. Their order is that of the help.
import { type Commands, runProgram } from './runProgram.js';
import { serverCommands } from './serverProgram.js';

/** Commands are loaded on demand. */
const commands: Commands = {
  run: async () => (await import('./run/run.js')).registerRun,
  report: async () => (await import('./reporting/report.js')).registerReport,
  explain: async () => (await import('./explain/explain.js')).registerExplain,
  clean: async () => (await import('./run/clean.js')).registerClean,
  serve: serverCommands.serve,
  openapi: serverCommands.openapi,
  'node-agent': async () => (await import('./nodeAgent.js')).registerNodeAgent,
  assets: serverCommands.assets,
  asset: serverCommands.asset,
  envtest: async () => (await import('./envtest/envtest.js')).registerEnvtest,
  fixtures: async () => (await import('./fixtures/fixtures.js')).registerFixtures,
  certs: async () => (await import('./fixtures/certs.js')).registerCerts,
  completion: async () => (await import('./completion.js')).registerCompletion,
};

/** Runs the command that the arguments of this process name, and sets the exit code. */
export const main = (): Promise<void> => runProgram(commands);
