// The downward API: fields of a pod as values of its environment and its volumes.
import { NotReady } from './objects.js';
import type { Pod } from './types.js';

export interface PodIPs {
  readonly podIP: string;
  readonly hostIP: string;
}

const lines = (map: Readonly<Record<string, string>> = {}): string =>
  Object.entries(map)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');

const fields = new Map<string, (pod: Pod, ips: PodIPs) => string>([
  ['metadata.name', ({ metadata }) => metadata.name],
  ['metadata.namespace', ({ metadata }) => metadata.namespace ?? ''],
  ['metadata.uid', ({ metadata }) => metadata.uid ?? ''],
  ['metadata.labels', ({ metadata }) => lines(metadata.labels)],
  ['metadata.annotations', ({ metadata }) => lines(metadata.annotations)],
  ['spec.nodeName', ({ spec }) => spec.nodeName ?? ''],
  ['spec.serviceAccountName', ({ spec }) => spec.serviceAccountName ?? 'default'],
  ['status.podIP', (_, { podIP }) => podIP],
  ['status.hostIP', (_, { hostIP }) => hostIP],
]);

/**
 * Returns the value of a field, given its path; for a label or annotation, `metadata.labels['key']`. Throws NotReady.
 */
export function fieldOf(path: string, pod: Pod, ips: PodIPs): string {
  const [, map, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return pod.metadata[map]?.[key] ?? '';
  const field = fields.get(path);
  if (field === undefined) throw new NotReady(`unsupported fieldPath: ${path}`);
  return field(pod, ips);
}
