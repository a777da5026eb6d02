// How a resource that came after the interface is written: all of its verbs are those of present servers.
import { groupVersion } from '../resources/groupVersion.js';
import {
  collection,
  type GroupVersion,
  object,
  type Resource,
  type ResourceRow,
  resource,
} from '../resources/resource.js';
import type { Verb } from '../verbs.js';

export type LaterRow = Omit<ResourceRow, 'stated' | 'unstated'>;

export const later = (group: string, version: string): GroupVersion => ({
  ...groupVersion(group, version),
  stated: false,
});

export const namespaced = ['listAll', ...collection, ...object] as const satisfies readonly Verb[];
export const clusterScoped = [...collection, ...object] as const satisfies readonly Verb[];

export const row = (of: GroupVersion, verbs: readonly Verb[], more: LaterRow): Resource =>
  resource(of, { ...more, stated: [], unstated: verbs, modern: true, section: 'Conventions' });
