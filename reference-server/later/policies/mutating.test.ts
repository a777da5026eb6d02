// Mutating policies over HTTP: what they change, in which order, and how they fail.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { sendingTo } from '../../testing/sending.js';
import { startFullServer } from '../index.js';

const group = '/apis/admissionregistration.k8s.io/v1';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

let server: RunningServer;
const made: string[] = [];
const { send, create, read } = sendingTo(() => server);

beforeAll(async () => {
  server = await startFullServer();
});
afterEach(async () => {
  for (const path of made.splice(0).reverse()) await send('DELETE', path);
});
afterAll(() => server.close());

const apply = (expression: string) => ({ patchType: 'ApplyConfiguration', applyConfiguration: { expression } });
const patch = (...operations: readonly string[]) => ({
  patchType: 'JSONPatch',
  jsonPatch: { expression: `[${operations.map((operation) => `JSONPatch{${operation}}`).join(', ')}]` },
});

const matchConstraints = {
  resourceRules: [
    { operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
  ],
};

/** Makes a policy about deployments with a binding. */
async function policy(name: string, mutations: readonly object[], more: AnyShape = {}): Promise<void> {
  const spec = { matchConstraints, mutations, reinvocationPolicy: 'Never', ...more };
  for (const [plural, object] of Object.entries({
    mutatingadmissionpolicies: { metadata: { name }, spec },
    mutatingadmissionpolicybindings: { metadata: { name }, spec: { policyName: name } },
  })) {
    const { status, body } = await create(`${group}/${plural}`, object);
    expect([status, body.message]).toEqual([201, undefined]);
    made.push(`${group}/${plural}/${name}`);
  }
}

const labels = { app: 'a' };
const containers = [{ name: 'c', image: 'registry.example.com/c:1' }];

async function deploy(name = 'd'): Promise<AnyShape> {
  const spec = {
    replicas: 1,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  };
  const { status, body } = await create(deployments, { metadata: { name, labels: { from: 'client' } }, spec });
  if (status < 300) made.push(`${deployments}/${name}`);
  return body;
}

const template = (body: AnyShape) => body.spec.template.spec;

const changes: Readonly<
  Record<string, readonly [mutation: object, shown: (body: AnyShape) => unknown, value: unknown]>
> = {
  'a label by a configuration': [
    apply('Object{metadata: Object.metadata{labels: {"by": object.metadata.name}}}'),
    ({ metadata }) => metadata.labels,
    { from: 'client', by: 'd' },
  ],
  'a scalar by a configuration': [
    apply('Object{spec: Object.spec{replicas: object.spec.replicas + 2}}'),
    ({ spec }) => spec.replicas,
    3,
  ],
  'a container by its name': [
    apply(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "s", image: "registry.example.com/s:1"}]}}}}',
    ),
    (body) => template(body).containers.map(({ name, imagePullPolicy }: AnyShape) => [name, imagePullPolicy]),
    [
      ['c', 'IfNotPresent'],
      ['s', 'IfNotPresent'],
    ],
  ],
  'a label by a patch': [
    patch('op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("example.com/b"), value: "x"'),
    ({ metadata }) => metadata.labels,
    { from: 'client', 'example.com/b': 'x' },
  ],
  'an object by a patch': [
    patch(
      'op: "add", path: "/spec/template/spec/containers/-", value: Object.spec.template.spec.containers{name: "s", image: "i"}',
    ),
    (body) => template(body).containers.length,
    2,
  ],
  'what a patch tests': [
    patch('op: "test", path: "/spec/replicas", value: 1', 'op: "replace", path: "/spec/replicas", value: 4'),
    ({ spec }) => spec.replicas,
    4,
  ],
  'nothing if a test of a patch fails': [
    patch('op: "test", path: "/spec/replicas", value: 9', 'op: "replace", path: "/spec/replicas", value: 4'),
    ({ spec }) => spec.replicas,
    1,
  ],
  'nothing by an empty choice': [
    { patchType: 'JSONPatch', jsonPatch: { expression: 'false ? [JSONPatch{op: "remove", path: "/spec"}] : []' } },
    ({ spec }) => spec.replicas,
    1,
  ],
};

const failures: Readonly<Record<string, readonly [mutation: object, status: number, message: string]>> = {
  'an unknown field in a configuration': [
    apply('Object{spec: Object.spec{replicaz: 1}}'),
    403,
    "policy 'p' with binding 'p' denied request: error applying patch: failed to convert patch object to typed object: .spec.replicaz: field not declared in schema",
  ],
  'a list with one owner in a configuration': [
    apply(
      'Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: "c", args: ["a"]}]}}}}',
    ),
    403,
    "policy 'p' with binding 'p' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.template.spec.containers[0].args",
  ],
  'an object in the place of another': [
    apply('Object{spec: Object.metadata{labels: {}}}'),
    403,
    `policy 'p' with binding 'p' denied request: type mismatch: unexpected type name "Object.metadata", expected "Object.spec", which matches field name path from root Object type`,
  ],
  'an expression that fails': [
    apply('Object{spec: Object.spec{replicas: object.none}}'),
    403,
    "policy 'p' with binding 'p' denied request: expression 'Object{spec: Object.spec{replicas: object.none}}' resulted in error: no such key: none",
  ],
  'an unknown field in a patch': [
    patch('op: "add", path: "/spec/replicaz", value: 1'),
    500,
    'Internal error occurred: strict decoding error: unknown field "spec.replicaz"',
  ],
  'an invalid object': [apply('Object{spec: Object.spec{replicas: -1}}'), 422, 'spec.replicas: Invalid value: -1'],
};

