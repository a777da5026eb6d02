// Tests that nobody writes a policy or a binding whose parameters they may not read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const group = '/apis/admissionregistration.k8s.io/v1';
const roles = '/apis/rbac.authorization.k8s.io/v1';

let server: RunningServer;

async function call(user: string, method: string, path: string, body: object): Promise<AnyShape> {
  const headers: Record<string, string> = {
    authorization: `Bearer ${server.token}`,
    'content-type': 'application/json',
    ...(user !== '' && { 'impersonate-user': user }),
  };
  const answer = await ask(server, path, { method, headers, body: JSON.stringify(body) });
  return { code: answer.status, ...JSON.parse(answer.text) };
}

const write = { verbs: ['*'], apiGroups: ['admissionregistration.k8s.io'], resources: ['*'] };
const maps = (...verbs: readonly string[]) => ({ verbs, apiGroups: [''], resources: ['configmaps'] });
const users: Readonly<Record<string, readonly object[]>> = {
  writer: [write],
  getter: [write, maps('get')],
  lister: [write, maps('list')],
  one: [write, { ...maps('get'), resourceNames: ['limits'] }],
  all: [write, { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
};

beforeAll(async () => {
  server = await startFullServer({ authorizationMode: 'RBAC' });
  for (const [name, rules] of Object.entries(users)) {
    await call('', 'POST', `${roles}/clusterroles`, { metadata: { name }, rules });
    await call('', 'POST', `${roles}/clusterrolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
    });
  }
});
afterAll(() => server.close());

const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] };
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };
const matchConstraints = { resourceRules: [rule] };

describe.each([
  ['validating', { matchConstraints, validations: [{ expression: 'true' }] }, { validationActions: ['Deny'] }],
  [
    'mutating',
    {
      matchConstraints,
      reinvocationPolicy: 'Never',
      mutations: [
        { patchType: 'JSONPatch', jsonPatch: { expression: `[JSONPatch{op: "test", path: "/kind", value: "Pod"}]` } },
      ],
    },
    {},
  ],
])('%s policies', (kind, policySpec, bindingSpec) => {
  const policies = `${group}/${kind}admissionpolicies`;
  const bindings = `${group}/${kind}admissionpolicybindings`;
  const policy = (name: string, paramKind?: object) => ({
    metadata: { name },
    spec: { ...policySpec, ...(paramKind && { paramKind }) },
  });
  const binding = (name: string, policyName: string, paramRef?: object) => ({
    metadata: { name },
    spec: {
      ...bindingSpec,
      policyName,
      ...(paramRef && { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } }),
    },
  });

  beforeAll(async () => {
    for (const made of [
      policy('maps', configMap),
      policy('none', { apiVersion: 'v1', kind: 'None' }),
      policy('plain'),
    ]) {
      expect((await call('', 'POST', policies, made)).code).toBe(201);
    }
  });

  it('are written by those who may get every parameter', async () => {
    const codes = [];
    for (const user of Object.keys(users)) {
      codes.push([user, (await call(user, 'POST', `${policies}?dryRun=All`, policy('new', configMap))).code]);
    }
    expect(Object.fromEntries(codes)).toEqual({ writer: 422, getter: 201, lister: 422, one: 422, all: 201 });
    expect((await call('writer', 'POST', `${policies}?dryRun=All`, policy('new'))).code).toBe(201);
    const none = policy('new', { apiVersion: 'v1', kind: 'None' });
    expect((await call('getter', 'POST', `${policies}?dryRun=All`, none)).code).toBe(422);
    expect((await call('all', 'POST', `${policies}?dryRun=All`, none)).code).toBe(201);
    expect((await call('writer', 'POST', policies, policy('new', configMap))).details.causes).toEqual([
      {
        reason: 'FieldValueForbidden',
        field: 'spec.paramKind',
        message:
          'Forbidden: user &{writer  [system:authenticated] map[]} must have "get" permission on all objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)',
      },
    ]);
  });

  it('are changed by others too, as long as the kind stays', async () => {
    const label = { metadata: { labels: { a: 'b' } } };
    const patch = async (user: string, name: string, body: object) => {
      const { resourceVersion } = (await call('', 'GET', `${policies}/${name}`, {})).metadata;
      return call(user, 'PUT', `${policies}/${name}`, {
        ...body,
        metadata: { name, resourceVersion, ...label.metadata },
      });
    };
    expect((await patch('writer', 'maps', policy('maps', configMap))).code).toBe(200);
    expect((await patch('writer', 'plain', policy('plain', configMap))).code).toBe(422);
  });

  it.each([
    ['a name', 'maps', { name: 'limits' }, ['getter', 'one', 'all']],
    ['another name', 'maps', { name: 'others', namespace: 'default' }, ['getter', 'all']],
    ['a selector', 'maps', { selector: {} }, ['lister', 'all']],
    ['a kind that is not there', 'none', { name: 'limits' }, ['all']],
    ['a policy that is not there', 'missing', { name: 'limits' }, ['all']],
    ['no parameter', 'maps', undefined, Object.keys(users)],
  ])('are bound with %s by those who may read it', async (_what, policyName, ref, allowed) => {
    const created = [];
    for (const user of Object.keys(users)) {
      const { code } = await call(user, 'POST', `${bindings}?dryRun=All`, binding('new', policyName, ref));
      expect([201, 422]).toContain(code);
      if (code === 201) created.push(user);
    }
    expect(created).toEqual(allowed);
  });

  it('say why a binding is refused', async () => {
    const why = async (policyName: string, ref: object) =>
      (await call('writer', 'POST', bindings, binding('new', policyName, ref))).details.causes[0].message;
    const user = 'user &{writer  [system:authenticated] map[]} does not have';
    const everywhere = 'permission for all groups, versions and resources';
    expect(await why('maps', { selector: {} })).toBe(
      `Forbidden: ${user} "list" permission on the object referenced by paramRef`,
    );
    expect(await why('missing', { name: 'a' })).toBe(
      `Forbidden: unable to get policy missing to determine minimum required permissions and ${user} "get" ${everywhere}`,
    );
    expect(await why('none', { name: 'a' })).toBe(
      `Forbidden: unable to resolve paramKind &{v1 None} to determine minimum required permissions and ${user} "get" ${everywhere}`,
    );
  });
});
