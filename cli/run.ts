// The `run` command: prepares a target, runs the suite against it, cleans up, judges the evidence, writes the reports.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { allCases, type RunFooter, type RunHeader, selects, type Target } from '../matrix/requirements/index.js';
import { EvidenceError, judge, readEvidence, renderSummary, type Verdict, writeReports } from '../reports/index.js';
import { Client, NoAnswer, type Run, readNotOffered, runVariable, tryCleanUp, writeRun } from '../suites/index.js';
import { type Managed, startManaged } from './managed.js';
import { packageRoot, version } from './package.js';
import { type RunFixtures, startFixtures, withFixtures } from './runFixtures.js';
import { type Started, serveSecondServer } from './secondServer.js';
import { resolveTarget, type TargetOptions } from './target.js';
import { UsageError } from './usageError.js';

/** What the command line says of a run beside its target. */
export interface RunOptions {
  readonly output: string;
  readonly grep?: string;
  readonly workers: string;
  readonly fixtures?: string;
}

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
    .option('--disposable', 'the server is nobody’s: cluster-wide delete-collections may run')
    .option('--list', 'print the ids of all cases and end')
    .option('--grep <id>', 'only cases whose id contains this text')
    .option('--output <directory>', 'where evidence and reports go', 'report')
    .option('--workers <n>', 'how many workers', '2')
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
  if (lifecycle === undefined) return await runOnReachable(target, options, fixtures);
  const managed = await startManaged(target, lifecycle, fixtures?.directory);
  try {
    if (fixtures === undefined) return await runOnReachable(managed.target, options);
    const again = (directory: string): Promise<Managed> => startManaged(target, lifecycle, directory);
    return await runBesideSecond(managed.target, options, fixtures, again);
  } finally {
    await managed.stop();
  }
}

/** Runs the suite on a target of which `start` starts another one with the fixtures in a folder. */
export async function runBesideSecond(
  target: Target,
  options: RunOptions,
  fixtures: RunFixtures,
  start: (directory: string) => Promise<Started>,
): Promise<number> {
  const second = await serveSecondServer(fixtures.directory, start);
  try {
    return await runOnReachable(target, options, { ...fixtures, secondServerUrl: second.url });
  } finally {
    await second.close();
  }
}

/** Throws UsageError for options that no run can have. */
export function checkOptions({ grep, workers }: RunOptions): void {
  if (!/^[1-9]\d?$/.test(workers)) throw new UsageError(`--workers: ${workers} is not a number from 1 to 99`);
  if (!allCases().some(({ id }) => selects(grep, id))) {
    throw new UsageError(`no case id contains ${JSON.stringify(grep)}; run --list prints them all`);
  }
}

/** Runs the suite on a target that is there, with the fixtures that it was started with. */
async function runOnReachable(reachable: Target, options: RunOptions, fixtures?: RunFixtures): Promise<number> {
  const target = fixtures === undefined ? reachable : withFixtures(reachable, fixtures);
  const client = new Client(target);
  try {
    const serverVersion = await preflight(client);
    const notOffered = [...target.notOffered, ...(await readNotOffered(client))];
    const runId = randomBytes(4).toString('hex').slice(0, 6);
    const directory = resolve(options.output);
    const parts = join(directory, 'evidence');
    rmSync(parts, { recursive: true, force: true });
    mkdirSync(parts, { recursive: true });
    const header: RunHeader = {
      type: 'run',
      version,
      runId,
      startedAt: new Date().toISOString(),
      target: { name: target.name, url: target.url, ...(serverVersion === undefined ? {} : { serverVersion }) },
      notOffered,
      deviations: target.deviations,
      disposable: target.disposable,
      ...(options.grep === undefined ? {} : { grep: options.grep }),
    };
    appendFileSync(join(parts, '0-run.jsonl'), `${JSON.stringify(header)}\n`);
    const run: Run = {
      runId,
      target: { ...target, notOffered },
      directory,
      ...(options.grep === undefined ? {} : { grep: options.grep }),
      ...(fixtures === undefined ? {} : { authentication: authenticationOf(fixtures) }),
    };
    const aborted = await runSuite(run, options.workers);
    const leftovers = await tryCleanUp(client, runId, notOffered);
    const footer: RunFooter = {
      type: 'end',
      endedAt: new Date().toISOString(),
      leftovers,
      ...(aborted === undefined ? {} : { aborted }),
    };
    appendFileSync(join(parts, 'z-end.jsonl'), `${JSON.stringify(footer)}\n`);
    return await report(directory, parts);
  } finally {
    await client.close();
  }
}

