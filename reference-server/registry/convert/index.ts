// Two versions of one object: how a resource that shares another one's storage reads and writes it.
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import type { Draft, KubeObject } from '../../schema/object.js';
import { extensionsAutoscaler } from './autoscaler.js';
import { extensionsJob } from './job.js';

export interface Conversion {
  /** From the stored version; apiVersion, kind and selfLink are set by the caller. */
  fromStored(stored: KubeObject): KubeObject;
  /** To the stored version. */
  toStored(draft: Draft): Draft;
}

const conversions: Readonly<Record<string, Conversion>> = {
  'extensions/horizontalpodautoscalers': extensionsAutoscaler,
  'extensions/jobs': extensionsJob,
};

const same: Conversion = { fromStored: (stored) => stored, toStored: (draft) => draft };

/** The conversion of a resource; the identity for one that is stored as it is seen. */
export function conversionOf(resource: Resource): Conversion {
  return conversions[resourceId(resource)] ?? same;
}
