// Every resource of every group.
import { authentication } from './authentication.js';
import { autoscaling } from './autoscaling.js';
import { batch } from './batch.js';
import { core } from './core.js';
import { extensions } from './extensions.js';
import type { GroupVersion, Resource } from './resource.js';

export { apiVersionOf, type FoundTraits, type GroupVersion, type Resource } from './resource.js';

/** Every resource, in the order of discovery. */
export const resources: readonly Resource[] = [...core, ...autoscaling, ...batch, ...extensions, ...authentication];

export const groupVersions: readonly GroupVersion[] = [...new Set(resources.map((r) => r.groupVersion))];

/** Returns `group/plural`, which is unique among resources; the core group is `core`. A later version has another id. */
export function resourceId({ id, groupVersion, plural }: Resource): string {
  return id ?? `${groupVersion.group || 'core'}/${plural}`;
}
