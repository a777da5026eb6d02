// The conditions of a namespace that is being deleted: what still keeps it.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { timestamp } from '../registry/metadata.js';
import { type KubeObject, part } from '../schema/object.js';

type Condition = ObjectOf<'NamespaceCondition'>;

/** What is left in a namespace. */
export interface Remains {
  /** How many objects there are of a resource, such as `deployments.apps`, or `pods.` for one without a group. */
  readonly resources: ReadonlyMap<string, number>;
  /** How many objects have a finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
  /** Why objects could not be deleted. */
  readonly failures: readonly unknown[];
}

interface Row {
  readonly type: string;
  readonly good: readonly [reason: string, message: string];
  readonly bad?: readonly [reason: string, message: (remains: Remains) => string];
  isBad(remains: Remains): boolean;
}

const rows: readonly Row[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    good: ['ResourcesDiscovered', 'All resources successfully discovered'],
    isBad: () => false,
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    good: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    isBad: () => false,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    good: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    bad: [
      'ContentDeletionFailed',
      ({ failures }) =>
        `Failed to delete all resource types, ${failures.length} remaining: ${failures.map(messageOf).join(', ')}`,
    ],
    isBad: ({ failures }) => failures.length > 0,
  },
  {
    type: 'NamespaceContentRemaining',
    good: ['ContentRemoved', 'All content successfully removed'],
    bad: [
      'SomeResourcesRemain',
      ({ resources }) =>
        `Some resources are remaining: ${each(resources, (name, count) => `${name} has ${count} resource instances`)}`,
    ],
    isBad: ({ resources }) => resources.size > 0,
  },
  {
    type: 'NamespaceFinalizersRemaining',
    good: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    bad: [
      'SomeFinalizersRemain',
      ({ finalizers }) =>
        `Some content in the namespace has finalizers remaining: ${each(finalizers, (name, count) => `${name} in ${count} resource instances`)}`,
    ],
    isBad: ({ finalizers }) => finalizers.size > 0,
  },
];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const each = (counts: ReadonlyMap<string, number>, text: (name: string, count: number) => string): string =>
  [...counts]
    .map(([name, count]) => text(name, count))
    .sort()
    .join(', ');

/** Returns the namespace with the conditions for what is left in it. One that is as before keeps its time. */
export function withRemains(namespace: KubeObject, remains: Remains, now: Date): KubeObject {
  const status = part<ObjectOf<'NamespaceStatus'>>(namespace, 'status');
  const all: Condition[] = [...(status.conditions ?? [])];
  for (const { type, good, bad, isBad } of rows) {
    const isTrue = bad !== undefined && isBad(remains);
    const [reason, message] = isTrue ? [bad[0], bad[1](remains)] : good;
    const at = all.findIndex((condition) => condition.type === type);
    const before = all[at];
    const is = isTrue ? 'True' : 'False';
    if (before?.status === is && before.reason === reason && before.message === message) continue;
    all.splice(at === -1 ? all.length : at, 1, {
      ...{ type, status: is, lastTransitionTime: timestamp(now), reason, message },
    });
  }
  return { ...namespace, status: { ...status, conditions: all } };
}
