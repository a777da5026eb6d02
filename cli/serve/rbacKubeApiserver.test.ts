// Holds the table of roles and bindings against a real kube-apiserver: what this server answers, a real one answers too.
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { startFullServer } from '../../reference-server/later/index.js';
import {
  aggregation,
  rbacBody,
  rbacDifferences,
  rbacExchanges,
  type SendRbac,
} from '../../reference-server/later/testing/rbacExchanges.js';
import { ask } from '../../reference-server/testing/standIn.js';
import { hasKubeApiserver, type KubeApiserver, startKubeApiserver } from '../testing/kubeApiserver.js';

describe.skipIf(!hasKubeApiserver())('kube-apiserver answers as the table says', () => {
  let server: KubeApiserver;
  beforeAll(async () => {
    server = await startKubeApiserver('--authorization-mode=RBAC');
  });
  afterAll(() => server?.stop());

  const send: SendRbac = ({ method, path, body }, more) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${server.token}`, ...more };
      const sent = request(`${server.url}${path}`, { method, headers, ca: server.caCertificate }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: rbacBody(text) }));
      });
      sent.on('error', reject);
      sent.end(body && JSON.stringify(body));
    });

  it.each(Object.entries(rbacExchanges))('%s', async (_what, list) => {
    expect(await rbacDifferences(list, send, inject('deadline') / 2)).toEqual([]);
  });

  it('aggregated roles', async () => {
    const { make, remove, rules, whole, less } = aggregation(send);
    await make();
    await expect.poll(rules).toEqual(whole);
    await remove();
    await expect.poll(rules).toEqual(less);
  });

  it('begins with the same roles and bindings, but for what later versions have changed', async () => {
    await using own = await startFullServer({ authorizationMode: 'RBAC' });
    const sendOwn: SendRbac = async ({ method, path }, headers) => {
      const reply = await ask(own, path, { method, headers: { authorization: `Bearer ${own.token}`, ...headers } });
      return { code: reply.status, body: rbacBody(reply.text) };
    };
    const [real, ours] = [await firstPolicy(send), await firstPolicy(sendOwn)];
    const without = (some: readonly string[], others: readonly string[]) => {
      const known = new Set(others);
      return some.filter((line) => !known.has(line)).sort();
    };
    expect(without(real.bindings, ours.bindings)).toEqual([]);
    expect(without(ours.bindings, real.bindings).map((line) => line.split(' to ')[0])).toEqual([
      ...newControllers.map((name) => `/system:controller:${name}`),
      // The account of the elected leaders.
      'kube-system/system::leader-locking-kube-controller-manager',
    ]);
    expect(without(ours.roles, real.roles)).toEqual(newControllers.map((name) => `/system:controller:${name} {}`));
    expect(without(real.roles, ours.roles)).toEqual([]);
    expect(without(real.rights, ours.rights)).toEqual(Object.values(goneRights).flat().sort());
  });
});

/** The controllers that Kubernetes got after 1.20, or whose feature was off in 1.20. */
const newControllers = [
  'device-taint-eviction-controller',
  'ephemeral-volume-controller',
  'legacy-service-account-token-cleaner',
  'resource-claim-controller',
  'selinux-warning-controller',
  'service-cidrs-controller',
  'ttl-after-finished-controller',
  'validatingadmissionpolicy-status-controller',
  'volumeattributesclass-protection-controller',
];

const each = (role: string, verbs: string, resource: string): readonly string[] =>
  verbs.split(' ').map((verb) => `${role}: ${verb} ${resource}`);

/** The rights of roles in 1.20 that later versions have taken away, by reason. */
const goneRights: Readonly<Record<string, readonly string[]>> = {
  'endpoints lead to pods of other namespaces (CVE-2021-25740)': each(
    '/system:aggregate-to-edit',
    'create delete deletecollection patch update',
    'endpoints.',
  ),
  'there are no volumes of glusterfs and the like any longer': [
    ...each('/system:controller:expand-controller', 'get', 'endpoints.'),
    ...each('/system:controller:expand-controller', 'get', 'secrets.'),
    ...each('/system:controller:expand-controller', 'get', 'services.'),
    ...each('/system:controller:expand-controller', 'get list watch', 'storageclasses.storage.k8s.io'),
    ...each('/system:controller:persistent-volume-binder', 'create delete get update', 'endpoints.'),
    ...each('/system:controller:persistent-volume-binder', 'create delete get', 'services.'),
    ...each('/system:controller:persistent-volume-binder', 'get', 'secrets.'),
    ...each('/system:controller:persistent-volume-binder', 'get', 'nodes.'),
  ],
  'there is no heapster any longer': [
    ...each('/system:controller:horizontal-pod-autoscaler', 'get', 'services/proxy. http:heapster:'),
    ...each('/system:controller:horizontal-pod-autoscaler', 'get', 'services/proxy. https:heapster:'),
  ],
  'leaders are elected by leases': ['kube-controller-manager', 'kube-scheduler'].flatMap((name) => [
    ...each(`kube-system/system::leader-locking-${name}`, 'watch', 'configmaps.'),
    ...each(`kube-system/system::leader-locking-${name}`, 'get update', `configmaps. ${name}`),
    ...each(`/system:${name}`, 'create', 'endpoints.'),
    ...each(`/system:${name}`, 'get update', `endpoints. ${name}`),
  ]),
  'nodes have no such subresource': each('/system:kubelet-api-admin', '*', 'nodes/spec.'),
};

interface PolicyObject {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly labels?: object };
  readonly rules?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly aggregationRule?: object;
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly Readonly<Record<string, string>>[];
}

/** Lists the roles and bindings of the start, those that tests have made left out. */
async function firstPolicy(ask: SendRbac) {
  const listOf = async (plural: string): Promise<readonly PolicyObject[]> => {
    const path = `/apis/rbac.authorization.k8s.io/v1/${plural}?labelSelector=kubernetes.io/bootstrapping`;
    return ((await ask({ as: '', method: 'GET', path }, {})).body as { items: PolicyObject[] }).items;
  };
  const name = ({ metadata }: PolicyObject) => `${metadata.namespace ?? ''}/${metadata.name}`;
  const roles = [...(await listOf('clusterroles')), ...(await listOf('roles'))];
  const bindings = [...(await listOf('clusterrolebindings')), ...(await listOf('rolebindings'))];
  return {
    roles: roles.map((one) => `${name(one)} ${JSON.stringify(one.aggregationRule ?? {})}`),
    bindings: bindings.flatMap(({ roleRef, subjects = [], ...one }) => {
      const to = subjects.map(({ kind, name, namespace }) => `${kind} ${namespace ?? ''}/${name}`);
      return (to.length > 0 ? to : ['nobody']).map(
        (each) => `${name(one)} to ${roleRef?.kind} ${roleRef?.name}: ${each}`,
      );
    }),
    rights: roles
      .filter(({ aggregationRule }) => aggregationRule === undefined)
      .flatMap((one) => rightsIn(one, name(one))),
  };
}

function rightsIn({ rules = [] }: PolicyObject, name: string): readonly string[] {
  return rules.flatMap(({ verbs = [], apiGroups = [], resources = [], resourceNames, nonResourceURLs = [] }) => [
    ...verbs.flatMap((verb) => nonResourceURLs.map((path) => `${name}: ${verb} ${path}`)),
    ...verbs.flatMap((verb) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) =>
          (resourceNames ?? ['']).map((object) => `${name}: ${verb} ${resource}.${group} ${object}`.trimEnd()),
        ),
      ),
    ),
  ]);
}
