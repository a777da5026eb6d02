// The kinds by which clusters are administered: the formats of their names, and what an update may not change.
import { isIP } from 'node:net';
import type { Resource } from '../../../../matrix/api/index.js';
import { administered as rows } from '../../../../matrix/api/modern/administered.js';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { forbidden } from '../../../errors.js';
import type { Strategy } from '../../../registry/strategy.js';
import type { Causes } from '../../../schema/causes.js';
import { type Format, pathSegment } from '../../../schema/formats.js';
import { equal, isRecord, type KubeObject, part } from '../../../schema/object.js';
import { signingRequests } from '../../certificates/strategy.js';
import { systemPriorities } from '../../furniture/systemPriorities.js';
import { canonicalAddress } from '../growth/addresses.js';
import { validateBlocks } from '../growth/administeredRules.js';

/** Returns the value at a path of names. */
const valueAt = (object: KubeObject, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), object);

/** Makes the check that fields stay as they are. A text is what real servers say that forbids the change. */
export const fixed =
  (fields: Readonly<Record<string, string | undefined>>): NonNullable<Strategy['validateUpdate']> =>
  (next, current, causes) => {
    for (const [path, forbidden] of Object.entries(fields)) {
      const value = valueAt(next, path);
      const isSame = equal(value, valueAt(current, path));
      if (forbidden === undefined) causes.immutable(path, value, isSame);
      else if (!isSame) causes.forbidden(path, forbidden);
    }
  };

const addressName: Format = (name) => {
  if (isIP(name) === 0) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  return canonicalAddress(name) === name ? [] : ['must be a valid address in canonical form'];
};

const classRow = rowOf('priorityclasses');

function rowOf(wanted: string): Resource {
  const row = rows.find(({ plural }) => plural === wanted);
  if (row === undefined) throw new Error(`no row ${wanted}`);
  return row;
}

const reserved = "priority class names with 'system-' prefix are reserved for system use only. error: ";

function validateReserved(object: KubeObject, causes: Causes): void {
  const { name = '' } = object.metadata;
  if (!name.startsWith('system-')) return;
  const { value } = object as Partial<ObjectOf<'scheduling.v1.PriorityClass'>>;
  const wanted = Object.hasOwn(systemPriorities, name) ? systemPriorities[name]?.value : undefined;
  if (wanted === undefined) {
    causes.forbidden('metadata.name', `${reserved}${name} is not a known system priority class`);
  } else if (value !== wanted) {
    causes.forbidden('metadata.name', `${reserved}value of ${name} PriorityClass must be ${wanted}`);
  }
}

const validateName: NonNullable<Strategy['validate']> = ({ metadata, spec }, causes) => {
  const { name, generateName } = metadata;
  const { group = '', version = '' } = (spec ?? {}) as ObjectOf<'apiregistration.v1.APIServiceSpec'>;
  const wanted = `${version}.${group}`;
  const why = `must be \`spec.version+"."+spec.group\`: "${wanted}"`;
  const isOther = (text: string | undefined) => text && !text.includes('/') && text !== wanted;
  if (isOther(name)) causes.invalid('metadata.name', name, why);
  if (isOther(generateName)) causes.invalid('metadata.generateName', generateName, why);
};

/** The time is that of the server. */
const localSince = (now: string): object => ({
  conditions: [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: now,
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ],
});

const drivers = (node: KubeObject) => part<ObjectOf<'storage.v1.CSINodeSpec'>>(node, 'spec').drivers ?? [];

const flowSpec = (object: KubeObject) => part<Record<string, unknown>>(object, 'spec');

/** Fills fields that are absent or 0: typed clients send 0 for an absent value. */
function fillZeros(values: Record<string, unknown> | undefined, defaults: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(defaults)) if (values && !values[name]) values[name] = value;
}

const blocksOf = (range: KubeObject): readonly string[] =>
  part<Partial<ObjectOf<'networking.v1.ServiceCIDRSpec'>>>(range, 'spec').cidrs ?? [];

/** A range keeps its blocks, and may get one of the other family. */
function validateSameBlocks(next: KubeObject, current: KubeObject, causes: Causes): void {
  const [list, before] = [blocksOf(next), blocksOf(current)];
  const isSecond = before.length === 1 && list.length === 2;
  if (list.length !== before.length && !isSecond) causes.immutable('spec.cidrs', list, false);
  else {
    for (const [index, block] of before.entries()) {
      causes.immutable(`spec.cidrs[${index}]`, list[index], block === list[index]);
    }
  }
  if (isSecond) validateBlocks(list, causes);
}

