// Three reference servers that share an etcd behind nginx, as `tools/testing/replicas.mjs` starts them, for tests.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestCluster } from './cluster.js';
import { writeTestFixtures } from './testFixtures.js';

const program = fileURLToPath(new URL('../../tools/testing/replicas.mjs', import.meta.url));
const run = promisify(execFile);

export interface Replicas {
  /** How many servers were killed until now. */
  kills(): number;
  stop(): Promise<void>;
}

/**
 * Starts the servers for a cluster, with a random one killed every few seconds and started again, `kills` times at
 * most. Throws if one of the servers does not start.
 */
export async function startReplicas(cluster: TestCluster, kills: number): Promise<Replicas> {
  const [state, fixtures] = [join(cluster.folder, 'state'), join(cluster.folder, 'fixtures')];
  await writeTestFixtures(fixtures);
  const settings = { REPLICAS: '3', KILLS: String(kills), MODERN: 'yes', EGRESS_SOCKET: cluster.egressSocket };
  const env = { ...process.env, ...settings, STATE: state, FIXTURES: fixtures };
  const stop = async (): Promise<void> => {
    await run(process.execPath, [program, 'stop'], { env });
  };
  const { stdout } = await run(process.execPath, [program, 'start'], { env }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const facts = new Map([...stdout.matchAll(/^(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
  const [url, ca, token] = ['url', 'ca', 'token'].map((name) => facts.get(name));
  if (url === undefined || ca === undefined || token === undefined) throw new Error(`replicas: ${stdout}`);
  cluster.use({ url, ca, token });
  return {
    kills: () => (existsSync(join(state, 'killed')) ? Number(readFileSync(join(state, 'killed'), 'utf8')) : 0),
    stop,
  };
}
