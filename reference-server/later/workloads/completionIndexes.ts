// The indexes of a Job with completionMode Indexed: which are complete, which need a pod, and the pod of an index.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { longestGeneratedBase } from '../../registry/metadata.js';
import type { DecodedObject, KubeObject } from '../../schema/object.js';
import { phaseOf } from './pods.js';

/** The label and the annotation of a pod with its index. */
const indexKey = 'batch.kubernetes.io/job-completion-index';
const failuresKey = 'batch.kubernetes.io/job-index-failure-count';
const variable = 'JOB_COMPLETION_INDEX';

/** Indexes from `first` to `last`. A Job may have 2,147,483,647 of them, too many to list one by one. */
interface Interval {
  readonly first: number;
  readonly last: number;
}

/** Intervals in order, with a gap between any two. */
export type Intervals = readonly Interval[];

/** Returns the index of a pod, or undefined if it has none below the number of completions. */
export function indexOf({ metadata: { annotations } }: KubeObject, completions: number): number | undefined {
  const text = annotations?.[indexKey] ?? '';
  return /^\d{1,10}$/.test(text) && Number(text) < completions ? Number(text) : undefined;
}

/** Returns how many pods of its index had failed when a pod was made. */
export const failuresBefore = ({ metadata: { annotations } }: KubeObject): number =>
  Math.trunc(Number(annotations?.[failuresKey])) || 0;

const only = (index: number): Interval => ({ first: index, last: index });

/** Puts intervals in order, and joins those that touch. */
function joined(intervals: readonly Interval[]): Intervals {
  const all: Interval[] = [];
  for (const { first, last } of [...intervals].sort((one, other) => one.first - other.first)) {
    const before = all.at(-1);
    if (before === undefined || first > before.last + 1) all.push({ first, last });
    else if (last > before.last) all[all.length - 1] = { first: before.first, last };
  }
  return all;
}

/** Reads a text such as `0,2-4`, as far as its indexes are below the number of completions. */
export function indexesIn(text: string, completions: number): Intervals {
  const noted = text.split(',').flatMap((part): Interval[] => {
    const [, from, to = from] = /^(\d{1,10})(?:-(\d{1,10}))?$/.exec(part) ?? [];
    const [first, last] = [Number(from), Math.min(Number(to), completions - 1)];
    return first <= last ? [{ first, last }] : [];
  });
  return joined(noted);
}

export function withIndexes(intervals: Intervals, indexes: readonly number[]): Intervals {
  return joined([...intervals, ...indexes.map(only)]);
}

export const unionOf = (one: Intervals, other: Intervals): Intervals => joined([...one, ...other]);

/** Returns how many indexes two lists have in common. */
export function countOfCommon(one: Intervals, other: Intervals): number {
  return countOfIndexes(one) + countOfIndexes(other) - countOfIndexes(joined([...one, ...other]));
}

/** Returns the complete indexes: those in the text of the status, and those of pods that succeeded. */
export function completeIndexes(text: string, pods: readonly KubeObject[], completions: number): Intervals {
  const succeeded = pods
    .filter((pod) => phaseOf(pod) === 'Succeeded')
    .flatMap((pod) => indexOf(pod, completions) ?? []);
  return withIndexes(indexesIn(text, completions), succeeded);
}

export function indexesText(intervals: Intervals): string {
  const text = ({ first, last }: Interval): string => {
    if (first === last) return String(first);
    return first + 1 === last ? `${first},${last}` : `${first}-${last}`;
  };
  return intervals.map(text).join(',');
}

export function countOfIndexes(intervals: Intervals): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** Sorts active pods: one for each index, in order, and those without an index or with one that another pod has. */
export function byIndex(
  pods: readonly KubeObject[],
  completions: number,
): { readonly kept: readonly KubeObject[]; readonly surplus: readonly KubeObject[] } {
  const kept = new Map<number, KubeObject>();
  const surplus: KubeObject[] = [];
  for (const pod of pods) {
    const index = indexOf(pod, completions);
    if (index === undefined || kept.has(index)) surplus.push(pod);
    else kept.set(index, pod);
  }
  return { kept: [...kept].sort(([one], [other]) => one - other).map(([, pod]) => pod), surplus };
}

/** Returns the lowest indexes that are not over and that none of the pods has, at most `count`. */
export function freeIndexes(
  over: Intervals,
  pods: readonly KubeObject[],
  { count, completions }: { readonly count: number; readonly completions: number },
): readonly number[] {
  const active = pods.flatMap((pod) => indexOf(pod, completions) ?? []);
  const free: number[] = [];
  let next = 0;
  for (const { first, last } of [...joined([...over, ...active.map(only)]), only(completions)]) {
    for (; next < first && free.length < count; next++) free.push(next);
    next = last + 1;
  }
  return free;
}

/**
 * Returns the pod of an index: its name, its host name, and a variable of each container tell the index. A Job that
 * counts the failures of each index notes how many there were.
 */
export function withIndex(pod: DecodedObject, job: string, index: number, failures?: number): DecodedObject {
  const { metadata } = pod;
  const {
    containers = [],
    initContainers,
    ...spec
  } = pod.spec as Readonly<Record<'containers' | 'initContainers', readonly ObjectOf<'Container'>[] | undefined>>;
  const suffix = `-${index}-`;
  const own = { [indexKey]: String(index) };
  return {
    ...pod,
    metadata: {
      ...metadata,
      generateName: job.slice(0, longestGeneratedBase - suffix.length) + suffix,
      labels: { ...metadata.labels, ...own },
      annotations: {
        ...metadata.annotations,
        ...own,
        ...(failures !== undefined && { [failuresKey]: String(failures) }),
      },
    },
    spec: {
      ...spec,
      hostname: `${job}-${index}`,
      ...(initContainers && { initContainers: initContainers.map(withVariable) }),
      containers: containers.map(withVariable),
    },
  };
}

function withVariable(container: ObjectOf<'Container'>): ObjectOf<'Container'> {
  const { env = [] } = container;
  if (env.some(({ name }) => name === variable)) return container;
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...env, { name: variable, valueFrom: { fieldRef } }] };
}
