// What webhooks are asked about: a request with its objects, in the versions that webhooks want.

import type { Resource } from '../../../matrix/api/index.js';
import type { Change, Origin } from '../../registry/admission.js';
import { decodeObject, type Expected, expectedOf } from '../../schema/body.js';
import type { DecodedObject, KubeObject } from '../../schema/object.js';
import { doInTurns } from '../../turns.js';
import { storageResource } from '../../versions/addresses.js';
import { kindConversionOf } from '../../versions/kindConversions.js';
import { shownAs, toStorageVersion } from '../../versions/views.js';

type Operation = Change['operation'] | 'CONNECT';

/** A request and the object before it. */
export interface Subject {
  readonly operation: Operation;
  readonly resource: Resource;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** Empty for cluster-scoped objects; that of a namespace is its own name. */
  readonly namespace: string;
  readonly name: string;
  readonly dryRun: boolean;
  readonly origin: Origin;
  readonly options?: object;
  readonly before?: KubeObject;
  /** What the object of the request is in the version of a resource. */
  kindIn(resource: Resource): Expected;
  /** Returns an object as webhooks see it, in the version of a resource. */
  shown(object: KubeObject, resource: Resource): KubeObject;
  /** Resolves when objects can be shown in the version of another resource. */
  prepare?(objects: readonly KubeObject[], resource: Resource): Promise<void>;
  /** Returns an object that a webhook has changed as the server sees it, with its defaults. */
  taken(value: unknown, resource: Resource, object: KubeObject): Promise<KubeObject>;
}

const optionsKind = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

/** Returns the options of a request, as real servers show them. */
export function optionsOf(operation: keyof typeof optionsKind, { query }: Origin, dryRun: boolean, more: object = {}) {
  const fieldManager = query.get('fieldManager');
  const fieldValidation = query.get('fieldValidation') ?? '';
  return {
    kind: optionsKind[operation],
    apiVersion: 'meta.k8s.io/v1',
    ...more,
    ...(dryRun && { dryRun: ['All'] }),
    ...(operation !== 'DELETE' && fieldManager && { fieldManager }),
    // `Warn` is what the server does anyway.
    ...(operation !== 'DELETE' && ['Strict', 'Ignore'].includes(fieldValidation) && { fieldValidation }),
  };
}

/** The delete options of a request, without those that are for the server alone. */
function deleteOptionsOf({ options = {} }: Change): object {
  const { uid, resourceVersion, dryRun: _dry, ...others } = options as Readonly<Record<string, unknown>>;
  const preconditions = {
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return { ...others, ...(Object.keys(preconditions).length > 0 && { preconditions }) };
}

const subresources: Readonly<Record<Change['part'], string>> = {
  main: '',
  status: 'status',
  finalize: 'finalize',
  ephemeralcontainers: 'ephemeralcontainers',
  resize: 'resize',
  approval: 'approval',
};

/** Returns the subject of a change to a stored object. */
export function subjectOf(change: Change): Subject {
  const { operation, resource, part, shown, origin, dryRun, name, before } = change;
  const isNamespace = change.stored === 'core/namespaces';
  const own = (object: KubeObject, version: Resource): KubeObject => shownAs(version, object);
  return {
    ...{ operation, resource, name, dryRun, origin },
    subresource: shown?.subresource ?? subresources[part],
    namespace: isNamespace ? name : (change.namespace ?? ''),
    options: optionsOf(operation, origin, dryRun, deleteOptionsOf(change)),
    ...(before && { before }),
    kindIn: (version) => shown?.expected ?? expectedOf(version),
    shown: shown === undefined ? own : (object) => shown.of(own(object, resource)),
    async prepare(objects, version) {
      await kindConversionOf(version)?.converted(objects);
    },
    async taken(value, version, object) {
      if (shown === undefined) return change.complete(version, await decoded(expectedOf(version), value));
      const part = await decoded(shown.expected, value);
      return toStorageVersion(resource, shown.into(own(object, resource), part)) as KubeObject;
    },
  };
}

const decoded = async (expected: Expected, value: unknown): Promise<DecodedObject> =>
  doInTurns(decodeObject(expected, value));

/** Reports whether two resources show the same objects. */
export const areEquivalent = (one: Resource, other: Resource): boolean =>
  storageResource(one) === storageResource(other);

/** The names of a resource, and of the kind of a request, as reviews have them. */
export const resourceName = ({ groupVersion: { group, version }, plural }: Resource) => ({
  group,
  version,
  resource: plural,
});

export function kindName({ apiVersion, kind }: Pick<Expected, 'apiVersion' | 'kind'>) {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  return { group, version, kind };
}
