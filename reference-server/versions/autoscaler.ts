// HorizontalPodAutoscaler of extensions/v1beta1, stored as autoscaling/v1.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { part } from '../schema/object.js';
import type { Conversion } from './conversion.js';

type StoredSpec = ObjectOf<'autoscaling.v1.HorizontalPodAutoscalerSpec'>;

/** The spec of extensions/v1beta1, which present servers do not have. */
interface ExtensionsSpec extends Pick<StoredSpec, 'minReplicas' | 'maxReplicas'> {
  readonly scaleRef?: ObjectOf<'autoscaling.v1.CrossVersionObjectReference'> & { readonly subresource?: string };
  readonly cpuUtilization?: { readonly targetPercentage: number };
}

export const extensionsAutoscaler: Conversion = {
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
