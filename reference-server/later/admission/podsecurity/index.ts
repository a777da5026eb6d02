// Pod security: namespaces ask in their labels that pods violate no level, or that somebody is told of those that do.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { Plugin } from '../../../admission/plugin.js';
import { forbidden, invalid } from '../../../errors.js';
import type { Writing } from '../../../registry/admission.js';
import type { Store } from '../../../registry/store.js';
import { Causes } from '../../../schema/causes.js';
import type { KubeObject } from '../../../schema/object.js';
import type { Configurations } from '../configurations.js';
import { findingsOf, type Pod, violationsOf } from './checks.js';
import {
  checkLabels,
  isStricter,
  type Level,
  labelOf,
  levelIn,
  levelsIn,
  type Mode,
  modes,
  shownLevel,
} from './levels.js';

export type Levels = Readonly<Record<Mode, Level>>;

/** Returns the levels of a namespace; none if it asks for nothing. */
export function levelsOf({ metadata: { labels } }: KubeObject): readonly Levels[] {
  if (!modes.some((mode) => labels?.[labelOf(mode)] !== undefined)) return [];
  return [levelsIn(labels)];
}

/** The stored resources that make pods from a template, and where the template is. */
const templates: Readonly<Record<string, readonly string[]>> = {
  'core/podtemplates': ['template'],
  'core/replicationcontrollers': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'batch/jobs': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
  'extensions/daemonsets': ['spec', 'template'],
  'extensions/deployments': ['spec', 'template'],
  'extensions/replicasets': ['spec', 'template'],
};

function templateIn(object: KubeObject, path: readonly string[]): Pod | undefined {
  let value: unknown = object;
  for (const step of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[step];
  return value === undefined ? undefined : podOf(value as Partial<Pod>);
}

const podOf = ({ metadata = {}, spec = {} as ObjectOf<'PodSpec'> }: Partial<Pod>): Pod => ({ metadata, spec });

/** Refuses pods that violate the enforced level, and tells of what violates the others. */
export function podSecurity(
  namespaces: Pick<Configurations<Levels>, 'of' | 'items'>,
  pods: Pick<Store, 'list'>,
): readonly Plugin[] {
  return [
    {
      feature: 'pod-security',
      resources: ['core/pods'],
      async validate(writing) {
        const [levels] = namespaces.of(writing.namespace ?? '');
        if (levels === undefined || writing.before !== undefined) return;
        judge(writing, podOf(writing.object as Partial<Pod>), levels, true);
      },
    },
    {
      feature: 'pod-security',
      resources: Object.keys(templates),
      updatesOf: Object.keys(templates),
      async validate(writing) {
        const [levels] = namespaces.of(writing.namespace ?? '');
        if (levels === undefined) return;
        const pod = templateIn(writing.object, templates[writing.stored] ?? []);
        if (pod !== undefined) judge(writing, pod, levels, false);
      },
    },
    {
      feature: 'pod-security',
      resources: ['core/namespaces'],
      updatesOf: ['core/namespaces'],
      async validate({ object, before, resource, origin }) {
        const { name = '', labels } = object.metadata;
        const causes = new Causes();
        checkLabels(labels, before?.metadata.labels, causes);
        if (causes.list.length > 0) {
          throw invalid({ group: resource.groupVersion.group, kind: resource.kind }, name, causes.list);
        }
        const level = levelIn(labels, 'enforce');
        if (before === undefined || origin === undefined) return;
        if (!isStricter(level, levelIn(before.metadata.labels, 'enforce'))) return;
        for (const warning of await warningsOf(name, level, pods)) origin.warn(warning);
      },
    },
  ];
}

/** Only pods are refused: who makes them from a template is told early. */
function judge({ object, resource, origin }: Writing, pod: Pod, levels: Levels, isPod: boolean): void {
  const { enforce, audit, warn } = levels;
  const violations = isPod ? violationsOf(pod, enforce) : undefined;
  if (isPod) origin?.annotate('pod-security.kubernetes.io/enforce-policy', shownLevel(enforce));
  const would = (level: Level, found: string): string => `would violate PodSecurity "${shownLevel(level)}": ${found}`;
  const audited = violationsOf(pod, audit);
  if (audited !== undefined) origin?.annotate('pod-security.kubernetes.io/audit-violations', would(audit, audited));
  if (violations !== undefined) {
    const why = `violates PodSecurity "${shownLevel(enforce)}": ${violations}`;
    throw forbidden(resource, object.metadata.name ?? '', why);
  }
  const warned = violationsOf(pod, warn);
  if (warned !== undefined) origin?.warn(would(warn, warned));
}

/** The most pods of a namespace that a change of its level looks at. */
const mostPods = 3000;

/** Names the pods that are there and violate a level: one of each kind of violation, and the count of the others. */
async function warningsOf(namespace: string, level: Level, pods: Pick<Store, 'list'>): Promise<readonly string[]> {
  const { entries } = await pods.list(namespace);
  const found = new Map<string, { readonly first: string; count: number }>();
  // lists are in the order of names
  for (const { value } of entries.slice(0, mostPods)) {
    const reasons = findingsOf(podOf(value as Partial<Pod>), level).map(({ reason }) => reason);
    if (reasons.length === 0) continue;
    const known = found.get(reasons.join(', ')) ?? { first: value.metadata.name ?? '', count: 0 };
    found.set(reasons.join(', '), { ...known, count: known.count + 1 });
  }
  const others = (count: number): string => ['', ' (and 1 other pod)'][count] ?? ` (and ${count} other pods)`;
  const each = [...found].map(([reasons, { first, count }]) => `${first}${others(count - 1)}: ${reasons}`).sort();
  const whole = `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${shownLevel(level)}"`;
  const partly = `new PodSecurity enforce level only checked against the first ${mostPods} of ${entries.length} existing pods`;
  return [...(entries.length > mostPods ? [partly] : []), ...(each.length > 0 ? [whole, ...each] : [])];
}
