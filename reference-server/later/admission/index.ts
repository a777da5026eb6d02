// The admission plug-ins that present servers have by default, as an addon, beside those of the core.
import type { Addon } from '../../addons.js';
import type { KubeObject } from '../../schema/object.js';
import type { PriorityClass, RuntimeClass, StorageClass } from './classes.js';
import { Configurations } from './configurations.js';
import {
  claimResize,
  defaultIngressClass,
  defaultStorageClass,
  ingressClassesId,
  storageClassesId,
} from './defaultClasses.js';
import { levelsOf, podSecurity } from './podsecurity/index.js';
import { priorities, priorityClassesId } from './priorities.js';
import { runtimeClasses, runtimeClassesId } from './runtimeClasses.js';
import { defaultTolerations } from './tolerations.js';

export const builtInAdmission: Addon = {
  partsOf({ ownRegistry: registry, minor, lacks }) {
    const known = <Item>(id: string, itemsOf: (object: KubeObject) => readonly Item[]) =>
      new Configurations(id, registry.of(id), itemsOf);
    const itself = <Item extends KubeObject>(object: KubeObject): readonly Item[] => [object as Item];
    const classes = {
      priority: known<PriorityClass>(priorityClassesId, itself),
      runtime: known<RuntimeClass>(runtimeClassesId, itself),
      storage: known<StorageClass>(storageClassesId, itself),
      ingress: known<KubeObject>(ingressClassesId, itself),
    };
    const namespaces = known('core/namespaces', levelsOf);
    // In the order of real servers, by the minor version since which they have each by default.
    const plugins = [
      ...(minor >= 23 ? podSecurity(namespaces, registry.of('core/pods')) : []),
      ...(minor >= 11 ? priorities(classes.priority, minor) : []),
      ...(minor >= 6 ? [defaultTolerations, defaultStorageClass(classes.storage, minor)] : []),
      ...(minor >= 11 ? [claimResize(classes.storage)] : []),
      ...(minor >= 14 ? [runtimeClasses(classes.runtime)] : []),
      ...(minor >= 18 ? [defaultIngressClass(classes.ingress, minor)] : []),
    ].filter(({ feature }) => feature === undefined || !lacks(feature));
    const all = [...Object.values(classes), namespaces];
    return {
      controllers: all.map(({ controller }) => controller),
      admission: [...plugins, ...all.map(({ learning }) => learning)],
      async start() {
        for (const each of all) await each.start();
      },
    };
  },
};
