// The fields that the document lists, with their types, as JSON Schemas.
import type { FieldSchema } from './fields.js';

const string: FieldSchema = { type: 'string' };
const clusterScoped = new Set(['ComponentStatus', 'Namespace', 'Node', 'PersistentVolume', 'ThirdPartyResource']);
const nameless = new Set(['Status', 'APIResourceList', 'DeploymentRollback', 'Binding']);

const object = (properties: Readonly<Record<string, FieldSchema>>, ...required: readonly string[]): FieldSchema => ({
  type: 'object',
  properties,
  required,
});
/** Returns the schema of a field that may be absent or null. */
const optional = (type: string, more: FieldSchema = {}): FieldSchema => ({ type: [type, 'null'], ...more });

const podSpec: FieldSchema = { type: ['object', 'null'], properties: { serviceAccountName: optional('string') } };
const templated: FieldSchema = {
  properties: { template: { type: ['object', 'null'], properties: { spec: podSpec } } },
};
const container = object({ name: string, image: string }, 'name', 'image');

const bodies: Readonly<Record<string, FieldSchema>> = {
  Pod: object({ spec: podSpec }),
  DaemonSet: object({ spec: templated }),
  Job: object({ spec: templated }),
  ReplicaSet: object({ spec: templated }),
  ReplicationController: object({ spec: templated }),
  Deployment: object(
    {
      spec: object(
        {
          replicas: { type: 'integer' },
          template: object(
            {
              metadata: { type: 'object' },
              spec: object(
                { serviceAccountName: optional('string'), containers: { type: 'array', items: container } },
                'containers',
              ),
            },
            'metadata',
            'spec',
          ),
        },
        'replicas',
        'template',
      ),
    },
    'spec',
  ),
  ServiceAccount: object({ secrets: optional('array', { items: object({ name: string }, 'name') }) }),
  Secret: object({
    data: optional('object', { additionalProperties: { type: ['string', 'null'], format: 'byte' } }),
    type: optional('string'),
  }),
};

/** Returns the schema of an object of a kind: its metadata, and the fields that the document lists for the kind. */
function objectSchema(kind: string): FieldSchema {
  const names = clusterScoped.has(kind) ? ['name'] : ['name', 'namespace'];
  const metadata = object({ name: string, namespace: optional('string') }, ...names);
  return { allOf: [object({ metadata }, 'metadata'), bodies[kind] ?? {}] };
}

/** Returns the schema of a response body of a kind; a list is checked item by item. */
export function statedSchema(kind: string): FieldSchema {
  // Some servers send discovery in protobuf without a version.
  const says = object(
    { apiVersion: string, kind: string },
    ...(kind === 'APIResourceList' ? [] : ['apiVersion']),
    'kind',
  );
  if (nameless.has(kind)) return says;
  if (!kind.endsWith('List')) return { allOf: [says, objectSchema(kind)] };
  const items = optional('array', { items: objectSchema(kind.slice(0, -'List'.length)) });
  return { allOf: [says, object({ items })] };
}
