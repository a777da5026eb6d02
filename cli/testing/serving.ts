// The `serve` command in a child process, and a cluster that uses it, for tests.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { firstOutput } from '../../reference-server/testing/firstOutput.js';
import { TestCluster } from './cluster.js';

/** The compiled command line. */
export const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

export interface Serving {
  readonly cluster: TestCluster;
  readonly child: ChildProcess;
  /** The path of a file. */
  readonly kubeconfig: string;
  /** Kills the process and removes its files. */
  stop(): Promise<void>;
}

/** Starts the command. Resolves when it prints that it is ready. */
export async function startServing(...options: readonly string[]): Promise<Serving> {
  const cluster = new TestCluster();
  const kubeconfig = join(cluster.folder, 'kubeconfig');
  const child = spawn(process.execPath, [main, 'serve', '--write-kubeconfig', kubeconfig, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await firstOutput(child);
  const config = load(readFileSync(kubeconfig, 'utf8')) as AnyShape;
  const ca = join(cluster.folder, 'ca.crt');
  writeFileSync(ca, Buffer.from(config.clusters[0].cluster['certificate-authority-data'], 'base64'));
  cluster.use({ url: config.clusters[0].cluster.server, ca, token: config.users[0].user.token });
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await cluster.close();
  };
  return { cluster, child, kubeconfig, stop };
}
