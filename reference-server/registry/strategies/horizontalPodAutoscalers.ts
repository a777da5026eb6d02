// HorizontalPodAutoscalers: the bounds and the scale target.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { pathSegment } from '../../schema/formats.js';
import { part } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';

export const horizontalPodAutoscalers: Strategy = {
  initialStatus: () => ({ currentReplicas: 0, desiredReplicas: 0 }),
  validateStatus(next, _current, causes) {
    const { currentReplicas, desiredReplicas } = part<ObjectOf<'autoscaling.v1.HorizontalPodAutoscalerStatus'>>(
      next,
      'status',
    );
    causes.notNegative('status.currentReplicas', currentReplicas);
    causes.notNegative('status.desiredReplicas', desiredReplicas);
  },
  validate(autoscaler, causes) {
    const {
      scaleTargetRef,
      minReplicas,
      maxReplicas = 0,
      ...spec
    } = part<ObjectOf<'autoscaling.v1.HorizontalPodAutoscalerSpec'>>(autoscaler, 'spec');
    if (minReplicas !== undefined && minReplicas < 1) {
      causes.invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1');
    }
    causes.positive('spec.maxReplicas', maxReplicas);
    if (minReplicas !== undefined && maxReplicas < minReplicas) {
      causes.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
    }
    causes.named('spec.scaleTargetRef.kind', scaleTargetRef?.kind, pathSegment);
    causes.named('spec.scaleTargetRef.name', scaleTargetRef?.name, pathSegment);
    causes.positive('spec.targetCPUUtilizationPercentage', spec.targetCPUUtilizationPercentage);
  },
};
