// The lifecycle of a run: the parts that it starts, and in which order it stops them.
//
//   prepare ──► fixtures        with the stand-ins of their backends; for a server that is started with fixtures
//           ──► server          bundled, or by the command of a target file; none if the server is already running
//           ──► second server   offered here, started by the cases that restart a server
//           ──► findings        capabilities and permissions of the target; with the node of the run
//   suite   ──► workers ──► evidence; they load the tests while the run is prepared; one worker if the cases are few
//           ──► or Playwright ──► its workers ──► evidence, for Allure
//   cleanUp ──► removes the objects of the run from the target; ends the node
//   report  ──► joins the evidence, judges it, writes the report
//   close   ──► ends everything that `prepare` started, in reverse order
//
// The command line does all of this (`run`). If Playwright is started directly, its global setup prepares, and its
// teardown cleans up and closes (globalSetup.ts).
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { makeFolder } from '../../matrix/api/makeFolder.js';
import { withinRunning } from '../../suites/client/runningTime.js';
import { Busy, Client, defaultRecoveryTimeout, LiveLine, NoAnswer, Pace, type Run } from '../../suites/index.js';
import type { RunFooter, Target } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { checkFolder } from '../files.js';
import type { TakenFolder } from '../reporting/outputFolder.js';
import { newEgressSocket } from '../serveNodes.js';
import { defaultNames } from '../target/target.js';
import { heapGrowth, lessInlining } from '../v8.js';
import { readBaseline } from './baseline.js';
import { cleanUpRun } from './cleanup.js';
import { type Findings, inspectTarget } from './findings.js';
import { startFixtures, withFixtures } from './fixtures.js';
import { type Interruption, interruptible } from './interruption.js';
import { introduction } from './introduction.js';
import { asksForKinds, type ChosenCases, checkOptions, type RunOptions } from './options.js';
import { newRunId, type RunPlan, runHeaderOf, runOf } from './plan.js';
import { serveSecondServer } from './secondServer.js';
import { bundledServer, managedServer } from './servers.js';
import { isSmall, playwrightCli, type SuiteEnd, startSuite } from './suite.js';
import { Watching } from './watching.js';

/** A run that is ready for its first case. */
export interface PreparedRun {
  readonly plan: RunPlan;
  readonly findings: Findings;
  readonly run: Run;
  /** Ends everything that was started for the run. */
  close(): Promise<void>;
}

/**
 * Runs the suite on a target, or on the bundled server if there is none. Returns the exit code of the verdict. Throws
 * UsageError if the run cannot start.
 */
export async function run(target: Target | undefined, options: RunOptions): Promise<number> {
  setFlagsFromString(heapGrowth);
  setFlagsFromString(lessInlining);
  const chosen = checkOptions(options);
  checkFolder(options.output);
  if (options.allure !== undefined) {
    checkFolder(options.allure, '--allure');
    playwrightCli();
  }
  if (options.history !== undefined) (await import('../reporting/write.js')).readHistory(options.history);
  const [{ takeFolder }, { removeReports, setEvidenceAside }] = await Promise.all([
    import('../reporting/outputFolder.js'),
    import('../../reports/index.js'),
  ]);
  const folder = takeFolder(options.output);
  // What an earlier run left must not pass for the report of a run that cannot start.
  await removeReports(options.output, options.baseline);
  await setEvidenceAside(options.output, options.baseline);
  return await runIn(folder, target, chosen, options).finally(folder.release);
}

