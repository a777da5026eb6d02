// What the strategies of single kinds do on servers that came after the interface: a row for each kind.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { timestamp } from '../../../registry/metadata.js';
import { claimsWith, laterModes, volumesWith } from '../../../registry/strategies/persistentVolumes.js';
import type { Strategy } from '../../../registry/strategy.js';
import { dns1123Label, dns1123Subdomain, type Format } from '../../../schema/formats.js';
import { type DecodedObject, equal, isRecord, type KubeObject, part } from '../../../schema/object.js';
import { protectionOf } from '../../workloads/volumeProtection.js';
import { withoutStatus } from '../conversions/autoscalers.js';
import { fixed } from '../strategies/administered.js';
import { validateReport } from '../strategies/events.js';
import { autoscalersOf } from './autoscalers.js';
import { withBoth } from './firstOfAll.js';
import type { Grow } from './grow.js';
import { grownIngresses } from './ingresses.js';
import { validateJobStatus } from './jobStatus.js';
import { grownPods } from './pods.js';
import { addressedServices, grownServices } from './services.js';
import { grownClaims } from './volumeClaims.js';

/** Adds members of a strategy, from a minor version on. */
const since =
  (first: number, more: Strategy): Grow =>
  (strategy, { minor }) =>
    minor < first ? strategy : { ...strategy, ...more };

/** A ConfigMap or Secret that says so never changes its data again. */
const immutable =
  (...fields: readonly string[]): Grow =>
  (strategy) => ({
    ...strategy,
    validateUpdate(next, current, causes, view) {
      if (current.immutable === true) {
        const why = 'field is immutable when `immutable` is set';
        if (next.immutable !== true) causes.forbidden('immutable', why);
        for (const field of fields) {
          if (!equal(next[field] ?? {}, current[field] ?? {})) causes.forbidden(field, why);
        }
      }
      strategy.validateUpdate?.(next, current, causes, view);
    },
  });

const templateGeneration = 'deprecated.daemonset.template.generation';

/** A DaemonSet counts the changes of its template in an annotation, which who writes it has written: 0 without one. */
const daemonSets: Grow = (strategy) => ({
  ...strategy,
  complete(object, view) {
    const { metadata } = object;
    metadata.annotations = { [templateGeneration]: '0', ...metadata.annotations };
    return strategy.complete?.(object, view) ?? object;
  },
  prepareCreate(object) {
    object.metadata.annotations = { ...object.metadata.annotations, [templateGeneration]: '1' };
  },
  prepareUpdate(next, current) {
    const templateOf = (object: KubeObject) => part<ObjectOf<'apps.v1.DaemonSetSpec'>>(object, 'spec').template;
    const before = Number(current.metadata.annotations?.[templateGeneration] ?? 1);
    const count = equal(templateOf(next), templateOf(current)) ? before : before + 1;
    const annotations = { ...next.metadata.annotations, [templateGeneration]: String(count) };
    return { ...next, metadata: { ...next.metadata, annotations } };
  },
});

/** Since this version, what managers of jobs write is checked. */
const managersSince = 32;

/** Jobs have the labels of their pods: since 1.27 also those with the domain of Kubernetes. */
const jobs: Grow = (strategy, { minor }) => ({
  ...strategy,
  ...(minor >= managersSince && {
    validateStatus(next, current, causes, ofPart) {
      strategy.validateStatus?.(next, current, causes, ofPart);
      validateJobStatus(next, current, causes);
    },
  }),
  ...(minor >= 21 && { generation: true }),
  validateUpdate(next, current, causes, view) {
    strategy.validateUpdate?.(next, current, causes, view);
    const [spec, before] = [next, current].map((job) => part<Readonly<Record<string, unknown>>>(job, 'spec'));
    for (const field of ['podFailurePolicy', 'backoffLimitPerIndex', 'managedBy', 'successPolicy'])
      causes.immutable(`spec.${field}`, spec?.[field] ?? null, equal(spec?.[field], before?.[field]));
  },
  prepareCreate(object) {
    const { labels } = object.metadata;
    const areShared = labels === templateLabelsOf(object);
    strategy.prepareCreate?.(object);
    if (minor >= 27 && part<ObjectOf<'batch.v1.JobSpec'>>(object, 'spec').manualSelector !== true) {
      selectByDomain(object);
    }
    if (areShared) object.metadata.labels = { ...templateLabelsOf(object) };
  },
});

const jobSpecOf = (object: DecodedObject) => part<ObjectOf<'batch.v1.JobSpec'>>(object, 'spec');
const templateLabelsOf = (job: DecodedObject) => jobSpecOf(job).template?.metadata?.labels;

const domain = 'batch.kubernetes.io';

function selectByDomain(job: DecodedObject): void {
  const { selector, template, ...spec } = jobSpecOf(job);
  const { 'controller-uid': uid = '', ...matchLabels } = selector?.matchLabels ?? {};
  const { name = '' } = job.metadata;
  const labels = { [`${domain}/controller-uid`]: uid, [`${domain}/job-name`]: name, ...template?.metadata?.labels };
  job.spec = {
    ...spec,
    selector: { ...selector, matchLabels: { ...matchLabels, [`${domain}/controller-uid`]: uid } },
    template: { ...template, metadata: { ...template?.metadata, labels } },
  };
}

