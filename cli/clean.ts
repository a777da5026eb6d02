// The `clean` command: removes what an interrupted run left on a server, or names the runs that left something.
import type { Command } from 'commander';
import type { NotSupported } from '../matrix/requirements/index.js';
import { Client, cleanUp, findLeftRuns, mistrustOf, NoAnswer, readNotSupported, tryDeletes } from '../suites/index.js';
import { checkCredentials, refusal } from './run/preflight/credentials.js';
import { reach } from './run/preflight/reach.js';
import { resolveTarget, type TargetOptions } from './target.js';
import { UsageError } from './usageError.js';

/** Registers `clean`. */
export function registerClean(program: Command): void {
  program
    .command('clean')
    .description('remove what an interrupted run left behind; without --run, list the runs that left something')
    .option('--run <id>', 'the id of the run: it is in every name that the run made, as kac-<id>-…')
    .option('--url <url>', 'the server, as https://host:port')
    .option('--ca <file>', 'certificate of the authority that signed its certificate')
    .option('--token <token>', 'bearer token')
    .option('--client-certificate <file>', 'client certificate')
    .option('--client-key <file>', 'key of the client certificate')
    .option('--insecure', 'do not verify its certificate')
    .option('--tls-server-name <name>', 'the name that its certificate is for, where that is not the host of the URL')
    .option('--kubeconfig <file>', 'take server, authority and credentials from this file')
    .option('--context <name>', 'context of the kubeconfig, instead of its current one')
    .option('--target <file>', 'target file, see targets/; beside --url where the target was started by its file')
    .option('--disposable', 'the server is nobody’s: its deletes need not be tried first')
    .action(async (options: TargetOptions & { readonly run?: string }) => {
      process.exitCode = await clean(options);
    });
}

/** Returns 0 where nothing is left, but for events that controllers wrote; 1 where something is. */
async function clean({ run, ...options }: TargetOptions & { readonly run?: string }): Promise<number> {
  if (run !== undefined && !/^[0-9a-f]{6}$/.test(run))
    throw new UsageError(`--run: ${run} is not the id of a run (six hexadecimal digits)`);
  const target = resolveTarget(options);
  if (target.url === '') throw new UsageError('the target is started by its file: say with --url where it is');
  checkCredentials(target);
  const client = new Client(target);
  try {
    const { reply } = await reach(client);
    if (reply.status === 401 || reply.status === 403) throw refusal(target, reply.status);
    const notSupported = await readNotSupported(client);
    return run === undefined ? await list(client, notSupported) : await remove(client, run, notSupported);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`${target.url} stopped to answer (${error.message}): call clean again once it answers`);
  } finally {
    await client.close();
  }
}

async function list(client: Client, notSupported: readonly NotSupported[]): Promise<number> {
  const runs = await findLeftRuns(client, notSupported);
  for (const [run, { objects, events }] of runs) {
    const beside = events === 0 ? '' : `, and ${numberOf(events, 'event')} that controllers of the server wrote`;
    process.stdout.write(`${run}: ${numberOf(objects, 'object')}${beside}\n`);
  }
  process.stdout.write(
    runs.size === 0
      ? 'no run left anything\n'
      : 'remove them with --run <id>; a run that still goes on is listed too\n',
  );
  return [...runs.values()].every(({ objects }) => objects === 0) ? 0 : 1;
}

const numberOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

async function remove(client: Client, run: string, notSupported: readonly NotSupported[]): Promise<number> {
  const undeletable = client.target.disposable ? {} : await tryDeletes(client, run, notSupported);
  if (undeletable.objects !== undefined)
    process.stdout.write(`nothing is deleted, because ${mistrustOf(undeletable.objects)}\n`);
  const tell = (what: string): boolean => process.stderr.write(`cleaning up: ${what}\n`);
  const left = await cleanUp(client, run, notSupported, undeletable, tell);
  for (const name of left) process.stdout.write(`left: ${name}\n`);
  process.stdout.write(left.length === 0 ? 'nothing is left\n' : `${left.length} objects are left\n`);
  return left.length === 0 ? 0 : 1;
}
