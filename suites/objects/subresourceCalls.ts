// Valid calls of subresources: status, scale, rollback, finalize, binding.
import { defined, type Operation, type Resource } from '../../matrix/api/index.js';
import { type JsonObject, merge } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { type Build, mergePatch, objectPath, showedOnce, shows, type ValidCall } from './callParts.js';
import { pods, scaled, scaleVersionOf } from './related.js';
import { createSeparately, hasRevision, imageOf } from './revisions.js';
import { sampleOf } from './samples/index.js';
import type { CreatedObject, Sandbox } from './sandbox.js';

export const replaceStatus: Build = async (sandbox, operation, resource) => {
  const made = await sandbox.make(resource, { statusToCome: true });
  const status = sampleOf(resource).status ?? {};
  return {
    method: 'PUT',
    path: objectPath(operation, made),
    body: merge(made.object, { status }),
    fresh: async () => merge((await sandbox.current(made)) ?? made.object, { status }),
    kinds: [resource.kind],
    effect: showedOnce(sandbox, made, { status }, 'replace of the status'),
  };
};

export const patchStatus: Build = async (sandbox, operation, resource) => {
  const made = await sandbox.make(resource, { statusToCome: true });
  const body = { status: sampleOf(resource).status ?? {} };
  return {
    ...mergePatch(operation, made, body),
    kinds: [resource.kind],
    effect: showedOnce(sandbox, made, body, 'patch of the status'),
  };
};

/** Creates the object that is scaled: for replicationcontrollers of extensions, one of the core group. */
const makeScaled = (sandbox: Sandbox, resource: Resource): Promise<CreatedObject> => sandbox.make(scaled(resource));

export const readScale: Build = async (sandbox, operation, resource) => ({
  method: 'GET',
  path: objectPath(operation, await makeScaled(sandbox, resource)),
  kinds: ['Scale'],
});

export const replaceScale: Build = async (sandbox, operation, resource) => {
  const made = await makeScaled(sandbox, resource);
  const body = {
    apiVersion: scaleVersionOf(resource),
    kind: 'Scale',
    metadata: { name: made.name, ...defined({ namespace: made.namespace }) },
    spec: { replicas: 2 },
  };
  const effect = shows(sandbox, made, { spec: { replicas: 2 } }, 'replace of the scale');
  return { method: 'PUT', path: objectPath(operation, made), body, kinds: ['Scale'], effect };
};

export const patchScale: Build = async (sandbox, operation, resource) => {
  const made = await makeScaled(sandbox, resource);
  const body = { spec: { replicas: 3 } };
  const effect = shows(sandbox, made, body, 'patch of the scale');
  return { ...mergePatch(operation, made, body), kinds: ['Scale'], effect };
};

export const rollback: Build = async (sandbox, operation, resource) => {
  const made = await createSeparately(sandbox, resource);
  const image = imageOf(made.object);
  await hasRevision(sandbox, made, String(image));
  const containers = [{ name: 'main', image: 'registry.example/conformance:2' }];
  const update = { spec: { template: { spec: { containers } } } };
  await sandbox.attempt('change the template', 'PATCH', pathTo(resource, 'patch', made.namespace, made.name), update);
  const controlled = await hasRevision(sandbox, made, 'registry.example/conformance:2');
  const body = {
    apiVersion: 'extensions/v1beta1',
    kind: 'DeploymentRollback',
    name: made.name,
    rollbackTo: { revision: 0 },
  };
  const effect = shows(
    sandbox,
    made,
    { spec: { template: { spec: { containers: [{ image: image ?? null }] } } } },
    'rollback',
  );
  const kinds = ['Status', 'DeploymentRollback'];
  // Without a controller the rollback has no effect; the chapter subresources checks that.
  const seen = controlled ? ({ effect, later: true } as const) : {};
  return { method: 'POST', path: objectPath(operation, made), body, kinds, ...seen };
};

export const finalize: Build = async (sandbox, operation, resource) => {
  const made = await sandbox.make(resource);
  const finalizers = ['kubernetes', 'kube-api-conformance/held'];
  const finalized = (object: JsonObject) => merge(object, { spec: { finalizers } });
  return {
    method: 'PUT',
    path: objectPath(operation, made),
    body: finalized(made.object),
    fresh: async () => finalized((await sandbox.current(made)) ?? made.object),
    kinds: [resource.kind],
    effect: shows(sandbox, made, { spec: { finalizers } }, 'finalize'),
  };
};

/** Returns a call that binds a new pod to a node, with the path of the operation, which may be the path of bindings. */
export async function bind(sandbox: Sandbox, operation: Operation): Promise<ValidCall> {
  const pod = await sandbox.make(pods);
  // A name of its own: once the node of earlier pods is known to be absent, a controller deletes this pod at once.
  const node = sandbox.name();
  const body = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: pod.name },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  };
  const effect = shows(sandbox, pod, { spec: { nodeName: node } }, 'binding');
  return { method: 'POST', path: objectPath(operation, pod), body, kinds: ['Status', 'Binding'], effect };
}
