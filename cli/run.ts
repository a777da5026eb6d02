// The `run` command: prepares a target, starting it where it is managed, and runs the suite against it.
import type { Command } from 'commander';
import { allCases, selects, type Target } from '../matrix/requirements/index.js';
import { type Managed, startManaged } from './managed.js';
import { checkOptions, type RunOptions } from './run/options.js';
import { type Beside, runOnReachable } from './run/reachable.js';
import { type RunFixtures, startFixtures } from './runFixtures.js';
import { type Started, serveSecondServer } from './secondServer.js';
import { newEgressSocket } from './serveNodes.js';
import { resolveTarget, type TargetOptions } from './target.js';
import { UsageError } from './usageError.js';

type AllOptions = TargetOptions & RunOptions & { readonly list?: boolean };

/** Registers `run`. */
export function registerRun(program: Command): void {
  program
    .command('run')
    .description('run the suite against a server')
    .option('--url <url>', 'the server, as https://host:port')
    .option('--ca <file>', 'certificate of the authority that signed its certificate')
    .option('--token <token>', 'bearer token')
    .option('--client-certificate <file>', 'client certificate')
    .option('--client-key <file>', 'key of the client certificate')
    .option('--kubeconfig <file>', 'take server, authority and credentials from this file')
    .option('--context <name>', 'context of the kubeconfig, instead of its current one')
    .option('--target <file>', 'target file, see targets/')
    .option('--fixtures <directory>', 'what the server was started with; the command fixtures makes it')
    .option('--egress-socket <file>', 'play a node for the run; the server was started to reach nodes and pods there')
    .option('--disposable', 'the server is nobody’s: cluster-wide delete-collections may run')
    .option('--list', 'print the ids of all cases and end')
    .option('--grep <id>', 'only cases whose id contains this text')
    .option('--output <directory>', 'where evidence and reports go', 'report')
    .option('--workers <n>', 'how many workers', '2')
    .option('--patience <seconds>', 'how long the server may take for an answer (default: 15)')
    .action(async (options: AllOptions) => {
      process.exitCode = options.list ? listCases(options.grep) : await runOn(resolveTarget(options), options);
    });
}

function listCases(grep: string | undefined): number {
  const ids = allCases()
    .map(({ id }) => id)
    .filter((id) => selects(grep, id));
  process.stdout.write(`${ids.join('\n')}\n`);
  if (ids.length === 0) throw new UsageError(`no case id contains ${JSON.stringify(grep)}; run --list prints them all`);
  return 0;
}

/** Runs the suite on a target, starting and stopping it where it is managed. Returns the exit code of the verdict. */
async function runOn(target: Target, options: RunOptions): Promise<number> {
  checkOptions(options);
  if (options.fixtures === undefined && !target.lifecycle?.fixtures) return await runOnStarted(target, options);
  const fixtures = await startFixtures(options.fixtures, target.domains.authentication);
  try {
    return await runOnStarted(target, options, fixtures);
  } finally {
    await fixtures.close();
  }
}

async function runOnStarted(target: Target, options: RunOptions, fixtures?: RunFixtures): Promise<number> {
  const { lifecycle } = target;
  const { egressSocket = lifecycle && target.nodes === 'ours' ? newEgressSocket() : undefined } = options;
  if (lifecycle === undefined) return await runOnReachable(target, options, { fixtures, egressSocket });
  const managed = await startManaged(target, lifecycle, fixtures?.directory, egressSocket);
  try {
    if (fixtures === undefined) return await runOnReachable(managed.target, options, { egressSocket });
    const again = (directory: string): Promise<Managed> => startManaged(target, lifecycle, directory);
    return await runBesideSecond(managed.target, options, { fixtures, egressSocket }, again);
  } finally {
    await managed.stop();
  }
}

/** Runs the suite on a target of which `start` starts another one with the fixtures in a folder. */
export async function runBesideSecond(
  target: Target,
  options: RunOptions,
  { fixtures, egressSocket }: Beside & { readonly fixtures: RunFixtures },
  start: (directory: string) => Promise<Started>,
): Promise<number> {
  const second = await serveSecondServer(fixtures.directory, start);
  try {
    const withSecond = { ...fixtures, secondServerUrl: second.url };
    return await runOnReachable(target, options, { fixtures: withSecond, egressSocket });
  } finally {
    await second.close();
  }
}
