// A real kube-apiserver, from the programs that KUBEBUILDER_ASSETS names, for the tests that ask it too.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RunFixtures, startFixtures } from '../run/fixtures.js';
import { main } from './serving.js';

/** Why there is none; undefined if there is one. */
export const withoutKubeApiserver =
  process.env.KUBEBUILDER_ASSETS === undefined
    ? 'KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver'
    : undefined;

/** Whether there is one; prints why tests are not run if there is none. */
export function hasKubeApiserver(): boolean {
  if (withoutKubeApiserver !== undefined) console.log(`not run: ${withoutKubeApiserver}`);
  return withoutKubeApiserver === undefined;
}

/** A server that runs, and a token of system:masters for it. */
export interface KubeApiserver {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  /** The file of its certificate authority, and what is in it. */
  readonly ca: string;
  readonly caCertificate: string;
  readonly fixtures: RunFixtures;
  /** The folder with the process ids of its programs, which is removed in the end. */
  readonly state: string;
  /** Starts it again, with what it has stored. Returns its port then. */
  restart(): Promise<number>;
  stop(): Promise<void>;
}

const portOf = (url: string): number => Number(new URL(url).port);

/** Starts the server with fixtures, and with more options of `envtest start`. */
export async function startKubeApiserver(...options: readonly string[]): Promise<KubeApiserver> {
  const state = await mkdtemp(join(tmpdir(), 'kube-apiserver-'));
  const fixtures = await startFixtures(undefined, 'k8s.io');
  const envtest = (...words: readonly string[]) =>
    promisify(execFile)(process.execPath, [main, 'envtest', ...words, '--state', state]);
  const start = async () => {
    const { stdout } = await envtest('start', '--fixtures', fixtures.directory, ...options);
    return Object.fromEntries(stdout.split('\n').map((line) => line.split(/: (.*)/s)));
  };
  const restart = async (): Promise<number> => {
    await envtest('stop');
    return portOf((await start()).url);
  };
  const stop = async (): Promise<void> => {
    await envtest('stop');
    await fixtures.close();
    await rm(state, { recursive: true, force: true });
  };
  try {
    const { url, token, ca } = await start();
    return {
      url,
      port: portOf(url),
      token,
      ca,
      caCertificate: await readFile(ca, 'utf8'),
      fixtures,
      state,
      restart,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
