// The two forms of objects that two groups serve: the field names of each version.
import { apiVersionOf, type Resource, resourceId, resources } from '../../matrix/api/index.js';
import { type Json, type JsonObject, merge } from '../client/json.js';
import { sampleOf } from '../objects/samples/index.js';
import type { OperationSubject } from '../requirements/index.js';

/** A version of an object, with its request bodies and the expected responses. */
export interface VersionForm {
  readonly resource: Resource;
  readonly apiVersion: string;
  readonly fields: JsonObject;
  /** The expected spec of an object that was created in this version, or in the other one. */
  readonly shows: Readonly<Record<string, JsonObject>>;
  /** Fields of the spec that only the other version has. */
  readonly lacks: readonly string[];
  /** A patch of the object, with the same result in both versions. */
  readonly patch: JsonObject;
  /** A change for a replace in this version, and its result in the other version. */
  readonly change: JsonObject;
  readonly changed: JsonObject;
  /** Absent for a kind of which no status is known. */
  readonly status?: JsonObject;
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
const cpu = { spec: { targetCPUUtilizationPercentage: 60 } };
const extensionsCpu = { spec: { cpuUtilization: { targetPercentage: 60 } } };

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
const autoscalerRest = { patch: { spec: { maxReplicas: 7 } }, status: { currentReplicas: 3, desiredReplicas: 4 } };
const deadline = { spec: { activeDeadlineSeconds: 7777 } };
// A condition of an unknown type: a controller overwrites all other fields of a job's status.
const checked = { conditions: [{ type: 'Checked', status: 'True' }] };
const jobRest = {
  patch: deadline,
  change: merge({ spec: { parallelism: 0 } }, deadline),
  changed: deadline,
  status: checked,
};

const forms: readonly VersionForm[] = [
  {
    resource: byId('autoscaling/horizontalpodautoscalers'),
    apiVersion: 'autoscaling/v1',
    fields: { spec: autoscaler },
    shows: both(autoscaler),
    lacks: ['scaleRef', 'cpuUtilization'],
    change: cpu,
    changed: extensionsCpu,
    ...autoscalerRest,
  },
  {
    resource: byId('extensions/horizontalpodautoscalers'),
    apiVersion: 'extensions/v1beta1',
    fields: { spec: extensionsAutoscaler },
    shows: both(extensionsAutoscaler),
    lacks: ['scaleTargetRef', 'targetCPUUtilizationPercentage'],
    change: extensionsCpu,
    changed: cpu,
    ...autoscalerRest,
  },
  {
    resource: byId('batch/jobs'),
    apiVersion: 'batch/v1',
    fields: { spec: job },
    shows: { 'batch/v1': counts, 'extensions/v1beta1': { ...counts, selector, manualSelector: true } },
    lacks: ['autoSelector'],
    ...jobRest,
  },
  {
    resource: byId('extensions/jobs'),
    apiVersion: 'extensions/v1beta1',
    fields: { spec: { ...job, selector } },
    shows: { 'batch/v1': { ...counts, autoSelector: true }, 'extensions/v1beta1': { ...counts, selector } },
    lacks: ['manualSelector'],
    ...jobRest,
  },
];

/** Returns the version in which the subject's object is created, and the other version. */
export function versionFormsOf({ operation, sibling, resource, variant }: OperationSubject): {
  readonly home: VersionForm;
  readonly away: VersionForm;
} {
  if (operation.resource !== undefined && sibling !== undefined)
    return { home: foundForm(operation.resource), away: foundForm(sibling) };
  const plural = resource.split('/')[1];
  const own = forms.filter((form) => form.resource.plural === plural);
  const home = own.find(({ apiVersion }) => apiVersion === variant);
  const away = own.find(({ apiVersion }) => apiVersion !== variant);
  if (home === undefined || away === undefined) throw new Error(`no forms of ${resource} in ${variant}`);
  return { home, away };
}

/**
 * Returns a version of a kind that only the target knows. Its writes are to labels: no one but the server knows which
 * field of a version is which of another.
 */
function foundForm(resource: Resource): VersionForm {
  const { fields, status } = sampleOf(resource);
  const labelled = (name: string) => ({ metadata: { labels: { [`kube-api-conformance/${name}`]: 'yes' } } });
  return {
    resource,
    apiVersion: apiVersionOf(resource.groupVersion),
    fields,
    shows: {},
    lacks: [],
    patch: labelled('patched'),
    change: labelled('replaced'),
    changed: labelled('replaced'),
    ...(resource.stated.includes('replaceStatus') && status && { status }),
  };
}

/** Returns the two versions of the kind of a resource, its own first. */
export function ownForms(resource: Resource): { readonly own: VersionForm; readonly other: VersionForm } {
  const same = forms.filter((form) => form.resource.plural === resource.plural);
  const own = same.find((form) => form.resource === resource);
  const other = same.find((form) => form.resource !== resource);
  if (own === undefined || other === undefined) throw new Error(`no forms of ${resourceId(resource)}`);
  return { own, other };
}

export function bodyIn({ apiVersion, resource, fields }: VersionForm, metadata: Json): JsonObject {
  return { apiVersion, kind: resource.kind, metadata, ...fields };
}
