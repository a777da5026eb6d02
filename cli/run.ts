// The `run` command: prepares a target, runs the suite against it, cleans up, judges the evidence, writes the reports.
import { randomBytes } from 'node:crypto';
import { appendFileSync, createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import {
  allCases,
  type Nodes,
  type RunFooter,
  type RunHeader,
  selects,
  type Target,
} from '../matrix/requirements/index.js';
import { EvidenceError, judge, readEvidence, renderSummary, type Verdict, writeReports } from '../reports/index.js';
import { Client, findNodes, lacksOf, NoAnswer, type Run, readNotOffered, tryCleanUp } from '../suites/index.js';
import { type Managed, startManaged } from './managed.js';
import { version } from './package.js';
import { type RunFixtures, startFixtures, withFixtures } from './runFixtures.js';
import { type RunNode, startRunNode } from './runNode.js';
import { runSuite } from './runSuite.js';
import { type Started, serveSecondServer } from './secondServer.js';
import { newEgressSocket } from './serveNodes.js';
import { resolveTarget, type TargetOptions } from './target.js';
import { UsageError } from './usageError.js';

/** What the command line says of a run beside its target. */
export interface RunOptions {
  readonly output: string;
  readonly grep?: string;
  readonly workers: string;
  readonly fixtures?: string;
  readonly egressSocket?: string;
}

/** What a run has beside its target. */
interface Beside {
  /** What the target was started with. */
  readonly fixtures?: RunFixtures | undefined;
  /** Where the target reaches the node of the run; absent where it plays none. */
  readonly egressSocket?: string | undefined;
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
    .option('--egress-socket <file>', 'play a node for the run; the server was started to reach nodes and pods there')
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

/** Throws UsageError for options that no run can have. */
export function checkOptions({ grep, workers }: RunOptions): void {
  if (!/^[1-9]\d?$/.test(workers)) throw new UsageError(`--workers: ${workers} is not a number from 1 to 99`);
  if (!allCases().some(({ id }) => selects(grep, id))) {
    throw new UsageError(`no case id contains ${JSON.stringify(grep)}; run --list prints them all`);
  }
}

/** Runs the suite on a target that is there, with what it was started with. */
async function runOnReachable(reachable: Target, options: RunOptions, beside: Beside): Promise<number> {
  const { fixtures, egressSocket } = beside;
  const target = fixtures === undefined ? reachable : withFixtures(reachable, fixtures);
  const client = new Client(target);
  let node: RunNode | undefined;
  try {
    const serverVersion = await preflight(client);
    const nodes = egressSocket === undefined ? await nodesOf(client) : 'ours';
    const notOffered = [...target.notOffered, ...(await readNotOffered(client)), ...lacksOf(nodes)];
    const runId = randomBytes(4).toString('hex').slice(0, 6);
    if (egressSocket !== undefined && needsNode(options)) node = await startRunNode(client, runId, egressSocket);
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
      nodes,
      ...(options.grep === undefined ? {} : { grep: options.grep }),
    };
    appendFileSync(join(parts, '0-run.jsonl'), `${JSON.stringify(header)}\n`);
    const run: Run = {
      runId,
      target: { ...target, notOffered },
      directory,
      ...(options.grep === undefined ? {} : { grep: options.grep }),
      ...(node === undefined ? {} : { node: node.facts }),
      ...(fixtures === undefined ? {} : { authentication: authenticationOf(fixtures) }),
    };
    const aborted = await runSuite(run, options.workers);
    const left = await tryCleanUp(client, runId, notOffered);
    await node?.close();
    // its heartbeat may have brought it back
    const leftovers = left.filter((object) => object !== `nodes/${node?.facts.name}`);
    const footer: RunFooter = {
      type: 'end',
      endedAt: new Date().toISOString(),
      leftovers,
      ...(aborted === undefined ? {} : { aborted }),
    };
    appendFileSync(join(parts, 'z-end.jsonl'), `${JSON.stringify(footer)}\n`);
    return await report(directory, parts);
  } finally {
    await node?.close();
    await client.close();
  }
}

function authenticationOf({ fixtures, controlUrl, secondServerUrl }: RunFixtures): NonNullable<Run['authentication']> {
  return { fixtures, controlUrl, ...(secondServerUrl === undefined ? {} : { secondServerUrl }) };
}

/** Who runs the pods of a target for which the run plays no node. */
async function nodesOf(client: Client): Promise<Nodes> {
  const { nodes } = client.target;
  return nodes === undefined || nodes === 'ours' ? await findNodes(client) : nodes;
}

/** Whether a case that is selected needs a node. */
const needsNode = ({ grep }: RunOptions): boolean =>
  allCases().some(({ id, subject }) => subject.node !== undefined && selects(grep, id));

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
