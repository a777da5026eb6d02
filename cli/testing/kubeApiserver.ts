// A real kube-apiserver, from the programs that KUBEBUILDER_ASSETS names, for the tests that ask it too.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startFixtures } from '../run/fixtures.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Whether there is one; prints why tests are not run if there is none. */
export function hasKubeApiserver(): boolean {
  if (process.env.KUBEBUILDER_ASSETS !== undefined) return true;
  console.log('not run: KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver');
  return false;
}

/** A server that runs, and a token of system:masters for it. */
export interface KubeApiserver {
  readonly url: string;
  readonly token: string;
  /** The file of its certificate authority, and what is in it. */
  readonly ca: string;
  readonly caCertificate: string;
  stop(): Promise<void>;
}

/** Starts the server with fixtures, and with more options of `envtest start`. */
export async function startKubeApiserver(...options: readonly string[]): Promise<KubeApiserver> {
  const state = await mkdtemp(join(tmpdir(), 'kube-apiserver-'));
  const fixtures = await startFixtures(undefined, 'k8s.io');
  const envtest = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [main, 'envtest', ...words, '--state', state]);
  const stop = async (): Promise<void> => {
    await envtest('stop');
    await fixtures.close();
    await rm(state, { recursive: true, force: true });
  };
  try {
    const { stdout } = await envtest('start', '--fixtures', fixtures.directory, ...options);
    const { url, token, ca } = Object.fromEntries(stdout.split('\n').map((line) => line.split(/: (.*)/s)));
    return { url, token, ca, caCertificate: await readFile(ca, 'utf8'), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
