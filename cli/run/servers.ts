// The servers that a run starts and stops: the bundled one, or that of a target file with a start command.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runningTime } from '../../suites/client/runningTime.js';
import type { Fixtures } from '../../suites/index.js';
import type { Lifecycle, NotSupported, Target } from '../../suites/requirements/index.js';
import type { KeyKind } from '../../test-certs/index.js';
import { UsageError } from '../errors.js';
import { packageRoot, readTextFile } from '../files.js';
import { referenceServerFlags } from '../fixtures/flags.js';
import { resolveTarget } from '../target/target.js';
import { serverOptions } from '../v8.js';
import type { Interruption } from './interruption.js';
import type { StartedSecondServer } from './secondServer.js';

interface Started {
  readonly target: Target;
  stop(): Promise<void>;
}

interface Folder {
  readonly directory: string;
  readonly fixtures: Fixtures;
}

interface Equipment {
  readonly fixtures?: Folder | undefined;
  /** The socket at which the server reaches the node of the run. */
  readonly egressSocket?: string | undefined;
  /** Absent for a second server, which ends with the case that requested it. */
  readonly interruption?: Interruption;
  /** A second server only authenticates. */
  readonly isSecond?: true;
}

/** A server that the run can start repeatedly. */
export interface OwnServer {
  /** The kind of the key of service accounts in its fixtures; absent for a server without fixtures. */
  readonly serviceAccountKey?: KeyKind;
  readonly hasNode: boolean;
  /** Throws UsageError if the server does not become ready. */
  start(equipment: Equipment): Promise<Started>;
  /** Starts a second server beside the target. Rejects if the server does not become ready. */
  startSecond(fixtures: Folder): Promise<StartedSecondServer>;
}

const main = fileURLToPath(new URL('../main.js', import.meta.url));
/** The time limit for the bundled server to become ready, in milliseconds. */
const timeout = 120_000;

export const bundledServer: OwnServer = {
  serviceAccountKey: 'ec',
  hasNode: true,
  start: startBundled,
  startSecond: startSecondBundled,
};

export function managedServer(target: Target, lifecycle: Lifecycle): OwnServer {
  return {
    ...(lifecycle.fixtures && { serviceAccountKey: 'rsa-2048' }),
    hasNode: target.nodes === 'ours',
    start: (equipment) => startManaged(target, lifecycle, equipment),
    startSecond: (fixtures) => startManaged(target, lifecycle, { fixtures, isSecond: true }),
  };
}

