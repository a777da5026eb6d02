// The subject sets of the patch chapter: every patch with each patch type, and the variants of one document or list.
import { mediaTypes, type Operation, type Verb } from '../api/index.js';
import {
  forDisposable,
  type OperationSubject,
  operationsOf,
  patchTypesOf,
  perOperation,
  perVariant,
  type Subject,
  serverVariants,
  stated,
  subjectResource,
  type Table,
} from './build.js';

const grid = (of: readonly Operation[]): OperationSubject[] =>
  of.flatMap((operation) =>
    patchTypesOf(operation).map((mediaType) => ({
      id: `${operation.id}, ${mediaTypes[mediaType]}`,
      resource: subjectResource(operation),
      operation,
      mediaType,
    })),
  );

/** Returns the variants of a patch of one resource, by the id of the resource. */
const on = (resource: string, variants: readonly string[], verb: Verb = 'patch'): OperationSubject[] =>
  perVariant(operationsOf(resource, verb), variants);

const workloads = ['extensions/daemonsets', 'extensions/deployments', 'extensions/replicasets'] as const;
const onWorkloads = (variants: readonly string[]) => workloads.flatMap((resource) => on(resource, variants));
const onConfigMaps = (variants: readonly string[]) => on('core/configmaps', variants);
const onAccounts = (variants: readonly string[]) => on('core/serviceaccounts', variants);
const onServices = (variants: readonly string[]) => on('core/services', variants);
const onControllers = (variants: readonly string[]) => on('core/replicationcontrollers', variants);
const onConditions = (variants: readonly string[]) =>
  ['batch/jobs', 'extensions/deployments', 'extensions/replicasets'].flatMap((resource) =>
    on(resource, variants, 'patchStatus'),
  );

/** A server that does not know a later directive does not treat it as an error. */
const ofDirective = (subject: OperationSubject): OperationSubject =>
  subject.variant?.startsWith('$') ? { ...subject, feature: 'strategic-directives' } : subject;

/** Returns the subject sets of every kind for the operations of a table. */
export function patchSetsOf({ withVerbs }: Table) {
  const patches = withVerbs('patch', 'patchStatus', 'patchScale');
  const all = grid(patches);
  const strategic = withVerbs('patch').filter((operation) => patchTypesOf(operation).includes('strategicMergePatch'));
  return {
    patches: all,
    patchesAgain: all,
    applies: perOperation(withVerbs('patch')),
    newApplies: perOperation(withVerbs('patch')),
    refusedPatches: all,
    concurrentPatches: grid(withVerbs('patch')),
    patchTypesRefused: perVariant(patches, ['no Content-Type', 'text/plain', 'application/yaml', 'application/xml']),
    patchTypeParameters: all,
    strategicKeys: perVariant(strategic, ['ownerReferences by uid']),
    strategicPrimitiveLists: perVariant(strategic, ['finalizers']),
    strategicPrimitiveDeletes: perVariant(strategic, ['finalizers']),
  } as const satisfies Record<string, readonly Subject[]>;
}

const ofEveryKind = patchSetsOf(stated);

