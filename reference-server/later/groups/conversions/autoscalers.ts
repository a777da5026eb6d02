// HorizontalPodAutoscaler of autoscaling/v2, stored as autoscaling/v1: fields that v1 lacks are in annotations, under the
// names that Kubernetes gives them.
import { defined } from '../../../../matrix/api/index.js';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { type DecodedObject, type KubeObject, type ObjectMeta, part } from '../../../schema/object.js';
import type { Conversion } from '../../../versions/conversion.js';
import {
  behaviorAsInternal,
  behaviorOfInternal,
  type Metric,
  metricsAsV1,
  metricsOfV1,
} from './autoscalerAnnotations.js';

const prefix = 'autoscaling.alpha.kubernetes.io/';

/** The annotations of the fields that v1 lacks. */
const annotations = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
} as const;

const isCpu = ({ type, resource }: Metric): boolean => type === 'Resource' && resource?.name === 'cpu';

/** Reports whether v1 can say all of a metric. */
function isTarget(metric: Metric): boolean {
  const { type, averageUtilization, ...more } = metric.resource?.target ?? {};
  const isWhole =
    Object.keys(metric).length === 2 && averageUtilization !== undefined && Object.keys(more).length === 0;
  return isCpu(metric) && type === 'Utilization' && isWhole;
}

export const autoscalerV2: Conversion = {
  fromStorage(stored) {
    const { targetCPUUtilizationPercentage: target, ...spec } = part<
      ObjectOf<'autoscaling.v1.HorizontalPodAutoscalerSpec'>
    >(stored, 'spec');
    const {
      currentCPUUtilizationPercentage: current,
      currentReplicas,
      ...status
    } = part<ObjectOf<'autoscaling.v1.HorizontalPodAutoscalerStatus'>>(stored, 'status');
    const read = <T>(name: keyof typeof annotations) => parsed<T>(stored.metadata.annotations?.[annotations[name]]);
    const cpu = (more: object): Metric => ({ type: 'Resource', resource: { name: 'cpu', ...more } });
    const metrics = [
      ...(target === undefined ? [] : [cpu({ target: { type: 'Utilization', averageUtilization: target } })]),
      ...metricsOfV1(read('metrics'), 'target'),
    ];
    // The annotation has the CPU too.
    const annotated = metricsOfV1(read('currentMetrics'), 'current');
    const ofCpu =
      annotated.some(isCpu) || current === undefined ? [] : [cpu({ current: { averageUtilization: current } })];
    const currentMetrics = [...ofCpu, ...annotated];
    const behavior = read<object>('behavior');
    return {
      ...stored,
      metadata: withAnnotations(stored.metadata, {}),
      spec: {
        ...spec,
        ...(metrics.length > 0 && { metrics }),
        ...defined({ behavior: behavior && behaviorOfInternal(behavior) }),
      },
      status: {
        ...status,
        ...(currentReplicas ? { currentReplicas } : {}),
        ...(currentMetrics.length > 0 && { currentMetrics }),
        ...defined({ conditions: read<object[]>('conditions') }),
      },
    } as KubeObject;
  },
  toStorage(object) {
    const {
      metrics = [],
      behavior,
      ...spec
    } = part<ObjectOf<'autoscaling.v2.HorizontalPodAutoscalerSpec'>>(object, 'spec');
    const {
      currentMetrics: shownMetrics,
      conditions,
      ...status
    } = part<Partial<ObjectOf<'autoscaling.v2.HorizontalPodAutoscalerStatus'>>>(object, 'status');
    // What is shown of no metrics is null.
    const currentMetrics = shownMetrics ?? [];
    const target = metrics.find(isTarget);
    const current = currentMetrics.find(isCpu);
    const others = metrics.filter((metric) => metric !== target);
    const kept = {
      metrics: others.length > 0 ? metricsAsV1(others, 'target') : undefined,
      behavior: behavior && behaviorAsInternal(behavior),
      currentMetrics: currentMetrics.length > 0 ? metricsAsV1(currentMetrics, 'current') : undefined,
      conditions,
    };
    return {
      ...object,
      metadata: withAnnotations(object.metadata, kept),
      spec: { ...spec, ...defined({ targetCPUUtilizationPercentage: target?.resource?.target?.averageUtilization }) },
      ...(object.status !== undefined && {
        // v1 requires both numbers.
        status: {
          currentReplicas: 0,
          desiredReplicas: 0,
          ...status,
          ...defined({ currentCPUUtilizationPercentage: current?.resource?.current?.averageUtilization }),
        },
      }),
    } as DecodedObject;
  },
};

/** Removes the annotations of a status, which a client does not create. */
export function withoutStatus(metadata: ObjectMeta): ObjectMeta {
  const {
    [annotations.currentMetrics]: _metrics,
    [annotations.conditions]: _conditions,
    ...kept
  } = metadata.annotations ?? {};
  const { annotations: _annotations, ...rest } = metadata;
  return { ...rest, ...(Object.keys(kept).length > 0 && { annotations: kept }) };
}

/** Replaces the annotations of this file by those of the given values. */
function withAnnotations(metadata: ObjectMeta, values: Partial<Record<keyof typeof annotations, unknown>>): ObjectMeta {
  const names = new Set<string>(Object.values(annotations));
  const { annotations: before, ...rest } = metadata;
  const kept = Object.entries(before ?? {}).filter(([name]) => !names.has(name));
  const added = Object.entries(defined(values)).map(([field, value]): [string, string] => [
    annotations[field as keyof typeof annotations],
    JSON.stringify(value),
  ]);
  const all = Object.fromEntries([...kept, ...added]);
  return { ...rest, ...(Object.keys(all).length > 0 && { annotations: all }) };
}

/** A client can write these annotations in v1: text that is not JSON counts as absent. */
function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}