/** Starts the reference server in a child process. */
async function startBundled({ fixtures, egressSocket }: Equipment): Promise<Started> {
  const state = mkdtempSync(join(tmpdir(), 'kube-api-conformance-server-'));
  const kubeconfig = join(state, 'kubeconfig');
  const nodes = egressSocket === undefined ? ['--nodes', '0'] : ['--egress-proxy', egressSocket];
  const flags = fixtures === undefined ? [] : referenceServerFlags(fixtures.directory, fixtures.fixtures);
  // Only the surface of the interface is judged.
  const serve = [...serverOptions, main, 'serve', '--no-modern', ...nodes, '--write-kubeconfig', kubeconfig, ...flags];
  const server = spawn(process.execPath, serve, {
    // The server ends when the channel closes, so that it does not outlive a run that is killed.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // Its own process group: otherwise Ctrl-C on a terminal would end the server before the run.
    detached: true,
  });
  const kill = (): boolean => server.kill();
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await ended;
    process.off('exit', kill);
    rmSync(state, { recursive: true, force: true });
  };
  try {
    await written(kubeconfig, () => server.exitCode ?? server.signalCode);
    const target = resolveTarget({ kubeconfig, disposable: true });
    return { target: { ...target, name: 'reference-server', features: 'all' }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts the reference server in this process: a process of its own would take a second of CPU time to start, and cases
 * start a second server often.
 */
async function startSecondBundled({ directory, fixtures }: Folder): Promise<StartedSecondServer> {
  const { startHere } = await import('../serve/serve.js');
  const { url, caCertificate: ca, close } = await startHere(referenceServerFlags(directory, fixtures));
  return { target: { url, ca }, stop: close };
}

async function written(file: string, exitCode: () => number | NodeJS.Signals | null): Promise<void> {
  const deadline = runningTime() + timeout;
  while (!existsSync(file)) {
    if (exitCode() !== null) throw new UsageError(`the reference server ended with ${exitCode()} before it was ready`);
    if (runningTime() > deadline) throw new UsageError(`the reference server was not ready after ${timeout / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns what a start command says that the server lacks: lines such as `lacks: feature:token-controller REASON`. */
export function lacksIn(output: string): NotSupported[] {
  return [...output.matchAll(/^lacks: *(\S+) +(.+)$/gm)].map(([, capability = '', reason = '']) => ({
    capability: capability as NotSupported['capability'],
    reason: reason.trim(),
    at: 'its start command',
  }));
}

/**
 * Runs the start command and reads `url:`, `ca:`, `token:` and `lacks:` lines from its output. Both commands run in the package's
 * folder, with these environment variables: STATE (a folder for their files), KUBE_API_CONFORMANCE (this program) and,
 * if the run has them, FIXTURES (the folder of its fixtures) and EGRESS_SOCKET (the socket of its node). SECOND is set for
 * a second server. Throws UsageError with the end of their output.
 */
async function startManaged(
  target: Target,
  { start, stop }: Lifecycle,
  { fixtures, egressSocket, interruption, isSecond }: Equipment,
): Promise<Started> {
  const state = mkdtempSync(join(tmpdir(), 'kube-api-conformance-target-'));
  const env = {
    ...process.env,
    STATE: state,
    KUBE_API_CONFORMANCE: main,
    ...(fixtures === undefined ? {} : { FIXTURES: resolve(fixtures.directory) }),
    ...(egressSocket === undefined ? {} : { EGRESS_SOCKET: resolve(egressSocket) }),
    ...(isSecond && { SECOND: 'yes' }),
  };
  const end = async (): Promise<void> => {
    const { errors } = await shell(stop, env);
    if (errors !== '') process.stderr.write(`${target.name}: the stop command says:\n${errors.trimEnd()}\n`);
    rmSync(state, { recursive: true, force: true });
  };
  const started = await shell(start, env, interruption);
  try {
    return { target: startedTarget(target, started), stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Returns the target that a start command has started. Throws UsageError if it failed, or what it says is unusable. */
function startedTarget(target: Target, { code, output }: Ended): Target {
  const line = (key: string): string | undefined => new RegExp(`^${key}: *(.+)$`, 'm').exec(output)?.[1]?.trim();
  const url = line('url');
  if (code !== 0 || url === undefined)
    throw new UsageError(`${target.name}: the start command failed (exit ${code}):\n${output.slice(-2000)}`);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(
      `${target.name}: the start command says url: ${url.slice(0, 200)}, which is no http or https URL`,
    );
  const [ca, token] = [line('ca'), line('token')];
  return {
    ...target,
    url,
    ...(ca !== undefined && { ca: readTextFile(ca, `${target.name}: the ca of the start command`) }),
    notSupported: [...target.notSupported, ...lacksIn(output)],
    credentials: { ...target.credentials, ...(token === undefined ? {} : { staticToken: { token } }) },
  };
}

/** A command that has ended: its output and errors together, and its errors. */
interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The most characters that are kept of each end of what a command writes. */
const mostKept = 512 * 1024;

/** Adds to a text, of which the middle is left out when it is too long. */
function added(text: string, more: string): string {
  const whole = text + more;
  return whole.length <= 4 * mostKept ? whole : `${whole.slice(0, mostKept)}\n…\n${whole.slice(-mostKept)}`;
}

function shell(command: string, env: NodeJS.ProcessEnv, interruption?: Interruption): Promise<Ended> {
  return new Promise((resolve, reject) => {
    // Its own process group: otherwise Ctrl-C on a terminal would end the server before the run.
    const child = spawn('sh', ['-c', command], {
      env,
      cwd: packageRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ignore = interruption?.listen(() => child.kill('SIGTERM'));
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output = added(output, chunk.toString());
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output = added(output, chunk.toString());
      errors = added(errors, chunk.toString());
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      ignore?.();
      resolve({ code, output, errors });
    });
  });
}
