// The conversions of resources that are stored in the version of another resource, one row each.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import { extensionsAutoscaler } from './autoscaler.js';
import type { Conversion } from './conversion.js';
import { extensionsJob } from './job.js';

const conversions: Readonly<Record<string, Conversion>> = {
  'extensions/horizontalpodautoscalers': extensionsAutoscaler,
  'extensions/jobs': extensionsJob,
};

const registered = new WeakMap<Resource, Conversion>();

/** Sets the conversion of a resource that is not of the interface. */
export function setConversion(resource: Resource, conversion: Conversion): void {
  registered.set(resource, conversion);
}

const same: Conversion = { fromStorage: (stored) => stored, toStorage: (object) => object };

/** Returns the conversion of a resource. It is the identity if the resource is stored in its own version. */
export function conversionOf(resource: Resource): Conversion {
  return registered.get(resource) ?? conversions[resourceId(resource)] ?? same;
}
