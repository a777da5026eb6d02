// HorizontalPodAutoscaler of extensions/v1beta1, stored as autoscaling/v1.
import { part } from '../schema/object.js';
import type { Conversion } from './conversion.js';

interface StoredSpec {
  readonly scaleTargetRef?: { kind?: string; name?: string; apiVersion?: string };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly targetCPUUtilizationPercentage?: number;
}

interface ExtensionsSpec {
  readonly scaleRef?: { kind?: string; name?: string; apiVersion?: string; subresource?: string };
  readonly minReplicas?: number;
  readonly maxReplicas?: number;
  readonly cpuUtilization?: { targetPercentage: number };
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
