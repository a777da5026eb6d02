// The fields by which a kind is selected: an object that matches a selector, and one that does not.

import { defined, type Operation, type Resource, resourceId } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, status, success } from '../client/expect.js';
import { type JsonObject, merge } from '../client/json.js';
import { fill, pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { eventsAbout, eventsOf, type WatchEvent, watching } from '../client/streams/watches.js';
import { type CreatedObject, conflicts, groupLabel, type Sandbox } from '../objects/sandbox.js';
import { objectsNamed } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import { versionNow } from '../watch/forms.js';
import { isThere } from './deletes.js';
import { type AskedList, sendSelection } from './selected.js';

/** The object `matching` matches `field=value`; the object `other` matches `field!=value`. */
interface Row {
  readonly field: string;
  /** The namespace of the object when absent. */
  readonly value?: string;
  /** The fields of the matching object, merged into the sample. */
  readonly matching: JsonObject;
  /** The fields of the other object; absent if no client can create one that stays so. */
  readonly other?: JsonObject;
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
  'core/events involvedObject.namespace': { field: 'involvedObject.namespace', matching: {} },
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
  // Controllers change the other values, so only one object keeps its value.
  'core/namespaces status.phase': { field: 'status.phase', value: 'Active', matching: {} },
  'batch/jobs status.successful': { field: 'status.successful', value: '0', matching: {} },
  'extensions/replicasets status.replicas': { field: 'status.replicas', value: '0', matching: {} },
};

/** The lists with `field=value` and `field!=value`, a watch with `field=value`, and the objects: `other` came first. */
export interface FieldSelection {
  readonly matching: CreatedObject;
  readonly other: CreatedObject | undefined;
  readonly equals: AskedList;
  readonly differs: AskedList;
  readonly watched: { readonly request: string; readonly events: readonly WatchEvent[] };
}

/** Returns what makes the objects of a row, and the selectors of them. */
async function makerFor(row: Row, resource: Resource, sandbox: Sandbox) {
  const id = sandbox.name();
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const make = async (fields: JsonObject): Promise<CreatedObject> => {
    const name = sandbox.name(resource);
    const sent = merge(sandbox.body(resource, name, namespace, { labels: { [groupLabel]: id } }), fields);
    const where = pathTo(resource, 'create', namespace);
    const made = await sandbox.attempt(`create ${resource.plural}`, 'POST', where, sent);
    const object = made.value() as JsonObject;
    return { resource, name, sent, object, ...defined({ namespace }) };
  };
  const selectors = (operator: string) => ({
    labelSelector: `${groupLabel}=${id}`,
    fieldSelector: `${row.field}${operator}${row.value ?? namespace}`,
  });
  const makeMatching = async (): Promise<CreatedObject> => {
    const matching = await make(row.matching);
    if (row.status !== undefined) await writeStatus(sandbox, matching, row.status);
    return matching;
  };
  return { namespace, selectors, makeMatching, makeOther: async () => row.other && (await make(row.other)) };
}

/** Creates the objects for a field and sends both lists. */
export async function selectByField(
  { operation: { resource, path }, variant = '' }: OperationSubject,
  client: Client,
  sandbox: Sandbox,
): Promise<FieldSelection> {
  if (resource === undefined) fail('a list without a resource');
  const row = rows[`${resourceId(resource)} ${variant}`] ?? fail(`no row for ${variant}`);
  const { namespace, selectors, makeMatching, makeOther } = await makerFor(row, resource, sandbox);
  const resourceVersion = await versionNow(sandbox, { resource, ...defined({ namespace }) });
  const other = await makeOther();
  const matching = await makeMatching();
  const here = fill(path, namespace);
  const list = (operator: string): Promise<AskedList> => sendSelection(client, here, selectors(operator));
  const watched = await watching(client, here, { resourceVersion, ...selectors('=') }, async (stream) => {
    await stream.until(() => eventsAbout(matching.name, stream).length > 0);
    return { request: stream.request, events: eventsOf(stream) };
  });
  return { matching, other, equals: await list('='), differs: await list('!='), watched };
}

/** A delete-collection by a field of a kind: the list of the same selectors, and both objects after it. */
interface FieldDeletion {
  readonly listed: AskedList;
  readonly reply: Reply;
  readonly matching: JsonObject | undefined;
  readonly other: JsonObject | undefined;
}

/** Deletes by each field of a kind for which one object can match and another one differ. */
export async function deleteByEachField(
  { resource, path }: Operation,
  client: Client,
  sandbox: Sandbox,
): Promise<readonly FieldDeletion[]> {
  if (resource === undefined) fail('a delete-collection without a resource');
  const known = Object.entries(rows).filter(([name]) => name.startsWith(`${resourceId(resource)} `));
  const deleted = known.map(async ([, row]) => {
    const { namespace, selectors, makeMatching, makeOther } = await makerFor(row, resource, sandbox);
    const other = await makeOther();
    if (other === undefined) return undefined;
    const matching = await makeMatching();
    const here = fill(path, namespace);
    const listed = await sendSelection(client, here, selectors('='));
    const reply = await sandbox.deleteCollection(`${here}?${new URLSearchParams(selectors('='))}`);
    return { listed, reply, matching: await sandbox.current(matching), other: await sandbox.current(other) };
  });
  return (await Promise.all(deleted)).filter((each) => each !== undefined);
}

/** Throws Failure unless each delete by a field that the server accepts deleted the object that matches, and no other. */
export function deletesByEachField(deletions: readonly FieldDeletion[]): void {
  for (const { listed, reply, matching, other } of deletions) {
    if (listed.reply.status === 400) continue;
    success(reply);
    equal(isThere(matching), false, `${reply.request}: the object that matches is there`);
    equal(isThere(other), true, `${reply.request}: the object that differs is there`);
  }
}

/** Throws Failure unless each list has its object and not the other one, and the watch reports its object alone. */
export function selectsByField({ matching, other, equals, differs, watched }: FieldSelection): void {
  const { request, events } = watched;
  const names = events.map(({ name }) => name);
  equal(names.includes(matching.name), true, `${request}: an event of the object that matches`);
  const stranger = names.find((name) => name !== matching.name);
  if (stranger !== undefined)
    fail(`${request}: an event of ${stranger === other?.name ? 'the object that differs' : stranger}`);
  for (const [{ reply, asked }, object, expected] of [
    [equals, matching, 1],
    [equals, other, 0],
    [differs, matching, 0],
    [differs, other, 1],
  ] as const) {
    status(reply, 200);
    if (object === undefined) continue;
    const count = objectsNamed(reply.value(), object.name).length;
    equal(
      count,
      expected,
      `${reply.request}, ${asked}: the object ${object === other ? 'that differs' : 'that matches'}`,
    );
  }
}

async function writeStatus(sandbox: Sandbox, made: CreatedObject, written: JsonObject): Promise<void> {
  const path = pathTo(made.resource, 'replaceStatus', made.namespace, made.name);
  for (let attempt = 1; ; attempt += 1) {
    const body = merge((await sandbox.current(made)) ?? made.object, { status: written });
    const headers = { 'content-type': 'application/json' };
    const reply = await sandbox.client.send({ method: 'PUT', path, headers, body: JSON.stringify(body) });
    if (reply.status !== 409 || attempt === conflicts) return status(reply, 200);
  }
}