const protectedBy =
  (finalizer: string): Grow =>
  (strategy, { lacks }) => ({
    ...strategy,
    ...(!lacks('volume-protection') && {
      prepareCreate(object: DecodedObject) {
        const { finalizers = [] } = object.metadata;
        if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
      },
    }),
  });

/** The mode of a volume never changes. */
const fixedMode: Grow = (strategy, { minor }) => ({
  ...strategy,
  validateUpdate(next, current, causes, view) {
    strategy.validateUpdate?.(next, current, causes, view);
    const [mode, before] = [next, current].map(
      (volume) => part<ObjectOf<'PersistentVolumeSpec'>>(volume, 'spec').volumeMode,
    );
    if (minor >= 13) causes.immutable('volumeMode', mode, mode === before);
  },
});

/** A volume says since when it has its phase. */
const phasedVolumes: Grow = (strategy, { minor }) => {
  if (minor < 29) return strategy;
  const timeIn = (volume: KubeObject) =>
    part<ObjectOf<'PersistentVolumeStatus'>>(volume, 'status').lastPhaseTransitionTime;
  const phaseOf = (volume: KubeObject) => part<ObjectOf<'PersistentVolumeStatus'>>(volume, 'status').phase;
  return {
    ...strategy,
    leastStatus: { phase: 'Pending' },
    initialStatus: ({ metadata }) => ({ phase: 'Pending', lastPhaseTransitionTime: metadata.creationTimestamp }),
    prepareStatus(next, current, updated, now) {
      const prepared = strategy.prepareStatus?.(next, current, updated, now) ?? next;
      if (phaseOf(prepared) === phaseOf(current) || timeIn(prepared) !== timeIn(current)) return prepared;
      const status = { ...part<object>(prepared, 'status'), lastPhaseTransitionTime: timestamp(now) };
      return { ...prepared, status };
    },
  };
};

/** The label of a namespace with its own name, which selectors of namespaces need. */
const nameLabel = 'kubernetes.io/metadata.name';

const namespaces: Grow = (strategy, { minor, lacks }) => {
  if (minor < 21 || lacks('namespace-label')) return strategy;
  return {
    ...strategy,
    complete(object, view) {
      const { name, labels } = object.metadata;
      if (name) object.metadata.labels = { ...labels, [nameLabel]: name };
      return strategy.complete?.(object, view) ?? object;
    },
  };
};

const ranges = {
  ...{ one: 'podCIDR', all: 'podCIDRs' },
  itemOf: (range: string) => range,
  valueIn: (range: string) => range,
};

const nodes: Grow = (strategy, { minor }) => ({
  ...strategy,
  complete(object, view) {
    const completed = strategy.complete?.(object, view) ?? object;
    const before = part<object>(completed, 'spec');
    const spec = minor < 16 ? before : withBoth(before, ranges);
    return spec === before ? completed : { ...completed, spec };
  },
  defaults(object) {
    strategy.defaults?.(object);
    // The core names every node; present servers do not.
    const { externalID, ...spec } = part<ObjectOf<'NodeSpec'>>(object, 'spec');
    if (externalID === object.metadata.name) object.spec = spec;
  },
  validateUpdate(next, current, causes, view) {
    strategy.validateUpdate?.(next, current, causes, view);
    const [spec, before] = [next, current].map((node) => part<ObjectOf<'NodeSpec'>>(node, 'spec'));
    const once = (field: 'podCIDRs' | 'providerID', what: string) => {
      if (!before?.[field]?.length || equal(spec?.[field], before[field])) return;
      causes.forbidden(`spec.${field}`, `node updates may not change ${what} except from "" to valid`);
    };
    once('podCIDRs', 'podCIDR');
    once('providerID', 'providerID');
    if ((spec?.externalID ?? '') !== (before?.externalID ?? ''))
      causes.forbidden('spec.externalID', 'may not be updated');
  },
});

/** Endpoints without subsets do not have an empty list of them. */
const endpoints: Grow = (strategy) => ({
  ...strategy,
  complete(object, view) {
    const completed = strategy.complete?.(object, view) ?? object;
    const { subsets, ...others } = completed;
    return Array.isArray(subsets) && subsets.length === 0 ? others : completed;
  },
});

/** Until 1.25 cron jobs have a version that orphans their jobs, as jobs still orphan their pods. */
const cronJobs: Grow = ({ generation, ...strategy }, { minor }) => ({
  ...strategy,
  ...(minor >= 21 && generation !== undefined && { generation }),
  orphansByDefault: ({ groupVersion }) => groupVersion.version !== 'v1',
});

const longestDriver = 63;
const earlierDriver: Format = (name) =>
  name.length > longestDriver ? [`must be no more than ${longestDriver} characters`] : dns1123Subdomain(name);

