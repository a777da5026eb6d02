// Which flow schema and priority level responses name: on this server, and on a real kube-apiserver of 1.20.
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import type { AnyShape } from '../../reference-server/testing/anyShape.js';
import { hasKubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

type Asked = Pick<RunningServer, 'url' | 'caCertificate' | 'token'>;

/** A request of a user, and the names of its schema here and on 1.20; undefined for none. */
type Case = readonly [user: string, groups: string, call: string, schema: string | undefined, before?: string | false];

const kubeSystem = 'system:serviceaccounts,system:serviceaccounts:kube-system';
const pods = '/api/v1/namespaces/default/pods';
const leases = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';

const cases: readonly Case[] = [
  ['joe', '', 'GET /api/v1/pods', 'global-default'],
  ['joe', '', 'GET /apis', 'global-default'],
  ['joe', '', 'GET /version', 'global-default'],
  ['joe', '', 'GET /nope', 'global-default'],
  ['joe', '', 'GET /healthz', 'probes', 'global-default'],
  ['joe', '', 'POST /healthz', 'global-default'],
  ['joe', '', `GET ${pods}/none`, 'global-default'],
  ['joe', '', 'POST /api/v1/pods', 'global-default'],
  ['joe', '', `GET ${pods}?watch=1&timeoutSeconds=1`, 'global-default', false],
  ['joe', '', `GET ${pods}/none/log`, undefined],
  ['joe', '', `POST ${pods}/none/exec`, undefined],
  ['joe', '', `GET ${pods}/none/proxy/`, undefined],
  ['kcm', 'system:masters', 'GET /api/v1/pods', 'exempt'],
  ['system:node:n', 'system:nodes', 'GET /api/v1/pods', 'system-nodes'],
  ['system:node:n', 'system:nodes', 'GET /api/v1/nodes/n', 'system-node-high', 'system-nodes'],
  ['system:kube-controller-manager', '', 'GET /api/v1/pods', 'kube-controller-manager'],
  ['system:kube-controller-manager', '', `GET ${leases}/x`, 'system-leader-election'],
  ['system:kube-controller-manager', '', `GET ${leases}`, 'kube-controller-manager'],
  ['system:kube-scheduler', '', `GET ${leases}/x`, 'system-leader-election'],
  ['system:kube-scheduler', '', 'GET /api', 'kube-scheduler'],
  ['system:serviceaccount:kube-system:x', kubeSystem, 'GET /api/v1/pods', 'kube-system-service-accounts'],
  ['system:serviceaccount:other:x', 'system:serviceaccounts', 'GET /api/v1/pods', 'service-accounts'],
  ['system:anonymous', 'system:unauthenticated', 'GET /api', 'global-default'],
];

function send(server: Asked, call: string, headers: Readonly<Record<string, string | string[]>> = {}, body?: object) {
  const [method = '', path = ''] = call.split(' ');
  return new Promise<{ status: number; headers: AnyShape; body: AnyShape }>((resolve, reject) => {
    const sent = request(
      `${server.url}${path}`,
      {
        method,
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
        ca: server.caCertificate,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => {
          const isObject = text.startsWith('{') && response.headers['content-type'] === 'application/json';
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: isObject && !path.includes('watch') ? JSON.parse(text) : {},
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** Returns the names of the schema and the level that a response names. */
async function named(server: Asked, group: string, [user, groups, call]: Case) {
  const headers = { 'impersonate-user': user, ...(groups && { 'impersonate-group': groups.split(',') }) };
  const { headers: received } = await send(server, call, headers);
  const nameIn = async (plural: string, uid: string | undefined) => {
    const { body } = await send(server, `GET ${group}/${plural}`);
    return uid === undefined ? undefined : body.items.find(({ metadata }: AnyShape) => metadata.uid === uid);
  };
  const schema = await nameIn('flowschemas', received['x-kubernetes-pf-flowschema-uid']);
  const level = await nameIn('prioritylevelconfigurations', received['x-kubernetes-pf-prioritylevel-uid']);
  expect(level?.metadata.name).toBe(schema?.spec.priorityLevelConfiguration.name);
  return schema?.metadata.name;
}

const group = '/apis/flowcontrol.apiserver.k8s.io/v1';

describe('each response names its flow schema and its priority level', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startFullServer();
  });
  afterAll(() => server.close());

  it.each(cases.map((one) => [one[0], one[2], one] as const))('%s: %s', async (_user, _call, one) => {
    await expect.poll(() => named(server, group, one)).toBe(one[3]);
  });

  it('by precedence, from the answer to the write of a schema on', async () => {
    const own = async () => named(server, group, ['jim', 'testers', 'GET /api/v1/pods', '']);
    const schema = (name: string, precedence: number, level: string) => ({
      metadata: { name },
      spec: {
        matchingPrecedence: precedence,
        priorityLevelConfiguration: { name: level },
        rules: [
          {
            subjects: [{ kind: 'Group', group: { name: 'testers' } }],
            resourceRules: [
              { verbs: ['list'], apiGroups: [''], resources: ['pods'], clusterScope: true, namespaces: ['*'] },
            ],
          },
        ],
      },
    });
    const created = async (...given: Parameters<typeof schema>) =>
      expect((await send(server, `POST ${group}/flowschemas`, {}, schema(...given))).status).toBe(201);
    expect(await own()).toBe('global-default');
    await created('b', 700, 'system');
    expect(await own()).toBe('b');
    await created('c', 700, 'system');
    expect(await own()).toBe('b');
    await created('a', 700, 'system');
    expect(await own()).toBe('a');
    await created('first', 600, 'none');
    expect(await own()).toBe('a');
    await send(server, `DELETE ${group}/flowschemas/a`);
    await expect.poll(own).toBe('b');
  });

  it('nobody without a user has one, nor has a server without schemas or without the group', async () => {
    const names = (headers: AnyShape) => Object.keys(headers).filter((name) => name.startsWith('x-kubernetes-pf'));
    expect(names((await send(server, 'GET /api', { authorization: 'Bearer no' })).headers)).toEqual([]);
    await using bare = await startFullServer({ without: ['default-flow-control'] });
    expect(names((await send(bare, 'GET /api')).headers)).toEqual([]);
    await using old = await startFullServer({ kubeVersion: '1.20' });
    expect(names((await send(old, 'GET /api')).headers)).toEqual([]);
  });
});

describe.skipIf(!hasKubeApiserver())('kube-apiserver names the same', () => {
  it('schemas', async () => {
    const real = await startKubeApiserver('--no-controller-manager');
    try {
      for (const one of cases) {
        const [user, , call, here, before = here] = one;
        // Until it has read its schemas, it decides by two of its own, which have no UID.
        const seen = async () => [user, call, await named(real, '/apis/flowcontrol.apiserver.k8s.io/v1beta1', one)];
        await expect.poll(seen).toEqual([user, call, before === false ? undefined : before]);
      }
    } finally {
      await real.stop();
    }
  });
});