export const patchSets = {
  ...ofEveryKind,
  jsonPatchOperations: [
    ...onConfigMaps([
      'add',
      'add over a value',
      'remove',
      'replace',
      'move',
      'move over a value',
      'copy',
      'copy over a value',
      'add a null',
      'replace by a null',
      'test',
      'move onto itself',
      'a member that no operation has',
      'several, each on what the one before left',
      'an empty map',
    ]),
    ...onAccounts(['a move within a list', 'a change of what was copied', 'an empty list']),
    ...onControllers(['zeros and what is empty']),
  ],
  jsonPatchPointers: [
    ...onConfigMaps(['~1', '~0', '~01', 'a name that is a number']),
    ...onAccounts(['an index', 'an index that is taken', 'the index after the last', '-', 'below an index']),
  ],
  jsonPatchTests: [
    ...onConfigMaps(['another value', 'another type', 'a null', 'the whole', 'what is absent', 'a map that is longer']),
    ...onAccounts(['a list in another order', 'a list that is longer']),
  ],
  jsonPatchRaces: onConfigMaps(['a value', 'the version']),
  jsonPatchMissingPaths: [
    ...onConfigMaps(['remove', 'replace', 'move', 'copy', 'add below what is absent', 'into itself']),
    ...onAccounts(['remove an index', 'an index too far', 'an index that is no number', 'remove -']),
  ],
  jsonPatchLaterFailures: onConfigMaps(['a test', 'a missing path', 'an unknown operation', 'an invalid object']),
  jsonPatchMalformed: onConfigMaps([
    'an object',
    'a string',
    'a number',
    'a list of strings',
    'no op',
    'an unknown op',
    'no path',
    'no from',
    'the whole to remove',
    'truncated',
    'no JSON',
  ]),
  mergePatches: [
    ...onConfigMaps(['a value', 'a new value', 'a new map', 'any text and any name']),
    ...onControllers(['a field among others', 'zeros']),
    ...onServices(['two levels at once']),
  ],
  mergePatchNulls: onConfigMaps(['a value', 'a map', 'what is absent', 'inside a new map']),
  mergePatchLists: [
    ...onAccounts(['another list', 'a longer list', 'a shorter list', 'an empty list']),
    ...onServices(['a list that has a merge key']),
  ],
  mergePatchMalformed: onConfigMaps(['an array', 'a string', 'a number', 'null', 'truncated', 'no JSON']),
  strategicPatches: [
    ...onConfigMaps(['a value', 'a new value', 'a new map', 'any text and any name']),
    ...onControllers(['a field among others', 'zeros']),
    ...onServices(['two levels at once']),
  ],
  strategicNulls: [
    ...onConfigMaps(['a value', 'a map', 'what is absent']),
    ...onAccounts(['a list']),
    ...onServices(['a field of an item']),
  ],
  strategicKeys: [
    ...ofEveryKind.strategicKeys,
    ...onServices(['ports by port']),
    ...onAccounts(['secrets by name']),
    ...on('core/pods', ['containers by name']),
    ...on('core/nodes', ['conditions by type', 'addresses by type'], 'patchStatus'),
    ...onConditions(['conditions by type']),
    ...onWorkloads([
      'containers by name',
      'ports by containerPort',
      'env by name',
      'volumeMounts by mountPath',
      'volumes by name',
      'imagePullSecrets by name',
      'initContainers by name',
      'hostAliases by ip',
    ]),
  ],
  strategicWholeLists: [
    ...onAccounts(['imagePullSecrets']),
    ...on('core/endpoints', ['subsets']),
    ...on('extensions/ingresses', ['rules']),
    ...onWorkloads(['command', 'tolerations']),
  ],
  strategicReplaces: [
    ...onConfigMaps(['a map']),
    ...onServices(['a list', 'a list, at its end', 'a map of labels']),
    ...onWorkloads(['a list', 'a map']),
  ],
  strategicDeletes: [
    ...onConfigMaps(['a map']),
    ...onServices(['an item', 'an item that is not there']),
    ...onAccounts(['an item']),
    ...onWorkloads(['an item', 'an item of an item', 'a map']),
  ],
  strategicMerges: [...onConfigMaps(['a map']), ...onServices(['an item'])],
  strategicPrimitiveDeletes: [
    ...ofEveryKind.strategicPrimitiveDeletes,
    ...onConfigMaps(['a value that is not there', 'with another one added']),
  ],
  strategicOrders: [
    ...onServices(['two items', 'a new item between', 'an item that is changed']),
    ...onConfigMaps(['finalizers']),
    ...onWorkloads(['containers']),
  ],
  strategicRetainedKeys: [
    ...onConfigMaps(['a map']),
    ...on('extensions/deployments', ['the strategy']),
    ...onWorkloads(['the source of a volume']),
  ],
  strategicWithoutKeys: [...onServices(['ports']), ...onAccounts(['secrets']), ...onWorkloads(['env'])],
  strategicUnknownDirectives: [...onConfigMaps(['of a map', 'that is no string']), ...onServices(['of an item'])],
  strategicMalformed: [
    ...onConfigMaps([
      'an array',
      'a string',
      'a number',
      'truncated',
      'no JSON',
      '$retainKeys that is no list',
      '$retainKeys without a key that is set',
    ]),
    ...onServices([
      '$setElementOrder that is no list',
      '$setElementOrder without an item that is set',
      'an item that is no object',
    ]),
  ].map(ofDirective),
  hostilePatches: serverVariants([
    '__proto__ in a merge patch',
    '__proto__ in a strategic merge patch',
    '__proto__ in a JSON patch',
    'constructor.prototype in a JSON patch',
    '2,000 operations',
    'a copy that doubles the document 8 times',
    'an index that is ten too high',
    'nested 2,000 deep',
    'a pointer 100,000 long',
    'an op called constructor',
    'a move of the whole into its own child',
    'a character of zero',
    '500 names to delete from a list',
    '500 items to delete by their key',
  ]).concat(
    serverVariants([
      '20,000 operations',
      'a copy that doubles the document 40 times',
      'an index of 4,000,000,000',
      'nested 20,000 deep',
      '9,900 moves in a wide object',
      '20,000 names to delete from a list',
      '3,000 items to delete by their key',
    ]).map(forDisposable),
  ),
} as const satisfies Record<string, readonly Subject[]>;