/** Runs the suite, with the output folder taken. */
async function runIn(
  folder: TakenFolder,
  target: Target | undefined,
  chosen: ChosenCases,
  options: RunOptions,
): Promise<number> {
  return await interruptible(async (interruption) => {
    if (options.watch) return await watchTarget(folder, target, chosen, options, interruption);
    // The workers load the tests while the run is prepared, unless the target itself says which tests there are.
    let suite = asksForKinds(options) ? undefined : startSuite(chosen, options);
    try {
      const prepared = await prepareRun(target, chosen, options, interruption);
      try {
        suite ??= startSuite(prepared.plan.chosen, options);
        await beginEvidence(prepared, folder);
        // The modules of the report are loaded while the cases run.
        const [end] = await Promise.all([suite.run(prepared.run, interruption), import('../reporting/write.js')]);
        return await conclude(prepared, end, interruption);
      } finally {
        await prepared.close();
      }
    } finally {
      suite?.close();
    }
  });
}

/** Seconds that a watching run waits for a target: whoever writes a server stops it often. */
const watchedRecovery = '5';

/** Runs the cases in rounds until the user ends them, and reports on the last result of each. Returns the exit code. */
async function watchTarget(
  folder: TakenFolder,
  target: Target | undefined,
  chosen: ChosenCases,
  given: RunOptions,
  interruption: Interruption,
): Promise<number> {
  // This process runs the cases itself: the target is another one.
  const options = { recoveryTimeout: watchedRecovery, ...given, workers: '1' };
  const startsServer = target === undefined || target.lifecycle !== undefined;
  const watching = new Watching(options.watchFiles ?? []);
  try {
    for (let isFirst = true; ; isFirst = false) {
      const prepared = await prepareRun(target, chosen, options, interruption).catch((error: unknown) => {
        if (isFirst || !(error instanceof UsageError)) throw error;
        process.stderr.write(`${error.message}\n`);
      });
      if (prepared === undefined) {
        if (await watching.waits()) continue;
        return 1;
      }
      try {
        await beginEvidence(prepared, folder);
        const { cases } = prepared.plan.chosen;
        const end = await watching.rounds(prepared.run, cases, startsServer, interruption);
        if (end !== 'again') return await conclude(prepared, end, interruption);
      } finally {
        await prepared.close();
      }
    }
  } finally {
    watching.close();
  }
}

/**
 * Starts the servers of a run and examines its target. Throws UsageError if the run cannot start; then nothing is left
 * running.
 */
