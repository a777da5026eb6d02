// Autoscalers: what all their versions have in common is checked in the form of autoscaling/v2, with its paths.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { horizontalPodAutoscalers } from '../../../registry/strategies/horizontalPodAutoscalers.js';
import type { Strategy } from '../../../registry/strategy.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Label, pathSegment } from '../../../schema/formats.js';
import { type KubeObject, part } from '../../../schema/object.js';
import { compareQuantities } from '../../../schema/quantity.js';
import { autoscalerV2 } from '../conversions/autoscalers.js';
import { validateContainerAmount } from './administeredRules.js';

type Spec = ObjectOf<'autoscaling.v2.HorizontalPodAutoscalerSpec'>;
type Metric = ObjectOf<'autoscaling.v2.MetricSpec'>;
type Target = Partial<ObjectOf<'autoscaling.v2.MetricTarget'>>;
type Reference = Partial<ObjectOf<'autoscaling.v2.CrossVersionObjectReference'>>;
type ScalingRules = ObjectOf<'autoscaling.v2.HPAScalingRules'>;

type SourceName = 'object' | 'external' | 'pods' | 'resource' | 'containerResource';

/** What sources of metrics have, each some of it. */
interface Source {
  readonly describedObject?: Reference;
  readonly metric?: { readonly name?: string };
  readonly name?: string;
  readonly container?: string;
  readonly target?: Target;
}

const specOf = (autoscaler: KubeObject): Partial<Spec> => part<Spec>(autoscalerV2.fromStorage(autoscaler), 'spec');

const longestPeriod = 1800;
const longestWindow = 3600;

function validateReference(field: string, { kind, name }: Reference, causes: Causes): void {
  causes.named(`${field}.kind`, kind, pathSegment);
  causes.named(`${field}.name`, name, pathSegment);
}

function validateTarget(field: string, target: Target, causes: Causes): void {
  const { type = '', value, averageValue, averageUtilization } = target;
  if (type === '') causes.required(`${field}.type`, 'must specify a metric target type');
  if (!['Utilization', 'Value', 'AverageValue'].includes(type)) {
    causes.invalid(`${field}.type`, type, 'must be either Utilization, Value, or AverageValue');
  }
  for (const [name, amount] of Object.entries({ value, averageValue })) {
    if (amount !== undefined && compareQuantities(amount, '0') <= 0) {
      causes.invalid(`${field}.${name}`, amount, 'must be positive');
    }
  }
  causes.positive(`${field}.averageUtilization`, averageUtilization);
}

/** The sources of metrics, in the order in which real servers look at them: what each needs beside a target. */
const sources: Readonly<Record<SourceName, (field: string, source: Source, causes: Causes) => void>> = {
  object(field, source, causes) {
    const { describedObject = {}, metric = {}, target = {} } = source;
    validateReference(`${field}.describedObject`, describedObject, causes);
    validateIdentifier(field, metric, causes);
    if (target.value === undefined && target.averageValue === undefined) {
      causes.required(`${field}.target.averageValue`, 'must set either a target value or averageValue');
    }
  },
  external(field, { metric = {}, target = {} }, causes) {
    validateIdentifier(field, metric, causes);
    if (target.value === undefined && target.averageValue === undefined) {
      const why = 'must set either a target value for metric or a per-pod target';
      causes.required(`${field}.target.averageValue`, why);
    }
    if (target.value !== undefined && target.averageValue !== undefined) {
      const why = 'may not set both a target value for metric and a per-pod target';
      causes.forbidden(`${field}.target.value`, why);
    }
  },
  pods(field, { metric = {}, target = {} }, causes) {
    validateIdentifier(field, metric, causes);
    if (target.averageValue === undefined) {
      causes.required(`${field}.target.averageValue`, 'must specify a positive target averageValue');
    }
  },
  resource(field, { name, target = {} }, causes) {
    if (!name) causes.required(`${field}.name`, 'must specify a resource name');
    validateShare(field, target, causes);
  },
  containerResource(field, source, causes) {
    const { name, container, target = {} } = source;
    if (!name) causes.required(`${field}.name`, 'must specify a resource name');
    else validateContainerAmount(`${field}.name`, name, causes);
    if (!container) causes.required(`${field}.container`, 'must specify a container');
    else causes.format(`${field}.container`, container, dns1123Label);
    validateShare(field, target, causes);
  },
};
const sourceNames = Object.keys(sources) as SourceName[];
const typeOfSource = (name: SourceName): string => name.charAt(0).toUpperCase() + name.slice(1);
const types = sourceNames.map(typeOfSource).sort();

function validateIdentifier(field: string, { name }: { readonly name?: string }, causes: Causes): void {
  if (!name) causes.required(`${field}.metric.name`, 'must specify a metric name');
  else causes.format(`${field}.metric.name`, name, pathSegment);
}

function validateShare(field: string, { averageUtilization, averageValue }: Target, causes: Causes): void {
  if (averageUtilization === undefined && averageValue === undefined) {
    const why = 'must set either a target raw value or a target utilization';
    causes.required(`${field}.target.averageUtilization`, why);
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    causes.forbidden(`${field}.target.averageValue`, 'may not set both a target raw value and a target utilization');
  }
}

