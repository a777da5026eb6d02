// The two forms of the objects that two groups show: what each version calls the same thing.
import { type Resource, resourceId, resources } from '../../matrix/api/index.js';
import type { Subject } from '../../matrix/requirements/index.js';
import type { Json, JsonObject } from '../support/json.js';

/** A version of an object, and what is sent to it and seen in it. */
export interface Form {
  readonly resource: Resource;
  readonly apiVersion: string;
  /** The spec of a new object. */
  readonly spec: JsonObject;
  /** What the spec shows of an object that was created in this version, or in the other one. */
  readonly shows: Readonly<Record<string, JsonObject>>;
  /** Fields of the spec that only the other version has. */
  readonly lacks: readonly string[];
  /** A patch of the spec, and what both versions show of it. */
  readonly patch: JsonObject;
  /** A replaced spec's change, in this version's own names, and how the other one shows it. */
  readonly change: JsonObject;
  readonly changed: JsonObject;
  readonly status: JsonObject;
}

const byId = (id: string): Resource => {
  const found = resources.find((resource) => resourceId(resource) === id);
  if (found === undefined) throw new Error(`no resource ${id}`);
  return found;
};

const target = { kind: 'ReplicationController', name: 'some-controller', apiVersion: 'v1' };
const autoscaler = { scaleTargetRef: target, minReplicas: 2, maxReplicas: 5, targetCPUUtilizationPercentage: 70 };
const extensionsAutoscaler = {
  scaleRef: { ...target, subresource: 'scale' },
  minReplicas: 2,
  maxReplicas: 5,
  cpuUtilization: { targetPercentage: 70 },
};
const cpu = { targetCPUUtilizationPercentage: 60 };
const extensionsCpu = { cpuUtilization: { targetPercentage: 60 } };

const selector = { matchLabels: { app: 'conformance' } };
const job = {
  parallelism: 0,
  completions: 1,
  template: {
    metadata: { labels: { app: 'conformance' } },
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/conformance:1' }] },
  },
};
const counts = { parallelism: 0, completions: 1 };

const both = (shown: JsonObject) => ({ 'autoscaling/v1': shown, 'extensions/v1beta1': shown });
const autoscalerRest = { patch: { maxReplicas: 7 }, status: { currentReplicas: 3, desiredReplicas: 4 } };
const deadline = { activeDeadlineSeconds: 7777 };
// A condition of no known type: a live controller counts everything else of a job's status anew.
const checked = { conditions: [{ type: 'Checked', status: 'True' }] };
const jobRest = { patch: deadline, change: { parallelism: 0, ...deadline }, changed: deadline, status: checked };

const forms: readonly Form[] = [
  {
    resource: byId('autoscaling/horizontalpodautoscalers'),
    apiVersion: 'autoscaling/v1',
    spec: autoscaler,
    shows: both(autoscaler),
    lacks: ['scaleRef', 'cpuUtilization'],
    change: cpu,
    changed: extensionsCpu,
    ...autoscalerRest,
  },
  {
    resource: byId('extensions/horizontalpodautoscalers'),
    apiVersion: 'extensions/v1beta1',
    spec: extensionsAutoscaler,
    shows: both(extensionsAutoscaler),
    lacks: ['scaleTargetRef', 'targetCPUUtilizationPercentage'],
    change: extensionsCpu,
    changed: cpu,
    ...autoscalerRest,
  },
  {
    resource: byId('batch/jobs'),
    apiVersion: 'batch/v1',
    spec: job,
    shows: { 'batch/v1': counts, 'extensions/v1beta1': { ...counts, selector, manualSelector: true } },
    lacks: ['autoSelector'],
    ...jobRest,
  },
  {
    resource: byId('extensions/jobs'),
    apiVersion: 'extensions/v1beta1',
    spec: { ...job, selector },
    shows: { 'batch/v1': { ...counts, autoSelector: true }, 'extensions/v1beta1': { ...counts, selector } },
    lacks: ['manualSelector'],
    ...jobRest,
  },
];

/** The version that the subject's object is created in, and the other one. */
export function formsOf({ resource, variant }: Subject): { readonly home: Form; readonly away: Form } {
  const plural = resource.split('/')[1];
  const own = forms.filter((form) => form.resource.plural === plural);
  const home = own.find(({ apiVersion }) => apiVersion === variant);
  const away = own.find(({ apiVersion }) => apiVersion !== variant);
  if (home === undefined || away === undefined) throw new Error(`no forms of ${resource} in ${variant}`);
  return { home, away };
}

/** The two versions of the kind of a resource: its own first. */
export function ownForms(resource: Resource): { readonly own: Form; readonly other: Form } {
  const same = forms.filter((form) => form.resource.plural === resource.plural);
  const own = same.find((form) => form.resource === resource);
  const other = same.find((form) => form.resource !== resource);
  if (own === undefined || other === undefined) throw new Error(`no forms of ${resourceId(resource)}`);
  return { own, other };
}

/** A body of the form. */
export function bodyIn({ apiVersion, resource, spec }: Form, metadata: Json): JsonObject {
  return { apiVersion, kind: resource.kind, metadata, spec };
}
