// Starts the compiled reference server as a separate process, as a user would, for tests of the suite.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readYaml } from '../client/yaml.js';

/** The path of the compiled command line, whether this file is compiled or not. */
export const main = join(packageFolder(import.meta.dirname), 'dist/cli/main.js');

function packageFolder(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : packageFolder(dirname(from));
}

export interface Running {
  readonly url: string;
  readonly ca: string;
  readonly caFile: string;
  readonly token: string;
  readonly kubeconfig: string;
  readonly pid: number;
  stop(): Promise<void>;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

/**
 * Starts the server on a free port, with further options, and waits for its kubeconfig. It has only the groups of the
 * interface, unless it is modern.
 */
export async function startReferenceServer(
  options: readonly string[] = [],
  { modern = false }: { readonly modern?: boolean } = {},
): Promise<Running> {
  const state = mkdtempSync(join(tmpdir(), 'reference-server-'));
  const kubeconfig = join(state, 'kubeconfig');
  const child = spawn(
    process.execPath,
    [main, 'serve', ...(modern ? [] : ['--no-modern']), '--nodes', '0', '--write-kubeconfig', kubeconfig, ...options],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const deadline = Date.now() + 600_000;
  while (!existsSync(kubeconfig)) {
    if (Date.now() > deadline || hasEnded()) throw new Error('the reference server did not start');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const config = readYaml(readFileSync(kubeconfig, 'utf8')) as Kubeconfig;
  const [cluster, user] = [config.clusters[0]?.cluster, config.users[0]?.user];
  const ca = Buffer.from(cluster?.['certificate-authority-data'] ?? '', 'base64').toString('utf8');
  const caFile = join(state, 'ca.crt');
  writeFileSync(caFile, ca);
  return {
    url: cluster?.server ?? '',
    ca,
    caFile,
    token: user?.token ?? '',
    kubeconfig,
    pid: child.pid ?? 0,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      // a server that crashed has ended already
      if (!hasEnded()) {
        child.kill('SIGTERM');
        await ended;
      }
      rmSync(state, { recursive: true, force: true });
    },
  };
}
