// Starts and stops a managed target by the commands of its file.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Lifecycle, Target } from '../matrix/requirements/index.js';
import { packageRoot } from './package.js';
import type { Interruption } from './run/interruption.js';
import { UsageError } from './usageError.js';

/** A target that this process has started. */
export interface Managed {
  readonly target: Target;
  stop(): Promise<void>;
}

/**
 * Runs the start command and reads `url:`, `ca:` and `token:` lines from what it prints. Both commands run in the
 * package's folder, with STATE (a folder of theirs), KUBE_API_CONFORMANCE (this program) and, where the run has any,
 * FIXTURES (the folder of its fixtures) and EGRESS_SOCKET (the way to its node) in their environment.
 * Throws UsageError with the end of their output.
 */
export async function startManaged(
  target: Target,
  { start, stop }: Lifecycle,
  fixtures: string | undefined,
  egressSocket?: string,
  interruption?: Interruption,
): Promise<Managed> {
  const state = mkdtempSync(join(tmpdir(), 'kube-api-conformance-target-'));
  const env = {
    ...process.env,
    STATE: state,
    KUBE_API_CONFORMANCE: fileURLToPath(new URL('./main.js', import.meta.url)),
    ...(fixtures === undefined ? {} : { FIXTURES: resolve(fixtures) }),
    ...(egressSocket === undefined ? {} : { EGRESS_SOCKET: resolve(egressSocket) }),
  };
  const end = async (): Promise<void> => {
    await shell(stop, env);
    rmSync(state, { recursive: true, force: true });
  };
  const started = await shell(start, env, interruption);
  const line = (key: string): string | undefined =>
    new RegExp(`^${key}: *(.+)$`, 'm').exec(started.output)?.[1]?.trim();
  const url = line('url');
  if (started.code !== 0 || url === undefined) {
    await end();
    throw new UsageError(
      `${target.name}: the start command failed (exit ${started.code}):\n${started.output.slice(-2000)}`,
    );
  }
  const [ca, token] = [line('ca'), line('token')];
  const running: Target = {
    ...target,
    url,
    ...(ca === undefined ? {} : { ca: readFileSync(ca, 'utf8') }),
    credentials: { ...target.credentials, ...(token === undefined ? {} : { staticToken: { token } }) },
  };
  return { target: running, stop: end };
}

function shell(
  command: string,
  env: NodeJS.ProcessEnv,
  interruption?: Interruption,
): Promise<{ readonly code: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    // A group of its own: Ctrl-C on a terminal would end what it started before the run.
    const child = spawn('sh', ['-c', command], {
      env,
      cwd: packageRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ignore = interruption?.listen(() => child.kill('SIGTERM'));
    let output = '';
    const collect = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', reject);
    child.once('exit', (code) => {
      ignore?.();
      resolve({ code, output });
    });
  });
}
