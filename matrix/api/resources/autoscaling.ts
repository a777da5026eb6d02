// The autoscaling group: a row per resource of `/apis/autoscaling/v1`.
import { groupVersion } from './groupVersion.js';
import { collection, object, resource, status, watches } from './resource.js';

const autoscalingV1 = groupVersion('autoscaling', 'v1');

export const autoscaling = [
  resource(autoscalingV1, {
    plural: 'horizontalpodautoscalers',
    kind: 'HorizontalPodAutoscaler',
    categories: ['all'],
    shortNames: ['hpa'],
    stated: ['listAll', ...collection, ...object, ...status, ...watches],
  }),
];
