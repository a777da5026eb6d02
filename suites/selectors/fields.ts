// The fields that a kind is selected by: an object that a selector matches, and one that it does not.
import { resourceId } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import type { Client } from '../support/client.js';
import { equal, fail, status } from '../support/expect.js';
import { type JsonObject, merge } from '../support/json.js';
import { conflicts, fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { named } from '../support/validCalls.js';
import { type Asked, ask, group } from './selected.js';

/** What is selected by `field=value`, and by `field!=value` the other way round. */
interface Row {
  readonly field: string;
  readonly value: string;
  /** What makes an object match: fields over those of the sample. */
  readonly matching: JsonObject;
  /** What makes one not match; absent where no client can make one that stays so. */
  readonly other?: JsonObject;
  /** The status of the object that matches. */
  readonly status?: JsonObject;
}

const about = (matching: JsonObject): Pick<Row, 'matching' | 'other'> => ({ matching, other: {} });
const involved = (involvedObject: JsonObject) => about({ involvedObject });

const rows: Readonly<Record<string, Row>> = {
  'core/pods spec.nodeName': {
    field: 'spec.nodeName',
    value: 'no-such-node',
    ...about({ spec: { nodeName: 'no-such-node' } }),
  },
  'core/pods an empty spec.nodeName': {
    field: 'spec.nodeName',
    value: '',
    matching: {},
    other: { spec: { nodeName: 'no-such-node' } },
  },
  'core/pods spec.restartPolicy': {
    field: 'spec.restartPolicy',
    value: 'Always',
    ...about({ spec: { restartPolicy: 'Always' } }),
  },
  'core/pods status.phase': { field: 'status.phase', value: 'Running', ...about({}), status: { phase: 'Running' } },
  'core/events involvedObject.kind': {
    field: 'involvedObject.kind',
    value: 'ReplicationController',
    ...involved({ kind: 'ReplicationController' }),
  },
  'core/events involvedObject.name': {
    field: 'involvedObject.name',
    value: 'another-pod',
    ...involved({ name: 'another-pod' }),
  },
  'core/events involvedObject.uid': {
    field: 'involvedObject.uid',
    value: 'some-uid',
    ...involved({ uid: 'some-uid' }),
  },
  'core/events involvedObject.apiVersion': {
    field: 'involvedObject.apiVersion',
    value: 'batch/v1',
    ...involved({ apiVersion: 'batch/v1' }),
  },
  'core/events involvedObject.resourceVersion': {
    field: 'involvedObject.resourceVersion',
    value: '17',
    ...involved({ resourceVersion: '17' }),
  },
  'core/events involvedObject.fieldPath': {
    field: 'involvedObject.fieldPath',
    value: 'spec.containers{main}',
    ...involved({ fieldPath: 'spec.containers{main}' }),
  },
  'core/events reason': { field: 'reason', value: 'Selected', ...about({ reason: 'Selected' }) },
  'core/events source': {
    field: 'source',
    value: 'another-component',
    ...about({ source: { component: 'another-component' } }),
  },
  'core/events type': { field: 'type', value: 'Warning', ...about({ type: 'Warning' }) },
  'core/nodes spec.unschedulable': {
    field: 'spec.unschedulable',
    value: 'true',
    matching: { spec: { unschedulable: true } },
    other: { spec: { unschedulable: false } },
  },
  'core/nodes an absent spec.unschedulable': {
    field: 'spec.unschedulable',
    value: 'false',
    matching: { spec: { unschedulable: undefined } },
    other: { spec: { unschedulable: true } },
  },
  'core/secrets type': { field: 'type', value: 'example.com/kind', ...about({ type: 'example.com/kind' }) },
  // The others of these move by themselves, so that only one side stays as it is.
  'core/namespaces status.phase': { field: 'status.phase', value: 'Active', matching: {} },
  'batch/jobs status.successful': { field: 'status.successful', value: '0', matching: {} },
  'extensions/replicasets status.replicas': { field: 'status.replicas', value: '0', matching: {} },
};

/** The lists with `field=value` and `field!=value`, and the objects. */
export interface FieldSelection {
  readonly matching: Made;
  readonly other: Made | undefined;
  readonly equals: Asked;
  readonly differs: Asked;
}

/** Makes the objects of a field and asks for both lists. */
export async function selectByField(
  { operation: { resource, path }, variant = '' }: OperationSubject,
  client: Client,
  scope: Scope,
): Promise<FieldSelection> {
  if (resource === undefined) fail('a list without a resource');
  const row = rows[`${resourceId(resource)} ${variant}`] ?? fail(`no row for ${variant}`);
  const id = scope.name();
  const namespace = resource.namespaced ? await scope.namespace() : undefined;
  const make = async (fields: JsonObject): Promise<Made> => {
    const name = scope.name(resource);
    const sent = merge(scope.body(resource, name, namespace, { labels: { [group]: id } }), fields);
    const where = pathTo(resource, 'create', namespace);
    const made = await scope.attempt(`create ${resource.plural}`, 'POST', where, sent);
    const object = made.value() as JsonObject;
    return { resource, name, sent, object, ...(namespace === undefined ? {} : { namespace }) };
  };
  const matching = await make(row.matching);
  const other = row.other && (await make(row.other));
  if (row.status !== undefined) await writeStatus(scope, matching, row.status);
  const list = (operator: string): Promise<Asked> =>
    ask(client, fill(path, namespace), {
      labelSelector: `${group}=${id}`,
      fieldSelector: `${row.field}${operator}${row.value}`,
    });
  return { matching, other, equals: await list('='), differs: await list('!=') };
}

/** Each list holds its object, and not the other's. */
export function selectsByField({ matching, other, equals, differs }: FieldSelection): void {
  for (const [{ reply, asked }, object, expected] of [
    [equals, matching, 1],
    [equals, other, 0],
    [differs, matching, 0],
    [differs, other, 1],
  ] as const) {
    status(reply, 200);
    if (object === undefined) continue;
    const count = named(reply.value(), object.name).length;
    equal(
      count,
      expected,
      `${reply.request}, ${asked}: the object ${object === other ? 'that differs' : 'that matches'}`,
    );
  }
}

async function writeStatus(scope: Scope, made: Made, written: JsonObject): Promise<void> {
  const path = pathTo(made.resource, 'replaceStatus', made.namespace, made.name);
  for (let attempt = 1; ; attempt += 1) {
    const body = merge((await scope.current(made)) ?? made.object, { status: written });
    const headers = { 'content-type': 'application/json' };
    const reply = await scope.client.send({ method: 'PUT', path, headers, body: JSON.stringify(body) });
    if (reply.status !== 409 || attempt === conflicts) return status(reply, 200);
  }
}
