// Valid calls of subresources: status, scale, rollback, finalize, binding.
import type { Operation, Resource } from '../../matrix/api/index.js';
import { type Build, mergePatch, on, showed, shows, type ValidCall } from './callParts.js';
import { merge } from './json.js';
import { pods, scaled } from './related.js';
import { hasRevision, imageOf, makeApart } from './revisions.js';
import { sampleOf } from './samples/index.js';
import { type Made, pathTo, type Scope } from './scope.js';

export const replaceStatus: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource, { statusToCome: true });
  const status = sampleOf(resource).status ?? {};
  return {
    method: 'PUT',
    path: on(operation, made),
    body: merge(made.object, { status }),
    fresh: async () => merge((await scope.current(made)) ?? made.object, { status }),
    kinds: [resource.kind],
    effect: showed(scope, made, { status }, 'replace of the status'),
  };
};

export const patchStatus: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource, { statusToCome: true });
  const body = { status: sampleOf(resource).status ?? {} };
  return {
    ...mergePatch(operation, made, body),
    kinds: [resource.kind],
    effect: showed(scope, made, body, 'patch of the status'),
  };
};

/** The scaled resource: the extensions' replicationcontrollers are the core ones. */
const makeScaled = (scope: Scope, resource: Resource): Promise<Made> => scope.make(scaled(resource));

export const readScale: Build = async (scope, operation, resource) => ({
  method: 'GET',
  path: on(operation, await makeScaled(scope, resource)),
  kinds: ['Scale'],
});

export const replaceScale: Build = async (scope, operation, resource) => {
  const made = await makeScaled(scope, resource);
  const body = {
    apiVersion: 'extensions/v1beta1',
    kind: 'Scale',
    metadata: { name: made.name, ...(made.namespace === undefined ? {} : { namespace: made.namespace }) },
    spec: { replicas: 2 },
  };
  const effect = shows(scope, made, { spec: { replicas: 2 } }, 'replace of the scale');
  return { method: 'PUT', path: on(operation, made), body, kinds: ['Scale'], effect };
};

export const patchScale: Build = async (scope, operation, resource) => {
  const made = await makeScaled(scope, resource);
  const body = { spec: { replicas: 3 } };
  const effect = shows(scope, made, body, 'patch of the scale');
  return { ...mergePatch(operation, made, body), kinds: ['Scale'], effect };
};

export const rollback: Build = async (scope, operation, resource) => {
  const made = await makeApart(scope, resource);
  const image = imageOf(made.object);
  await hasRevision(scope, made, String(image));
  const containers = [{ name: 'main', image: 'registry.example/conformance:2' }];
  const update = { spec: { template: { spec: { containers } } } };
  await scope.attempt('change the template', 'PATCH', pathTo(resource, 'patch', made.namespace, made.name), update);
  const controlled = await hasRevision(scope, made, 'registry.example/conformance:2');
  const body = {
    apiVersion: 'extensions/v1beta1',
    kind: 'DeploymentRollback',
    name: made.name,
    rollbackTo: { revision: 0 },
  };
  const effect = shows(
    scope,
    made,
    { spec: { template: { spec: { containers: [{ image: image ?? null }] } } } },
    'rollback',
  );
  const kinds = ['Status', 'DeploymentRollback'];
  // Without a controller nothing comes of it; that is judged with the subresources.
  const seen = controlled ? ({ effect, later: true } as const) : {};
  return { method: 'POST', path: on(operation, made), body, kinds, ...seen };
};

export const finalize: Build = async (scope, operation, resource) => {
  const made = await scope.make(resource);
  const finalizers = ['kubernetes', 'kube-api-conformance/held'];
  const body = merge(made.object, { spec: { finalizers } });
  const effect = shows(scope, made, { spec: { finalizers } }, 'finalize');
  return { method: 'PUT', path: on(operation, made), body, kinds: [resource.kind], effect };
};

/** Binds a new pod to a node; with the path of the operation, which may be that of bindings. */
export async function bind(scope: Scope, operation: Operation): Promise<ValidCall> {
  const pod = await scope.make(pods);
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: pod.name },
    target: { apiVersion: 'v1', kind: 'Node', name: 'some-node' },
  };
  const effect = shows(scope, pod, { spec: { nodeName: 'some-node' } }, 'binding');
  return { method: 'POST', path: on(operation, pod), body, kinds: ['Status', 'Binding'], effect };
}
