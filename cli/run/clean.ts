// The `clean` command: removes the objects that an interrupted run left on a server, or lists such runs.
import { Command } from 'commander';
import {
  Busy,
  Client,
  cleanUp,
  discoverKinds,
  findLeftRuns,
  NoAnswer,
  readNotSupported,
  tryDeletes,
  tryDeletesOnLeft,
  type Undeletable,
  unsafeDeletesReason,
} from '../../suites/index.js';
import type { NotSupported } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { withEnvironment } from '../target/environment.js';
import { addTargetOptions, once, resolveTarget, type TargetOptions } from '../target/target.js';
import { cleanupRules } from './cleanup.js';
import { checkCredentials, refusal } from './preflight/credentials.js';
import { reach } from './preflight/reach.js';

export function registerClean(program: Command): void {
  withEnvironment(addTargetOptions(program.command('clean')), withEveryVariable)
    .description('delete the objects that an interrupted run left; without --run, list the runs that left objects')
    .option('--run <id>', 'the id of the run; the names of its objects begin with kac-<id>-')
    .option('--target <file>', 'target file; give --url too if the file starts its server', once('--target'))
    .option('--disposable', 'this is a throwaway server: its deletes need not be tried first')
    .option('--no-disposable', 'this is not a throwaway server, whatever the target file says')
    .action(async (options: TargetOptions & { readonly run?: string }) => {
      process.exitCode = await clean(options);
    });
}

/** Returns a command with the options of a run: a job sets the variables of both commands. */
const withEveryVariable = async (): Promise<Command> => {
  const { addSuiteOptions } = await import('./run.js');
  return addSuiteOptions(new Command());
};

/** Returns 0 if nothing is left except events of controllers, and 1 otherwise. */
async function clean({ run, ...options }: TargetOptions & { readonly run?: string }): Promise<number> {
  if (run !== undefined && !/^[0-9a-f]{6}$/.test(run))
    throw new UsageError(`--run: ${run} is not the id of a run (six hexadecimal digits)`);
  const target = resolveTarget(options);
  if (target.url === '')
    throw new UsageError('the target file starts its server: give the URL of the running server with --url');
  checkCredentials(target);
  const client = new Client(target, undefined, cleanupRules);
  try {
    const { reply } = await reach(client);
    if (reply.status === 401 || reply.status === 403) throw refusal(client, reply);
    const notSupported = await readNotSupported(client);
    const kinds = await otherKinds(client);
    return run === undefined ? await list(client, notSupported, kinds) : await remove(client, run, notSupported, kinds);
  } catch (error) {
    if (error instanceof Busy) throw new UsageError(error.message);
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`${target.url} stopped responding (${error.message}): run clean again when it responds`);
  } finally {
    await client.close();
  }
}

type Kinds = Awaited<ReturnType<typeof otherKinds>>;

/** Returns every kind that can be listed and deleted: a run with --every-kind creates objects of all of them. */
async function otherKinds(client: Client) {
  const kinds = await discoverKinds(client);
  return kinds.filter(({ verbs }) => ['list', 'create', 'delete'].every((verb) => verbs.includes(verb)));
}

async function list(client: Client, notSupported: readonly NotSupported[], kinds: Kinds): Promise<number> {
  const runs = await findLeftRuns(client, notSupported, kinds);
  for (const [run, { objects, events }] of runs) {
    const beside = events === 0 ? '' : `, and ${numberOf(events, 'event')} that controllers of the server wrote`;
    process.stdout.write(`${run}: ${numberOf(objects, 'object')}${beside}\n`);
  }
  process.stdout.write(
    runs.size === 0
      ? 'no run left any objects\n'
      : 'remove the objects of a run with --run <id>; a run that is still in progress is listed too\n',
  );
  return [...runs.values()].every(({ objects }) => objects === 0) ? 0 : 1;
}

const numberOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Tries the effect of deletes on new objects, or on those of the run where the target has no kind for new ones. */
async function unsafeDeletes(
  client: Client,
  run: string,
  notSupported: readonly NotSupported[],
  kinds: Kinds,
): Promise<Undeletable> {
  const undeletable = await tryDeletes(client, run, notSupported);
  if (undeletable.objects?.why !== 'untried') return undeletable;
  const objects = await tryDeletesOnLeft(client, run, notSupported, kinds);
  return objects === undefined ? {} : { objects };
}

async function remove(
  client: Client,
  run: string,
  notSupported: readonly NotSupported[],
  kinds: Kinds,
): Promise<number> {
  const undeletable = client.target.disposable ? {} : await unsafeDeletes(client, run, notSupported, kinds);
  if (undeletable.objects !== undefined) {
    const why = unsafeDeletesReason(undeletable.objects);
    process.stdout.write(`nothing is deleted, because ${why}; add --disposable if this is a throwaway server\n`);
  }
  const tell = (what: string): unknown => process.stderr.write(`cleaning up: ${what}\n`);
  const left = await cleanUp(client, run, notSupported, undeletable, tell, kinds);
  for (const name of left) process.stdout.write(`left: ${name}\n`);
  process.stdout.write(left.length === 0 ? 'nothing is left\n' : `${left.length} objects are left\n`);
  return left.length === 0 ? 0 : 1;
}
