// The command line: registers all commands, and prints errors that the user can correct as one line.
import { Command, CommanderError } from 'commander';
import { reportUnexpected, toItsEnd, UsageError } from './errors.js';
import { version } from './files.js';

for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that stops early, such as head, is not an error.
    if (error.code !== 'EPIPE') throw error;
  });
process.on('uncaughtException', (error) => process.exit(reportUnexpected(error)));

const program = new Command('kube-api-conformance')
  .description('Test whether a server implements the Kubernetes API, request by request.')
  .version(version)
  .configureOutput({
    outputError: (message, write) => {
      const url = process.argv.find(
        (word, index) => /^https?:/.test(word) && !process.argv[index - 1]?.startsWith('--'),
      );
      const hint =
        /too many arguments/.test(message) && url !== undefined ? `write --url ${url}` : '--help shows the options';
      write(`${message.trimEnd().replaceAll('\n', ' ')}; ${hint}\n`);
    },
  })
  .exitOverride();

/** Commands are loaded on demand: `serve` does not need the suite. */
const commands: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  run: async () => (await import('./run/run.js')).registerRun,
  report: async () => (await import('./reporting/report.js')).registerReport,
  explain: async () => (await import('./explain/explain.js')).registerExplain,
  clean: async () => (await import('./run/clean.js')).registerClean,
  serve: async () => (await import('./serve/serve.js')).registerServe,
  openapi: async () => (await import('./serve/openapi.js')).registerOpenapi,
  'node-agent': async () => (await import('./nodeAgent.js')).registerNodeAgent,
  assets: async () => (await import('./assets/assets.js')).registerAssets,
  asset: async () => (await import('./assets/assets.js')).registerAsset,
  envtest: async () => (await import('./envtest/envtest.js')).registerEnvtest,
  fixtures: async () => (await import('./fixtures/fixtures.js')).registerFixtures,
  certs: async () => (await import('./fixtures/certs.js')).registerCerts,
};

// The help of an unknown command is the error for it.
if (process.argv[2] === 'help' && !Object.hasOwn(commands, process.argv[3] ?? 'run')) process.argv.splice(2, 1);
const called = process.argv[2] ?? '';
const asksVersion = called === '-V' || called === '--version';
const wanted = Object.hasOwn(commands, called) ? [called] : asksVersion ? [] : Object.keys(commands);
for (const name of wanted) (await commands[name]?.())?.(program);

try {
  await toItsEnd(() => program.parseAsync());
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 2;
  } else process.exitCode = reportUnexpected(error);
}