function authenticationOf({ fixtures, controlUrl, secondServerUrl }: RunFixtures): NonNullable<Run['authentication']> {
  return { fixtures, controlUrl, ...(secondServerUrl === undefined ? {} : { secondServerUrl }) };
}

/** Whether the target can be reached and lets us in. Throws UsageError with one sentence that says what to do. */
async function preflight(client: Client): Promise<string | undefined> {
  const { url } = client.target;
  let reply: Awaited<ReturnType<Client['send']>>;
  try {
    reply = await client.send({ method: 'GET', path: '/version', deadline: 10_000 });
    if (reply.status === 404) reply = await client.send({ method: 'GET', path: '/api/v1', deadline: 10_000 });
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    throw new UsageError(`${url} does not answer (${adviceOn(error.message)})`);
  }
  if (reply.status === 401 || reply.status === 403) {
    throw new UsageError(
      `${url} does not let us in (${reply.status}): give valid credentials with --token or --kubeconfig`,
    );
  }
  const gitVersion = (reply.tryValue() as { gitVersion?: unknown } | null | undefined)?.gitVersion;
  return typeof gitVersion === 'string' ? gitVersion : undefined;
}

function adviceOn(message: string): string {
  if (/self.signed|unable to (verify|get)|issuer/i.test(message))
    return `${message}; give its authority with --ca FILE`;
  if (/altnames|Hostname/i.test(message)) return `${message}; use a host name that the certificate holds`;
  return `${message}; is it running, and is the address right?`;
}

/** Runs Playwright on the compiled suite. Returns why the run could not go on, if it could not. */
async function runSuite(run: Run, workers: string): Promise<string | undefined> {
  const secrets = mkdtempSync(join(tmpdir(), 'kube-api-conformance-'));
  const file = join(secrets, 'run.json');
  writeRun(file, run);
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const config = fileURLToPath(new URL('../playwright.config.js', import.meta.url));
  const child = spawn(process.execPath, [cli, 'test', '--config', config], {
    cwd: packageRoot,
    stdio: 'inherit',
    env: {
      ...process.env,
      [runVariable]: file,
      KUBE_API_CONFORMANCE_OUTPUT: join(secrets, 'output'),
      KUBE_API_CONFORMANCE_WORKERS: workers,
    },
  });
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const code = await new Promise<number | NodeJS.Signals | null>((done, reject) => {
      child.once('error', reject).once('exit', (exit, signal) => done(exit ?? signal));
    });
    return code === 0 || code === 1 ? undefined : `the runner ended with ${code}`;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
    rmSync(secrets, { recursive: true, force: true });
  }
}

async function report(directory: string, parts: string): Promise<number> {
  const merged = join(directory, 'evidence.jsonl');
  const out = createWriteStream(merged, { mode: 0o600 });
  for (const part of readdirSync(parts).sort())
    await pipeline(createReadStream(join(parts, part)), out, { end: false });
  await new Promise<void>((done) => out.end(done));
  rmSync(parts, { recursive: true });
  const evidence = await readEvidence(merged).catch((error: unknown) => {
    throw error instanceof EvidenceError ? new UsageError(`the evidence cannot be read: ${error.message}`) : error;
  });
  const verdict = judge(evidence);
  const paths = await writeReports(verdict, evidence, directory);
  process.stdout.write(`${renderSummary(verdict)}\n${countLine(verdict)}\nreport: ${paths.html}\n`);
  return verdict.exitCode;
}

/** One line for scripts: how many cases passed and failed, and how many were not judged. */
function countLine({ cases }: Verdict): string {
  const count = (...verdicts: readonly Verdict['cases'][number]['verdict'][]): number =>
    cases.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return (
    `cases: ${count('passed')} passed, ${count('failed', 'not-testable')} failed, ${count('deviation')} deviations, ` +
    `${count('not-offered')} not offered, ${count('not-run')} not run`
  );
}
