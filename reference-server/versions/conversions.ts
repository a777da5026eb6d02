// The conversions of resources that are stored in the version of another resource, one row each.

import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { part } from '../schema/object.js';
import type { Conversion } from './conversion.js';
import { extensionsJob } from './job.js';

type StoredSpec = ObjectOf<'autoscaling.v1.HorizontalPodAutoscalerSpec'>;

/** The spec of extensions/v1beta1, which present servers do not have. */
interface ExtensionsSpec extends Pick<StoredSpec, 'minReplicas' | 'maxReplicas'> {
  readonly scaleRef?: ObjectOf<'autoscaling.v1.CrossVersionObjectReference'> & { readonly subresource?: string };
  readonly cpuUtilization?: { readonly targetPercentage: number };
}

const extensionsAutoscaler: Conversion = {
  fromStorage(stored) {
    const {
      scaleTargetRef,
      targetCPUUtilizationPercentage: percentage,
      ...replicas
    } = part<StoredSpec>(stored, 'spec');
    const spec: ExtensionsSpec = {
      ...(scaleTargetRef && { scaleRef: { ...scaleTargetRef, subresource: 'scale' } }),
      ...replicas,
      ...(percentage !== undefined && { cpuUtilization: { targetPercentage: percentage } }),
    };
    return { ...stored, spec };
  },
  toStorage(object) {
    const { scaleRef, cpuUtilization, ...replicas } = part<ExtensionsSpec>(object, 'spec');
    const { subresource: _subresource, ...scaleTargetRef } = scaleRef ?? {};
    const spec: StoredSpec = {
      scaleTargetRef: { kind: '', name: '', ...scaleTargetRef },
      ...replicas,
      ...(cpuUtilization && { targetCPUUtilizationPercentage: cpuUtilization.targetPercentage }),
    };
    return { ...object, spec };
  },
};

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