/** Since this version, a volume may be for a single pod. */
const onePodSince = 27;
const withLaterModes =
  (make: (known: readonly string[]) => Strategy) =>
  (minor: number): Strategy | undefined =>
    minor < onePodSince ? undefined : make(laterModes);

/** The strategies that later servers have in place of those of the core, by `group/plural`. */
export const laterCores: Readonly<Record<string, (minor: number) => Strategy | undefined>> = {
  'autoscaling/horizontalpodautoscalers': autoscalersOf,
  'core/persistentvolumeclaims': withLaterModes(claimsWith),
  'core/persistentvolumes': withLaterModes(volumesWith),
  'core/services': addressedServices,
};

/** What a client says of the status of a new autoscaler has no effect, also where the stored version has no field for it. */
const autoscalers: Grow = (strategy) => ({
  ...strategy,
  clearStatus(object) {
    object.metadata = withoutStatus(object.metadata);
  },
});

/** An event with a time of its own says who reports what, also in the first version. */
const reported: Grow = (strategy, { minor }) => ({
  ...strategy,
  plainFinalizers: true,
  validate(object, causes, view) {
    strategy.validate?.(object, causes, view);
    const event = object as KubeObject & ObjectOf<'Event'>;
    const isLater = minor < 27 || view.groupVersion.group === 'events.k8s.io';
    if (event.eventTime) validateReport(event, causes, isLater ? 'reportingController' : 'reportingComponent');
  },
});

/** The rows by `group/plural`. */
export const grownKinds: Record<string, Grow> = {
  'apps/controllerrevisions': since(34, {
    validateCreate(revision, causes) {
      const { data } = revision as { readonly data?: unknown };
      if (data !== undefined && !isRecord(data)) causes.required('data', 'data must be a valid JSON object');
    },
  }),
  'apps/statefulsets': (strategy, { minor }) => ({
    ...strategy,
    ...(minor < 22 && { initialStatus: () => ({ replicas: 0 }) }),
    // The names of their pods are host names.
    ...(minor >= 27 && { name: dns1123Label }),
    validateCreate(set, causes, view) {
      strategy.validateCreate?.(set, causes, view);
      const { serviceName } = part<ObjectOf<'apps.v1.StatefulSetSpec'>>(set, 'spec');
      if (minor >= 34 && serviceName) causes.format('spec.serviceName', serviceName, dns1123Label);
    },
  }),
  'autoscaling/horizontalpodautoscalers': autoscalers,
  'batch/cronjobs': cronJobs,
  'batch/jobs': jobs,
  'coordination.k8s.io/leases': since(14, { createOnReplace: true, needsRevision: true, plainFinalizers: true }),
  'core/configmaps': immutable('data', 'binaryData'),
  'core/endpoints': endpoints,
  'core/events': reported,
  'core/namespaces': namespaces,
  'core/nodes': nodes,
  'core/persistentvolumeclaims': (strategy, server) =>
    grownClaims(protectedBy(protectionOf.claim)(strategy, server), server),
  'core/persistentvolumes': (strategy, server) =>
    phasedVolumes(fixedMode(protectedBy(protectionOf.volume)(strategy, server), server), server),
  'core/pods': grownPods,
  'core/podtemplates': since(21, { generation: 'content' }),
  'core/secrets': immutable('data'),
  'core/services': grownServices,
  'extensions/daemonsets': daemonSets,
  'extensions/ingresses': grownIngresses,
  'storage.k8s.io/csidrivers': (strategy, { minor }) => ({
    ...strategy,
    ...(minor > 20 ? { generation: 'changes' as const } : { name: earlierDriver }),
  }),
  'networking.k8s.io/ingressclasses': since(18, {
    generation: true,
    validateUpdate(next, current, causes) {
      const of = (object: KubeObject) => part<ObjectOf<'networking.v1.IngressClassSpec'>>(object, 'spec').controller;
      causes.immutable('spec.controller', of(next), of(next) === of(current));
    },
  }),
  'storage.k8s.io/storageclasses': since(36, {
    validateUpdate: fixed({
      parameters: undefined,
      provisioner: undefined,
      reclaimPolicy: undefined,
      volumeBindingMode: undefined,
    }),
  }),
  'policy/poddisruptionbudgets': since(0, { needsRevision: true, plainFinalizers: true }),
};
for (const id of [
  'admissionregistration.k8s.io/mutatingadmissionpolicies',
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings',
  'admissionregistration.k8s.io/mutatingwebhookconfigurations',
  'admissionregistration.k8s.io/validatingadmissionpolicies',
  'admissionregistration.k8s.io/validatingadmissionpolicybindings',
  'admissionregistration.k8s.io/validatingwebhookconfigurations',
  'apiregistration.k8s.io/apiservices',
  'node.k8s.io/runtimeclasses',
]) {
  grownKinds[id] = since(0, { plainFinalizers: true });
}
for (const plural of ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings']) {
  grownKinds[`rbac.authorization.k8s.io/${plural}`] = since(0, { createOnReplace: true });
}