export async function prepareRun(
  target: Target | undefined,
  chosen: ChosenCases,
  options: RunOptions,
  interruption: Interruption,
): Promise<PreparedRun> {
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline);
  const server = target === undefined ? bundledServer : target.lifecycle && managedServer(target, target.lifecycle);
  const ends: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop())
      await withinTime(end).catch((error: unknown) => {
        // The report is written, and the other parts must end too.
        process.stderr.write(`a part of the run did not end: ${String(error)}\n`);
      });
  };
  try {
    const { authentication: domain } = target?.domains ?? defaultNames.domains;
    const key = server?.serviceAccountKey;
    const hasFixtures = options.fixtures !== undefined || key !== undefined;
    const fixtures = hasFixtures ? await startFixtures(options.fixtures, domain, key) : undefined;
    if (fixtures) ends.push(fixtures.close);
    const egressSocket = options.egressSocket ?? (server?.hasNode ? newEgressSocket() : undefined);
    const started = await server?.start({ fixtures, egressSocket, interruption });
    if (started) ends.push(started.stop);
    const second =
      server && fixtures
        ? await serveSecondServer(fixtures.directory, (directory) => server.startSecond({ ...fixtures, directory }))
        : undefined;
    if (second) ends.push(second.close);

    const reached = (started?.target ?? target) as Target;
    const plan: RunPlan = {
      runId: newRunId(),
      target: {
        ...(fixtures === undefined ? reached : withFixtures(reached, fixtures)),
        ...(chosen.choice.readOnly && { readOnly: true }),
      },
      // A server of the run comes back soon or not at all.
      options: server === undefined ? options : { recoveryTimeout: '20', ...options },
      chosen,
      isBundled: target === undefined,
      baseline,
      authentication: fixtures && {
        fixtures: fixtures.fixtures,
        controlUrl: fixtures.controlUrl,
        ...(second && { secondServerUrl: second.url }),
      },
    };
    const client = clientOf(plan);
    ends.push(() => client.close());
    const findings = await lookAt(client, plan, egressSocket, interruption);
    if (findings.node) ends.push(findings.node.close);
    const { chosen: found } = findings;
    const known = {
      ...plan,
      chosen: found,
      options: isSmall(found, options) ? { ...plan.options, workers: '1' } : plan.options,
    };
    for (const line of introduction({ target: plan.target, ...findings, kinds: findings.chosen.kinds }))
      process.stderr.write(`${line}\n`);
    return { plan: known, findings, run: runOf(known, findings), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The time limit for a part of a run to end, in milliseconds: that of a server to stop, and more. */
const endLimit = 60_000;

/** Ends a part of a run. Throws if it takes too long: a connection may not close. */
const withinTime = (end: () => Promise<void>): Promise<void> =>
  withinRunning(endLimit, end(), () => new Error(`not after ${endLimit / 1000} s`));

/** Examines the target before the first case. Throws UsageError if no run can start. */
async function lookAt(
  client: Client,
  plan: RunPlan,
  egressSocket: string | undefined,
  interruption: Interruption,
): Promise<Findings> {
  const { options, target } = plan;
  try {
    return await inspectTarget({
      ...{ ...plan, client, egressSocket, interruption },
      chosen: plan.chosen,
      output: options.output,
      demanded: options.features ?? target.features,
    });
  } catch (error) {
    if (error instanceof Busy) throw new UsageError(error.message);
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`the target stopped responding before the first case: ${error.message}`);
  }
}

/** The client of the command line, which retries: a lost response does not end a run. */
function clientOf({ target, options: { timeout, recoveryTimeout } }: RunPlan): Client {
  return new Client(target, undefined, {
    ...(timeout === undefined ? {} : { timeout: Number(timeout) * 1000 }),
    recoveryTimeout: recoveryTimeout === undefined ? defaultRecoveryTimeout : Number(recoveryTimeout) * 1000,
    tries: 3,
    pace: new Pace((line) => process.stderr.write(`${line}\n`)),
  });
}

/** Makes the folder for the evidence of a run, and writes its first line. */
async function beginEvidence({ plan, findings, run }: PreparedRun, folder: TakenFolder): Promise<void> {
  const { removeEvidence, removeReports } = await import('../../reports/index.js');
  folder.name(run.runId);
  // A folder never holds two runs: what an earlier one left there is not about this one.
  await Promise.all([removeReports(run.directory), removeEvidence(run.directory)]);
  const parts = partsOf(run);
  makeFolder(parts);
  appendFileSync(join(parts, '0-run.jsonl'), `${JSON.stringify(runHeaderOf(plan, findings))}\n`);
}

/** Returns the folder with the evidence of each worker. */
const partsOf = ({ directory }: Run): string => join(directory, 'evidence');

/** Cleans up after the cases, and writes the report. Returns the exit code. */
async function conclude(
  prepared: PreparedRun,
  { aborted, outages }: SuiteEnd,
  interruption: Interruption,
): Promise<number> {
  const { plan, run } = prepared;
  const parts = partsOf(run);
  const line = new LiveLine(process.stderr);
  if (aborted === undefined && !run.target.readOnly) line.draw('cleaning up');
  const leftovers = await cleanUp(prepared, aborted !== undefined, interruption);
  line.draw('writing the report');
  const footer: RunFooter = {
    type: 'end',
    endedAt: new Date().toISOString(),
    leftovers,
    ...(aborted === undefined ? {} : { aborted }),
    ...(outages.length === 0 ? {} : { outages }),
  };
  const end = writeEnd(parts, `${JSON.stringify(footer)}\n`);
  const exitCode = await report(run.directory, parts, end, () => line.end(), plan.options.history).finally(() => {
    line.end();
    if (dirname(end) !== parts) rmSync(dirname(end), { recursive: true, force: true });
  });
  if (leftovers.length > 0) {
    const when = aborted !== undefined && interruption.reason === undefined ? 'when it responds again, ' : '';
    process.stderr.write(
      `objects of the run are left on the target: ${when}remove them with clean --run ${run.runId}\n`,
    );
  }
  return exitCode;
}

/** Removes the run's objects and node from the target. Returns the names of the remaining objects. */
export async function cleanUp(
  { plan, run, findings: { node } }: PreparedRun,
  wasAborted: boolean,
  interruption: Interruption,
): Promise<string[]> {
  // A read-only run creates nothing, and the objects of the bundled server end with the server.
  const left = run.target.readOnly || plan.isBundled ? [] : await spared(cleanUpRun(run, wasAborted, interruption));
  const ofNode = node === undefined ? [] : await spared(node.close().then(() => []));
  // A late heartbeat may have created the node again.
  const own = `nodes/${node?.facts.name}`;
  return [...left.filter((object) => object !== own && !object.startsWith(`${own} `)), ...ofNode];
}

/** Returns what remains; what breaks the clean-up costs no report. */
const spared = (work: Promise<string[]>): Promise<string[]> =>
  work.catch((error: unknown) => [`unknown: the cleanup broke off: ${String(error).slice(0, 1_000)}`]);

/** Writes the last line of the evidence: beside it, or in a temporary folder if its disk is full. Returns the file. */
function writeEnd(parts: string, text: string): string {
  const name = 'z-end.jsonl';
  try {
    appendFileSync(join(parts, name), text);
    return join(parts, name);
  } catch {
    const file = join(mkdtempSync(join(tmpdir(), 'kube-api-conformance-')), name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }
}

/**
 * Joins the parts of the evidence, judges it and writes the reports. Calls `written` before it prints the summary.
 * Returns the exit code of the verdict. `end`: the file with the last line.
 */
async function report(
  directory: string,
  parts: string,
  end: string,
  written: () => void,
  history: string | undefined,
): Promise<number> {
  const [{ reportOn }, { compressFile }] = await Promise.all([
    import('../reporting/write.js'),
    import('../../reports/index.js'),
  ]);
  const evidence = joined(directory, parts, end);
  const packed = async (): Promise<void> => {
    // Where the disk is full, the evidence stays as it is.
    for (const file of evidence.length === 1 ? evidence : []) await compressFile(file).catch(() => undefined);
    written();
  };
  return await reportOn(evidence, directory, {
    ...{ shardAlone: true, writtenBy: 'thisRun', written: packed },
    ...(history !== undefined && { history }),
  });
}

/** Joins the parts of the evidence into one file. Returns the file, or the parts if the disk has no room for both. */
function joined(directory: string, parts: string, end: string): string[] {
  const names = readdirSync(parts).filter((name) => join(parts, name) !== end);
  const files = [...names.sort().map((name) => join(parts, name)), end];
  const whole = join(directory, 'evidence.jsonl');
  try {
    joinFiles(files, whole);
  } catch {
    rmSync(whole, { force: true });
    return files;
  }
  rmSync(resolve(parts), { recursive: true });
  return [whole];
}

/** Writes all files into one, which other users cannot read. The last line of a killed worker may have no end. */
function joinFiles(files: readonly string[], joined: string): void {
  const buffer = Buffer.allocUnsafe(1 << 20);
  const output = openSync(joined, 'w', 0o600);
  for (const file of files) {
    const input = openSync(file, 'r');
    let last: number | undefined;
    for (let length = readSync(input, buffer); length > 0; length = readSync(input, buffer)) {
      writeFileSync(output, buffer.subarray(0, length));
      last = buffer[length - 1];
    }
    if (last !== undefined && last !== 0x0a) writeFileSync(output, '\n');
    closeSync(input);
  }
  closeSync(output);
}
