// Values of a pod's own fields, for its environment and its volumes.
import { NotReady } from './objects.js';
import type { Pod } from './types.js';

/** Where a pod runs. */
export interface Placement {
  readonly podIP: string;
  readonly hostIP: string;
}

const lines = (map: Readonly<Record<string, string>> = {}): string =>
  Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

const fields: Readonly<Record<string, (pod: Pod, place: Placement) => string>> = {
  'metadata.name': ({ metadata }) => metadata.name,
  'metadata.namespace': ({ metadata }) => metadata.namespace ?? '',
  'metadata.uid': ({ metadata }) => metadata.uid ?? '',
  'metadata.labels': ({ metadata }) => lines(metadata.labels),
  'metadata.annotations': ({ metadata }) => lines(metadata.annotations),
  'spec.nodeName': ({ spec }) => spec.nodeName ?? '',
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName ?? 'default',
  'status.podIP': (_, place) => place.podIP,
  'status.hostIP': (_, place) => place.hostIP,
};

/** The value of a field by its path; a label or an annotation by `metadata.labels['key']`. Throws NotReady. */
export function fieldOf(path: string, pod: Pod, place: Placement): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return pod.metadata[map]?.[key] ?? '';
  const read = Object.hasOwn(fields, path) ? fields[path] : undefined;
  if (read === undefined) throw new NotReady(`unsupported fieldPath: ${path}`);
  return read(pod, place);
}
