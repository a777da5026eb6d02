// A run with exactly the permissions of the ClusterRole that it offers is refused nothing.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEvidence } from '../../reports/index.js';
import { Client } from '../../suites/index.js';
import { bareTarget } from '../../suites/testing/bareTarget.js';
import { startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';
import { isSoak } from '../../suites/testing/soak.js';
import { hasKubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

const rbac = '/apis/rbac.authorization.k8s.io/v1';
const namespace = 'default';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'own-role-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Server {
  readonly url: string;
  readonly token: string;
  readonly caFile: string;
  stop(): Promise<void>;
}

/** Parts of a run that need different permissions. */
const parts = {
  'a smoke run': ['--profile', 'smoke'],
  'one kind': ['--chapter', 'list,create,delete,watch', '--grep', '/api/v1/namespaces/{namespace}/endpoints'],
  'quotas and limits': ['--profile', 'smoke', '--chapter', 'admission'],
  'what connects to pods': ['--profile', 'smoke', '--chapter', 'connect,log,proxy'],
  'reads alone': ['--profile', 'smoke', '--read-only', '--chapter', 'read,list,discovery,watch'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type Part = keyof typeof parts;
const [whole, ...others] = Object.keys(parts) as [Part, ...Part[]];

/** Servers with their parts: a controller of kube-apiserver takes minutes for the namespaces of the whole run. */
const servers: readonly (readonly [name: string, has: boolean, own: readonly Part[], start: () => Promise<Server>])[] =
  [
    [
      'the reference server',
      true,
      isSoak ? [whole, ...others] : ['reads alone'],
      async () => await startReferenceServer(['--authorization-mode', 'RBAC'], { modern: true }),
    ],
    [
      'kube-apiserver',
      hasKubeApiserver(),
      isSoak ? others : ['one kind'],
      async () => {
        const server = await startKubeApiserver('--authorization-mode=RBAC');
        return { ...server, caFile: server.ca };
      },
    ],
  ];

describe.each(servers)('on %s', (_, has, own, start) => {
  let server: Server;
  let admin: Client;
  beforeAll(async () => {
    if (!has) return;
    server = await start();
    const target = bareTarget(server.url, { ca: readFileSync(server.caFile, 'utf8') });
    admin = new Client({ ...target, credentials: { staticToken: { token: server.token } } });
  });
  afterAll(async () => {
    await admin?.close();
    await server?.stop();
  });

  /** Creates an object as the administrator; returns the response. */
  async function create(path: string, object: object): Promise<unknown> {
    const headers = { 'content-type': 'application/json' };
    const reply = await admin.send({ method: 'POST', path, headers, body: JSON.stringify(object) });
    expect(reply.status, reply.excerpt()).toBeLessThan(300);
    return reply.value();
  }

  it.skipIf(!has).each(own)('%s needs no more than its ClusterRole', async (part) => {
    const name = `runner-${Object.keys(parts).indexOf(part)}`;
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await create(accounts, { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name } });
    const made = await create(`${accounts}/${name}/token`, {
      ...{ kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec: { expirationSeconds: 7200 } },
    });
    const { token } = (made as { readonly status: { readonly token: string } }).status;
    const output = join(folder, name + server.url.replaceAll(/\W/g, ''));
    const options = ['--url', server.url, '--ca', server.caFile, '--token', token, '--disposable', '--output', output];
    const run = () => call('run', ...options, ...parts[part]);

    const refused = await run();
    expect(refused.stderr).toContain('does not permit what the chosen cases need');
    const role = load(readFileSync(join(output, 'clusterrole.yaml'), 'utf8')) as { readonly rules: unknown };
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    await create(`${rbac}/clusterroles`, { ...role, metadata: { name } });
    await create(`${rbac}/clusterrolebindings`, {
      ...{ kind: 'ClusterRoleBinding', apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name }, roleRef },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    });

    const { stdout, stderr } = await run();
    const { cases, end } = await readEvidence(join(output, 'evidence.jsonl'));
    expect(end, stdout + stderr).toMatchObject({ leftovers: [] });
    const lacking = [...cases.values()].filter(({ message = '' }) => /the user of the run cannot|: 403 /.test(message));
    expect(lacking.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect([...cases.values()].filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(5);
  });
});