function validateMetric(field: string, metric: Metric, causes: Causes): void {
  const { type = '' } = metric as Partial<Metric>;
  if (type === '') causes.required(`${field}.type`, 'must specify a metric source type');
  const present = sourceNames.filter((name) => metric[name] !== undefined);
  const [first] = present;
  if (first !== undefined) {
    const source = metric[first] as Source;
    sources[first](`${field}.${first}`, source, causes);
    validateTarget(`${field}.${first}.target`, source.target ?? {}, causes);
  }
  const wanted = sourceNames.find((name) => typeOfSource(name) === type);
  if (wanted === undefined) {
    // Real servers say so before and after they look at the sources.
    for (let times = 0; times < 2; times += 1) causes.notSupported(`${field}.type`, type, types);
  } else if (metric[wanted] === undefined) {
    causes.required(`${field}.${wanted}`, 'must populate information for the given metric source');
  }
  if (present.length === 1) return;
  for (const name of present) {
    if (name !== wanted) causes.forbidden(`${field}.${name}`, 'must populate the given metric source only');
  }
}

function validateRules(field: string, rules: ScalingRules, causes: Causes): void {
  const { stabilizationWindowSeconds: window = 0, selectPolicy, policies = [], tolerance } = rules;
  const ofWindow = `${field}.stabilizationWindowSeconds`;
  if (window < 0) causes.invalid(ofWindow, window, 'must be greater than or equal to zero');
  if (window > longestWindow) causes.invalid(ofWindow, window, `must be less than or equal to ${longestWindow}`);
  causes.oneOf(`${field}.selectPolicy`, selectPolicy, ['Disabled', 'Max', 'Min']);
  for (const [index, policy] of policies.entries()) {
    const at = `${field}.policies[${index}]`;
    const { type = '', value = 0, periodSeconds: period = 0 } = policy as Partial<typeof policy>;
    causes.oneOf(`${at}.type`, type, ['Percent', 'Pods']);
    if (value <= 0) causes.invalid(`${at}.value`, value, 'must be greater than zero');
    if (period <= 0) causes.invalid(`${at}.periodSeconds`, period, 'must be greater than zero');
    if (period > longestPeriod) {
      causes.invalid(`${at}.periodSeconds`, period, `must be less than or equal to ${longestPeriod}`);
    }
  }
  if (tolerance !== undefined && compareQuantities(tolerance, '0') < 0) {
    causes.invalid(`${field}.tolerance`, tolerance, 'must be greater than or equal to 0');
  }
}

function validateSpec(spec: Partial<Spec>, causes: Causes): void {
  const { minReplicas, maxReplicas = 0, scaleTargetRef = {}, metrics = [], behavior = {} } = spec;
  if (minReplicas !== undefined && minReplicas < 1) {
    causes.invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1');
  }
  if (maxReplicas === 0) causes.required('spec.maxReplicas', 'must be set and greater than 0');
  if (maxReplicas < 0) causes.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to 1');
  if (minReplicas !== undefined && maxReplicas < minReplicas) {
    causes.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`');
  }
  validateReference('spec.scaleTargetRef', scaleTargetRef, causes);
  for (const [index, metric] of metrics.entries()) validateMetric(`spec.metrics[${index}]`, metric, causes);
  if (minReplicas === 0 && !metrics.some(({ type }) => type === 'Object' || type === 'External')) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas';
    causes.forbidden('spec.metrics', why);
  }
  for (const field of ['scaleUp', 'scaleDown'] as const) {
    const rules = behavior[field];
    if (rules !== undefined) validateRules(`spec.behavior.${field}`, rules, causes);
  }
}

const targetOf = (autoscaler: KubeObject): Reference => specOf(autoscaler).scaleTargetRef ?? {};

/** Returns what is wrong with the version of the object that is scaled: only replication controllers have no group. */
function whyNoVersion({ apiVersion = '', kind }: Reference): string | undefined {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`;
  const hasGroup = parts.length === 2 && parts[0] !== '';
  return hasGroup || kind === 'ReplicationController' ? undefined : 'apiVersion must specify API group';
}

function validateVersion(autoscaler: KubeObject, causes: Causes): void {
  const target = targetOf(autoscaler);
  const why = whyNoVersion(target);
  if (why !== undefined) causes.invalid('spec.scaleTargetRef.apiVersion', target.apiVersion ?? '', why);
}

/** Since these versions, metrics are checked, and the version of what is scaled. */
const [metricsSince, versionsSince] = [23, 34];

/** Returns the strategy of the autoscalers of a server of a minor version; undefined for that of the interface. */
export const autoscalersOf = (minor: number): Strategy | undefined =>
  minor < metricsSince
    ? undefined
    : {
        ...horizontalPodAutoscalers,
        validate: (autoscaler, causes) => validateSpec(specOf(autoscaler), causes),
        ...(minor >= versionsSince && {
          validateCreate: validateVersion,
          // What was stored before may stay.
          validateUpdate(next, current, causes) {
            const [target, before] = [targetOf(next), targetOf(current)];
            const isSame = target.apiVersion === before.apiVersion && target.kind === before.kind;
            if (!isSame) validateVersion(next, causes);
          },
        }),
      };