describe('a mutating policy', () => {
  it.each(Object.entries(changes))('changes %s', async (_, [mutation, shown, value]) => {
    await policy('p', [mutation]);
    expect(shown(await deploy())).toEqual(value);
    expect(shown(await read(`${deployments}/d`))).toEqual(value);
  });

  it.each(Object.entries(failures))('is refused with %s', async (_, [mutation, status, message]) => {
    await policy('p', [mutation]);
    const body = await deploy();
    expect([body.code, body.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('that fails is ignored if it says so', async () => {
    await policy('p', [apply('Object{spec: Object.spec{replicas: object.none}}')], { failurePolicy: 'Ignore' });
    expect((await deploy()).spec.replicas).toBe(1);
  });

  it('has variables and conditions', async () => {
    const mutation = apply('Object{spec: Object.spec{replicas: variables.more}}');
    const variables = [{ name: 'more', expression: 'int(object.spec.replicas) + 4' }];
    const matchConditions = [{ name: 'named', expression: 'object.metadata.name == "d"' }];
    await policy('p', [mutation], { variables, matchConditions });
    expect([(await deploy()).spec.replicas, (await deploy('e')).spec.replicas]).toEqual([5, 1]);
  });

  it('is asked again after others if it wants to be', async () => {
    const count = (label: string) =>
      apply(`Object{metadata: Object.metadata{labels: {"${label}": string(size(object.metadata.labels))}}}`);
    await policy('a', [count('once')]);
    await policy('b', [count('again')], { reinvocationPolicy: 'IfNeeded' });
    await policy('c', [apply('Object{metadata: Object.metadata{labels: {"c": "x"}}}')]);
    expect((await deploy()).metadata.labels).toEqual({ from: 'client', once: '1', again: '4', c: 'x' });
  });

  it('changes updates too', async () => {
    await deploy();
    await policy('p', [apply('Object{metadata: Object.metadata{labels: {"by": "policy"}}}')]);
    const { body } = await send('PATCH', `${deployments}/d`, { spec: { replicas: 2 } }, 'application/merge-patch+json');
    expect([body.spec.replicas, body.metadata.labels.by]).toEqual([2, 'policy']);
  });
});

it.each<readonly [string, AnyShape, string]>([
  ['no mutations', { mutations: [] }, 'spec.mutations: Required value: mutations must contain at least one item'],
  ['no reinvocation policy', { reinvocationPolicy: '' }, 'spec.reinvocationPolicy: Required value'],
  [
    'another type of a patch',
    { mutations: [{ patchType: 'Merge' }] },
    'spec.mutations[0].patchType: Unsupported value: "Merge"',
  ],
  [
    'the wrong field',
    { mutations: [{ ...apply('Object{}'), patchType: 'JSONPatch' }] },
    'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
  ],
  [
    'a result of another type',
    { mutations: [apply('{"a": "b"}')] },
    'spec.mutations[0].applyConfiguration.expression: Invalid value: "{\\"a\\": \\"b\\"}": must evaluate to Object but got map(string, string)',
  ],
  [
    'a delete',
    { matchConstraints: { resourceRules: [{ ...matchConstraints.resourceRules[0], operations: ['DELETE'] }] } },
    'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE"',
  ],
])('a policy with %s is refused', async (_, change, message) => {
  const spec = { matchConstraints, mutations: [apply('Object{}')], reinvocationPolicy: 'Never', ...change };
  const { status, body } = await create(`${group}/mutatingadmissionpolicies`, { metadata: { name: 'p' }, spec });
  expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
});

it('custom resources are changed by their schemas', async () => {
  const schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          size: { type: 'integer' },
          tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
        },
      },
    },
  };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }];
  const names = { plural: 'things', kind: 'Thing' };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  await create(definitions, {
    metadata: { name: 'things.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions },
  });
  made.push(`${definitions}/things.example.com`);
  const things = '/apis/example.com/v1/things';
  await expect.poll(async () => (await send('GET', things)).status).toBe(200);
  const rules = [{ operations: ['CREATE'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['things'] }];
  await policy('p', [apply('Object{spec: Object.spec{size: 3, tags: ["b"]}}')], {
    matchConstraints: { resourceRules: rules },
  });
  const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 't' }, spec: { tags: ['a'] } };
  expect((await create(things, thing)).body.spec).toEqual({ size: 3, tags: ['a', 'b'] });
});

it.each([
  ['1.29', []],
  ['1.35', ['validatingadmissionpolicies', 'validatingadmissionpolicies/status', 'validatingadmissionpolicybindings']],
])('a server of %s has the policies of its version', async (kubeVersion, policies) => {
  await using old = await startFullServer({ kubeVersion });
  const { resources = [] } = await sendingTo(() => old).read(group);
  expect(resources.map(({ name }: AnyShape) => name).filter((name: string) => name.includes('polic'))).toEqual(
    policies,
  );
});