/** How each kind differs, by `group/plural`. */
export const administered: Readonly<Record<string, Strategy>> = {
  'apiregistration.k8s.io/apiservices': {
    statusKeepsMetadata: true,
    needsRevision: true,
    name: pathSegment,
    // An API of the server itself is always there.
    initialStatus: (service) =>
      part<ObjectOf<'apiregistration.v1.APIServiceSpec'>>(service, 'spec').service === undefined
        ? localSince(service.metadata.creationTimestamp ?? '')
        : {},
    leastStatus: {},
    validate: validateName,
  },
  'certificates.k8s.io/certificatesigningrequests': signingRequests,
  'flowcontrol.apiserver.k8s.io/flowschemas': {
    statusKeepsMetadata: true,
    generation: true,
    defaults: (schema) => fillZeros(flowSpec(schema as KubeObject), { matchingPrecedence: 1000 }),
  },
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': {
    statusKeepsMetadata: true,
    generation: true,
    defaults(level) {
      const { limited } = level.spec as ObjectOf<'flowcontrol.v1.PriorityLevelConfigurationSpec'>;
      const queuing = limited?.limitResponse?.queuing as Record<string, unknown> | undefined;
      fillZeros(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 });
    },
  },
  'networking.k8s.io/ipaddresses': { name: addressName, validateUpdate: fixed({ 'spec.parentRef': undefined }) },
  'networking.k8s.io/servicecidrs': {
    validateCreate: (range, causes) => validateBlocks(blocksOf(range), causes),
    validateUpdate: validateSameBlocks,
  },
  'node.k8s.io/runtimeclasses': { needsRevision: true, validateUpdate: fixed({ handler: undefined }) },
  'resource.k8s.io/deviceclasses': { generation: true },
  'resource.k8s.io/resourceclaims': {
    statusKeepsMetadata: true,
    validateUpdate: fixed({ spec: undefined }),
    validateStatus(next, current, causes) {
      const before = valueAt(current, 'status.allocation');
      const allocation = valueAt(next, 'status.allocation');
      if (before === undefined || allocation === undefined) return;
      causes.immutable('status.allocation', allocation, equal(before, allocation));
    },
  },
  'resource.k8s.io/resourceclaimtemplates': { validateUpdate: fixed({ spec: undefined }) },
  'resource.k8s.io/resourceslices': {
    generation: true,
    validateUpdate: fixed({ 'spec.pool.name': undefined, 'spec.driver': undefined, 'spec.nodeName': undefined }),
  },
  'scheduling.k8s.io/priorityclasses': {
    generation: true,
    validate: validateReserved,
    checkDelete({ metadata: { name = '' } }) {
      if (!Object.hasOwn(systemPriorities, name)) return;
      throw forbidden(classRow, name, 'this is a system priority class and cannot be deleted');
    },
    validateUpdate: fixed({ value: 'may not be changed in an update.', preemptionPolicy: undefined }),
  },
  'storage.k8s.io/csidrivers': {
    deleteAnswersObject: true,
    needsRevision: true,
    // Real servers call the first field by another name.
    validateUpdate(next, current, causes, view) {
      const [is, was] = [next, current].map((driver) => valueAt(driver, 'spec.attachRequired'));
      causes.immutable('spec.attachedRequired', is, is === was);
      fixed({ 'spec.volumeLifecycleModes': undefined })(next, current, causes, view);
    },
  },
  'storage.k8s.io/csinodes': {
    deleteAnswersObject: true,
    needsRevision: true,
    validateUpdate(next, current, causes) {
      const before = new Map(drivers(current).map((driver) => [driver.name, driver]));
      for (const driver of drivers(next)) {
        const { allocatable: _was, ...fixed } = before.get(driver.name) ?? driver;
        const { allocatable: _is, ...own } = driver;
        if (!equal(own, fixed)) causes.invalid('CSINodeDriver', driver, 'field is immutable');
      }
    },
  },
  'storage.k8s.io/csistoragecapacities': {
    deleteAnswersObject: true,
    needsRevision: true,
    validateUpdate: fixed({ nodeTopology: undefined, storageClassName: undefined }),
  },
  'storage.k8s.io/storageclasses': {
    deleteAnswersObject: true,
    validateUpdate: fixed({
      parameters: 'updates to parameters are forbidden.',
      provisioner: 'updates to provisioner are forbidden.',
      reclaimPolicy: 'updates to reclaimPolicy are forbidden.',
      volumeBindingMode: undefined,
    }),
  },
  'storage.k8s.io/volumeattachments': {
    statusKeepsMetadata: true,
    deleteAnswersObject: true,
    needsRevision: true,
    initialStatus: () => ({ attached: false }),
    validateUpdate: fixed({ spec: undefined }),
  },
  'storage.k8s.io/volumeattributesclasses': {
    deleteAnswersObject: true,
    validateUpdate: fixed({
      parameters: 'updates to parameters are forbidden.',
      driverName: 'updates to driverName are forbidden.',
    }),
  },
};
