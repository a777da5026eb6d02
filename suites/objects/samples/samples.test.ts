// The samples of the suite: what they must not do to the cluster of a user, and what they hold.
import { expect, it } from 'vitest';
import { apiVersionOf, resourceId, resources } from '../../../matrix/api/index.js';
import { type Field, fieldsOf, isTypeName, type Type, typeOf, typeOfKind } from '../../../matrix/api/types/index.js';
import { at, type JsonObject, merge } from '../../client/json.js';
import { sampleOf, wholenessOf } from './index.js';
import { noNode } from './sample.js';

/** The specs of pods in a sample, wherever they are. */
function* podSpecsIn(value: unknown): Generator<object> {
  if (typeof value !== 'object' || value === null) return;
  if ('containers' in value) yield value;
  for (const each of Object.values(value)) yield* podSpecsIn(each);
}

const workloads = ['core/pods', 'core/replicationcontrollers', 'batch/jobs', 'extensions/jobs'];
const later = ['daemonsets', 'deployments', 'replicasets'].map((plural) => `extensions/${plural}`);

it.each([...workloads, ...later])('pods of %s run on no node', (id) => {
  const resource = resources.find((one) => resourceId(one) === id);
  if (resource === undefined) throw new Error(`no resource ${id}`);
  const specs = [...podSpecsIn(sampleOf(resource).fields)];
  expect(specs.length).toBeGreaterThan(0);
  for (const spec of specs) expect(spec).toMatchObject({ nodeSelector: noNode });
});

/** The fields of the interface that no sample has, each with the reason. */
const without: Readonly<Record<string, string>> = {
  'LimitRangeItem.default': 'pods of other cases would get it: see the chapter admission',
  'LimitRangeItem.defaultRequest': 'pods of other cases would get it: see the chapter admission',
  'LimitRangeItem.maxLimitRequestRatio': 'pods of other cases would be refused: see the chapter admission',
  'Namespace.spec': 'the chapter subresources finalizes namespaces',
  'NodeSpec.podCIDR': 'a network would lead to the Node',
  'NodeSpec.providerID': 'a cloud would look for the Node, and delete it',
  'NodeSpec.externalID': 'a cloud would look for the Node, and delete it',
  'PersistentVolumeClaimSpec.volumeName': 'a controller would bind the claim',
  'ReplicationController.status': 'the document has no path to it',
  'ResourceQuotaSpec.scopes': 'no scope fits the resource of the sample',
  'FlockerVolumeSource.datasetUUID': 'it goes with no name',
  'Secret.stringData': 'the server moves it to the data: see the chapter validation',
  'ServiceAccount.secrets': 'a controller adds to them',
  'ServiceSpec.clusterIP': 'the server gives it',
  'ServicePort.nodePort': 'the server gives it',
  'ServiceSpec.externalIPs': 'the admission of some clusters refuses them',
  'ServiceSpec.deprecatedPublicIPs': 'later versions have none',
  'ServiceSpec.loadBalancerIP': 'a cloud would make a load balancer',
  'ServiceSpec.loadBalancerSourceRanges': 'a cloud would make a load balancer',
  'ServiceSpec.externalName': 'it goes with no other field',
  'HorizontalPodAutoscalerStatus.currentCPUUtilizationPercentage': 'later versions write an annotation of it',
  'JobSpec.selector': 'the server gives it',
  'JobSpec.manualSelector': 'the Job would adopt the pods of others',
  'JobStatus.startTime': 'a controller sets it, and later versions keep it',
  'JobStatus.succeeded': 'the Job would be over',
  'JobStatus.completionTime': 'the Job would be over',
  'DeploymentSpec.rollbackTo': 'a controller removes it',
  'DeploymentStatus.conditions': 'a controller adds its own',
  'DeploymentStatus.availableReplicas': 'later versions want readyReplicas too, which the interface does not have',
};

/** The name of a field, which is one for both versions of a type. */
const nameOf = (type: Type, field: Field): string => `${type.name.replace('extensions.', '')}.${field.name}`;

