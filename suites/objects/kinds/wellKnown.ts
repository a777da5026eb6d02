// Objects of Kubernetes' own kinds whose rules no schema states: a selector that fits its template, a cron schedule.
import type { FoundKind } from '../../../matrix/api/index.js';
import type { JsonObject } from '../../client/json.js';
import { noNode } from '../samples/sample.js';

const labels = { app: 'conformance' };
const containers = [{ name: 'main', image: 'registry.example/conformance:1' }];
const selector = { matchLabels: labels };
const template = { metadata: { labels }, spec: { nodeSelector: noNode, containers } };
const jobTemplate = { spec: { template: { spec: { restartPolicy: 'Never', nodeSelector: noNode, containers } } } };
const microTime = '2024-01-01T00:00:00.000000Z';
const note = { eventTime: microTime, reportingController: 'example.com/example', reportingInstance: 'example' };
const regarding = { kind: 'ConfigMap', apiVersion: 'v1', name: 'example' };
const resourceAttributes = { namespace: 'default', verb: 'get', resource: 'configmaps' };

/** The fields by `kind.group`; a version that has other fields than the later ones has a row of its own. */
const fields: Readonly<Record<string, JsonObject>> = {
  'DaemonSet.apps': { spec: { selector, template } },
  'Deployment.apps': { spec: { replicas: 0, selector, template } },
  'ReplicaSet.apps': { spec: { replicas: 0, selector, template } },
  'StatefulSet.apps': { spec: { replicas: 0, serviceName: 'example', selector, template } },
  'ReplicationController.': { spec: { replicas: 0, selector: labels, template } },
  'Job.batch': { spec: { parallelism: 0, completions: 1, ...jobTemplate.spec } },
  // It is suspended, and makes no jobs.
  'CronJob.batch': { spec: { schedule: '0 0 31 12 *', suspend: true, jobTemplate } },
  'Event.events.k8s.io': { ...note, action: 'Made', reason: 'Made', type: 'Normal' },
  'Ingress.networking.k8s.io': { spec: { defaultBackend: { service: { name: 'example', port: { number: 80 } } } } },
  'Ingress.networking.k8s.io/v1beta1': { spec: { backend: { serviceName: 'example', servicePort: 80 } } },
  'NetworkPolicy.networking.k8s.io': { spec: { podSelector: { matchLabels: labels } } },
  'EndpointSlice.discovery.k8s.io': { addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.1'] }] },
  'TokenReview.authentication.k8s.io': { spec: { token: 'a-token-that-nobody-has' } },
  'SelfSubjectRulesReview.authorization.k8s.io': { spec: { namespace: 'default' } },
  'SelfSubjectAccessReview.authorization.k8s.io': { spec: { resourceAttributes } },
  'SubjectAccessReview.authorization.k8s.io': { spec: { user: 'nobody', resourceAttributes } },
};

const ownNamespace = '{namespace}';

const inNamespace: Readonly<Record<string, JsonObject>> = {
  'Event.events.k8s.io': { regarding: { ...regarding, namespace: ownNamespace } },
  'LocalSubjectAccessReview.authorization.k8s.io': {
    spec: { user: 'nobody', resourceAttributes: { ...resourceAttributes, namespace: ownNamespace } },
  },
};

export function withNamespace(fields: JsonObject, namespace: string): JsonObject {
  return JSON.parse(JSON.stringify(fields).replaceAll(ownNamespace, namespace)) as JsonObject;
}

/** The fields of an object of a kind that is known, and those that hold its namespace. */
interface WellKnown {
  readonly fields: JsonObject;
  readonly fieldsIn?: JsonObject;
}

/** Returns the fields of an object of a kind; undefined for a kind that is not known. */
export function wellKnown({
  group,
  version,
  kind,
}: Pick<FoundKind, 'group' | 'version' | 'kind'>): WellKnown | undefined {
  const name = `${kind}.${group}`;
  const own = fields[`${name}/${version}`] ?? fields[name];
  const fieldsIn = inNamespace[name];
  return own === undefined && fieldsIn === undefined ? undefined : { fields: own ?? {}, ...(fieldsIn && { fieldsIn }) };
}
