// `npm run bench`: the table of figures, and the longer measurements that are commands of their own.
import { setMaxListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { bareTransactionMicroseconds } from './bareEtcd.js';
import { type CostsFlags, printCosts } from './costs.js';
import { compareFailingRun } from './failingRun.js';
import { detectedFaults, type FaultsFlags, type SeenByFlags, seenBy } from './faults.js';
import { type FuzzFlags, fuzz } from './fuzz.js';
import { BadOption, type ChosenFlags, withChosenCases } from './options.js';
import { measureRun } from './run.js';
import { measureSlowRun, type SlowFlags } from './slow.js';
import { type SoakFlags, soak } from './soak/soak.js';
import { type UnreadFlags, unread } from './soak/unread.js';
import { type Against, otherSubject, startReference } from './subject.js';
import { measure, render, type Start } from './table.js';

/** How often the reference server is started for its cold figures. */
const coldStarts = 3;

interface TableFlags extends Against {
  readonly cold?: true;
  readonly modern?: true;
  readonly dataDir?: string;
  readonly etcdServers?: string;
}

const program = new Command('bench')
  .description('what an operation costs a server: CPU time, memory, time to start')
  .option('--cold', 'measure only servers that have just started')
  .option('--modern', 'start the reference server with the groups that came after the interface')
  .option('--data-dir <directory>', 'keep what the reference server writes in this directory')
  .option('--etcd-servers <urls>', 'keep what the reference server writes in this etcd, under a prefix of its own')
  .option('--against <url>', 'measure this server too, just started; its processes must run on this machine')
  .option('--ca <file>', 'the CA of the server of --against, PEM')
  .option('--token <token>', 'a bearer token for the server of --against')
  .option('--pid <ids>', 'the processes of the server of --against, with commas; their costs are added up')
  .showHelpAfterError('add --help for the options')
  .exitOverride()
  .action(printTable);
program
  .command('failing-run')
  .description('a run of the suite in which thousands of cases fail, compared with one in which all pass')
  .action(async () => {
    process.stdout.write(await compareFailingRun());
  });

withChosenCases(
  program.command('run').description('what a run of the suite costs, by process and phase, beside its requests alone'),
).action(async (flags: ChosenFlags) => {
  process.stdout.write(await measureRun(flags));
});

program
  .command('faults')
  .description('which of the broken servers of suites/testing/faults each profile detects; takes half an hour')
  .option('--grep <text>', 'only broken servers whose name contains this', '')
  .option('--at-once <n>', 'how many run at a time', '4')
  .action(async (flags: FaultsFlags) => {
    process.stdout.write(await detectedFaults(flags));
  });

program
  .command('seen-by')
  .description('which of the broken servers of suites/testing/faults some requirements see, such as histories.*')
  .requiredOption('--requirements <pattern>', 'the requirements, by a pattern as of --grep')
  .option('--grep <text>', 'only broken servers whose name contains this', '')
  .option('--at-once <n>', 'how many run at a time', '4')
  .action(async (flags: SeenByFlags) => {
    process.stdout.write(await seenBy(flags));
  });

withChosenCases(
  program
    .command('slow')
    .description('a run of the suite on a server that responds late, and how right its estimates are')
    .option('--delay <ms>', 'how late', '200'),
).action(async (flags: SlowFlags) => {
  process.stdout.write(await measureSlowRun(flags));
});

program
  .command('costs')
  .description('what inputs cost the reference server that are built to cost, and how long others wait meanwhile')
  .option('--kilobytes <n>', 'of the largest input', '1024')
  .option('--rows <n>', 'how many are printed, the dearest first', '40')
  .option('--grep <text>', 'only rows whose name contains this')
  .action((flags: CostsFlags) => printCosts(flags));

program
  .command('fuzz')
  .description('many small runs of the suite against a server that answers at random')
  .option('--runs <n>', 'how many', '20')
  .option('--seed <n>', 'of the first one', '1')
  .option('--in-process', 'without the command line and its workers: many runs in little time')
  .action(async (flags: FuzzFlags) => {
    if ((await fuzz(flags)) > 0) process.exitCode = 1;
  });

program
  .command('soak')
  .description(
    'many objects, watchers that come and go, writers and lists; gets are timed and every event is accounted for',
  )
  .option('--minutes <n>', 'how long', '30')
  .option('--watchers <n>', 'how many at a time', '2000')
  .option('--objects <n>', 'how many ConfigMaps', '200000')
  .option('--data-dir <directory>', 'keep what the server writes in this directory')
  .action(async (flags: SoakFlags) => {
    if ((await soak(flags, interruptions())) > 0) process.exitCode = 1;
  });

program
  .command('unread')
  .description('watchers that never read, while events of 100 KB come; gets of others are timed')
  .option('--seconds <n>', 'how long', '120')
  .option('--watchers <n>', 'how many', '500')
  .action((flags: UnreadFlags) => unread(flags, interruptions()));

/** A signal for Ctrl-C and SIGTERM. */
function interruptions(): AbortSignal {
  const interrupted = new AbortController();
  // Every watch listens to it.
  setMaxListeners(0, interrupted.signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}

async function printTable({ cold, modern, dataDir, etcdServers, ...against }: TableFlags): Promise<void> {
  if (!existsSync('/proc/self/stat')) throw new BadOption('costs are read from /proc: run it on Linux');
  const other = otherSubject(against);
  const interrupted = interruptions();
  const starts: Start[] = [
    {
      times: coldStarts,
      start: () =>
        startReference({ ...(dataDir && { dataDir }), ...(etcdServers && { etcdServers }), modern: modern === true }),
    },
  ];
  if (other !== undefined) starts.push({ times: 1, start: async () => other });
  const columns = [];
  for (const start of starts) columns.push(await measure(start, { coldOnly: cold === true, signal: interrupted }));
  process.stdout.write(render(columns));
  if (etcdServers === undefined) return;
  const bare = await bareTransactionMicroseconds(etcdServers);
  process.stdout.write(`The transaction of a create alone, from a bare client of etcd: ${bare.toFixed(0)} µs.\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
  else if (error instanceof BadOption) {
    process.stderr.write(`bench: ${error.message}\n`);
    process.exitCode = 2;
  } else if (error instanceof Error && error.name === 'AbortError') {
    process.stderr.write('bench: interrupted; what was made is removed\n');
    process.exitCode = 130;
  } else throw error;
}