/** Every field of a type and of those below it, as `Type.field`, but for the sources of a PersistentVolume, which has one. */
function fieldsBelow(type: Type, found = new Set<string>()): Set<string> {
  for (const field of fieldsOf(type)) {
    const name = nameOf(type, field);
    if (field.proto === 0 || field.name === 'metadata' || found.has(name)) continue;
    found.add(name);
    if (name in without) continue;
    if (isTypeName(field.type)) fieldsBelow(typeOf(field.type), found);
  }
  return found;
}

/** The fields that a value of a type has, as `Type.field`. */
function* fieldsIn(value: unknown, type: Type): Generator<string> {
  for (const field of fieldsOf(type)) {
    const member = at(value, field.name);
    if (member === undefined) continue;
    yield nameOf(type, field);
    if (!isTypeName(field.type)) continue;
    const below = typeOf(field.type);
    for (const one of field.shape === undefined ? [member] : Object.values(Object(member))) yield* fieldsIn(one, below);
  }
}

it('have every field of the interface, or a reason', () => {
  const [all, found] = [new Set<string>(), new Set<string>()];
  for (const resource of resources) {
    const type = typeOfKind(apiVersionOf(resource.groupVersion), resource.kind);
    // A Binding and a review are not stored, and only the server makes a ComponentStatus.
    if (type === undefined || /Binding|ComponentStatus|Review/.test(resource.kind)) continue;
    const { fields, fieldsIn: more = () => ({}), beforeStatus = {}, status } = sampleOf(resource);
    const whole = [wholenessOf(resource), more('some'), beforeStatus, { status }].reduce<JsonObject>(merge, fields);
    for (const name of fieldsIn(whole, type)) found.add(name);
    fieldsBelow(type, all);
  }
  const isSource = (name: string): boolean => name.startsWith('PersistentVolumeSpec.') && !found.has(name);
  const absent = [...all].filter((name) => !found.has(name) && !isSource(name));
  expect(absent.sort()).toEqual(Object.keys(without).sort());
});

const isFixed = 'later writes may not change it';
/** The other fields that no replace of a sample changes, each with the reason. */
const unchanged: Readonly<Record<string, string>> = {
  'DaemonSetSpec.selector': isFixed,
  'DeploymentSpec.selector': isFixed,
  'JobSpec.completions': isFixed,
  'JobSpec.parallelism': 'the Job would create pods',
  'JobSpec.template': isFixed,
  'NamespaceSpec.finalizers': 'the chapter subresources finalizes namespaces',
  'NodeSpec.unschedulable': 'workloads would be scheduled to the Node',
  'ReplicaSetSpec.selector': isFixed,
  'Secret.type': isFixed,
  'ServiceSpec.type': 'the server would give a port of every node',
};

/** The types of which later writes may change next to nothing. */
const fixedTypes = ['PersistentVolumeClaimSpec', 'PodSpec'];

it('change every field in a replace, or have a reason', () => {
  const found = new Set<string>();
  for (const resource of resources) {
    const type = typeOfKind(apiVersionOf(resource.groupVersion), resource.kind);
    if (type === undefined || !resource.stated.includes('replace')) continue;
    const { replaced } = sampleOf(resource);
    const note = (of: Type, ...path: readonly string[]): void => {
      for (const field of fieldsOf(of)) {
        const isOwn = field.proto > 0 && field.name !== 'metadata' && field.name !== 'status';
        if (isOwn && at(replaced, ...path, field.name) === undefined) found.add(nameOf(of, field));
        if (field.name === 'spec' && isTypeName(field.type) && path.length === 0) note(typeOf(field.type), 'spec');
      }
    };
    note(type);
  }
  // A PersistentVolume has one source, which is fixed.
  const isSource = (name: string): boolean =>
    /^PersistentVolumeSpec\.(?!capacity|accessModes|claimRef|persist)/.test(name);
  const isWhole = (name: string): boolean =>
    name.endsWith('.spec') || fixedTypes.some((type) => name.startsWith(`${type}.`));
  const others = [...found].filter((name) => !isSource(name) && !isWhole(name) && !(name in without));
  expect(others.sort()).toEqual(Object.keys(unchanged).sort());
});
