// kubectl on three servers behind nginx, one of which is killed every few seconds: its user loses at most a connection.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { expect, inject, it } from 'vitest';
import { programPath } from '../../reference-server/testing/programs.js';
import { TestCluster } from '../testing/cluster.js';
import { newest } from '../testing/kubectl/clients.js';
import { readSession, runSession } from '../testing/kubectl/session.js';
import { startReplicas } from '../testing/replicas.js';

const missing = ['etcd', 'nginx'].find((name) => programPath(name) === undefined);
if (missing !== undefined) console.log(`not run: no ${missing}`);
else if (newest === undefined) console.log('not run: KUBECTL names no kubectl');

/** How many commands of the session are entered: on a busy machine all of them take too long. COMMANDS is another number. */
const most = Number(process.env.COMMANDS ?? 60);

it.skipIf(missing !== undefined || newest === undefined)('kubectl while servers are killed', async () => {
  const { command = '', minor = 0, version = '' } = newest ?? {};
  const cluster = new TestCluster();
  const replicas = await startReplicas(cluster, 1_000);
  try {
    await cluster.startAgent();
    const kubeconfig = join(cluster.folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigOf(cluster));
    // The session may be shorter than the time until the first kill.
    await expect.poll(() => replicas.kills()).toBeGreaterThan(0);
    const commands = (await readSession()).filter(({ from }) => minor >= from).slice(0, most);
    const outcomes = await runSession(command, kubeconfig, commands, { timeout: inject('deadline') / 4, isCut });
    const cut = outcomes.filter(({ attempts }) => attempts > 1).length;
    const faults = outcomes.filter(({ fault }) => fault !== undefined);
    console.log(
      `kubectl ${version}: ${outcomes.length - faults.length} of ${outcomes.length} commands; ${replicas.kills()} servers killed, ${cut} commands entered again`,
    );
    expect(faults).toEqual([]);
  } finally {
    await replicas.stop();
    await cluster.close();
  }
});

/** Reports whether the output of a command says that it lost its connection. */
const isCut = (output: string): boolean =>
  /\bEOF\b|connection reset|connection refused|connection lost|error dialing|broken pipe|closed network connection/.test(
    output,
  );

function kubeconfigOf({ facts: { url, ca, token } }: TestCluster): string {
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server: url, 'certificate-authority': ca } }],
    users: [{ name: 'u', user: { token } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  });
}
