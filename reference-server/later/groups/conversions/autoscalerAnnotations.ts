// The annotations in which autoscaling/v1 has what it lacks: metrics with the field names of v1, and a behavior with
// those of the internal type of Kubernetes.
import { defined } from '../../../../matrix/api/index.js';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { equal, isRecord } from '../../../schema/object.js';

export type Metric = ObjectOf<'autoscaling.v2.MetricSpec'> & ObjectOf<'autoscaling.v2.MetricStatus'>;
type Behavior = ObjectOf<'autoscaling.v2.HorizontalPodAutoscalerBehavior'>;
type Rules = ObjectOf<'autoscaling.v2.HPAScalingRules'>;
type Fields = Readonly<Record<string, unknown>>;
/** A metric has amounts to reach, and its status those of now. */
export type Amounts = 'target' | 'current';

/** A field of v1, and where v2 has it. */
type Row = readonly [name: string, outer: string, inner?: string];

function rowsOf(amounts: Amounts): Readonly<Record<string, readonly Row[]>> {
  const utilization = [`${amounts}AverageUtilization`, amounts, 'averageUtilization'] as const;
  const average = [`${amounts}AverageValue`, amounts, 'averageValue'] as const;
  const value = [`${amounts}Value`, amounts, 'value'] as const;
  const name = ['metricName', 'metric', 'name'] as const;
  const selector = ['selector', 'metric', 'selector'] as const;
  const resource = [['name', 'name'], utilization, average] as const;
  return {
    resource,
    containerResource: [...resource, ['container', 'container']],
    pods: [name, average, selector],
    object: [['target', 'describedObject'], name, value, selector, ['averageValue', amounts, 'averageValue']],
    external: [name, ['metricSelector', 'metric', 'selector'], value, average],
  };
}

const rows = { target: rowsOf('target'), current: rowsOf('current') };

/** Converts each source of a metric, and keeps its other fields. */
function withSources(metric: object, convert: (source: string, fields: Fields) => object): object {
  const entries = Object.entries(metric).map(([name, value]) =>
    Object.hasOwn(rows.target, name) && isRecord(value) ? [name, convert(name, value)] : [name, value],
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the form of metrics in the annotation. A metric that v1 cannot say is `given`, so that its validation sees it.
 */
export const metricsAsV1 = (metrics: readonly Metric[], amounts: Amounts): readonly object[] =>
  metrics.map((metric) => {
    const said = withSources(metric, (source, fields) => sourceAsV1(rows[amounts][source] ?? [], source, fields));
    return equal(metricOfV1(said, amounts), metric) ? said : { given: metric };
  });

/** Returns the metrics of an annotation. */
export const metricsOfV1 = (list: unknown, amounts: Amounts): readonly Metric[] =>
  (Array.isArray(list) ? list.filter(isRecord) : []).map(
    (metric) => (metric.given ?? metricOfV1(metric, amounts)) as Metric,
  );

/** Objects always have a value in v1. */
const isAlways = (source: string, inner: string | undefined): boolean => source === 'object' && inner === 'value';

function sourceAsV1(fieldRows: readonly Row[], source: string, fields: Fields): object {
  const said = fieldRows.map(([name, outer, inner]) => {
    const value = inner === undefined ? fields[outer] : (fields[outer] as Fields | undefined)?.[inner];
    return [name, value ?? (isAlways(source, inner) ? '0' : undefined)];
  });
  return defined(Object.fromEntries(said));
}

const metricOfV1 = (metric: object, amounts: Amounts): object =>
  withSources(metric, (source, fields) => {
    const shown: Record<string, unknown> = {};
    for (const [name, outer, inner] of rows[amounts][source] ?? []) {
      const value = fields[name] ?? undefined;
      if (value === undefined || (isAlways(source, inner) && value === '0')) continue;
      shown[outer] = inner === undefined ? value : { ...(shown[outer] as object | undefined), [inner]: value };
    }
    if (amounts === 'current') return shown;
    const target = (shown.target ?? {}) as Fields;
    return { ...shown, target: { type: typeOf(target), ...target } };
  });

function typeOf({ averageUtilization, averageValue }: Fields): string {
  if (averageUtilization !== undefined) return 'Utilization';
  return averageValue !== undefined ? 'AverageValue' : 'Value';
}

/** Returns the form of a behavior in the annotation. */
export const behaviorAsInternal = ({ scaleUp, scaleDown }: Behavior): object => ({
  ScaleUp: rulesAsInternal(scaleUp),
  ScaleDown: rulesAsInternal(scaleDown),
});

function rulesAsInternal(rules: Rules | undefined): object | null {
  if (rules === undefined) return null;
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance } = rules;
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ??
      null,
    ...defined({ Tolerance: tolerance }),
  };
}

/** Returns the behavior of an annotation: Go reads names of fields in any case. */
export function behaviorOfInternal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(behaviorOfInternal);
  if (!isRecord(value)) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    given.map(([name, each]) => [name.charAt(0).toLowerCase() + name.slice(1), behaviorOfInternal(each)]),
  );
}
