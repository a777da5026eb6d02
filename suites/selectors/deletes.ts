// Delete-collections with selectors: what is left of objects that the selector tells apart.
import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { equal, fail, status, success } from '../support/expect.js';
import { at, itemsOf, type JsonObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { fill, type Scope } from '../support/scope.js';
import { malformedFields, malformedLabels, unsupportedFields } from './lists.js';
import { group, makeSelectable, type Selectable, tier } from './selected.js';

const words = ['one', 'two', 'three', 'stranger'] as const;
type Word = (typeof words)[number];

interface Form {
  readonly selector: string;
  readonly spares: readonly Word[];
}

/** The forms of a label selector. The negative ones are about the group only. */
const forms: Readonly<Record<string, (objects: Selectable) => Form>> = {
  'key=value': ({ id }) => ({ selector: `${group}=${id}`, spares: ['stranger'] }),
  'key==value': ({ id }) => ({ selector: `${group}==${id}`, spares: ['stranger'] }),
  'key in': ({ id }) => ({ selector: `${group} in (${id}, ${id}-nobody)`, spares: ['stranger'] }),
  key: ({ only }) => ({ selector: only, spares: ['three', 'stranger'] }),
  'key!=value': ({ id }) => ({ selector: `${group}=${id},${tier}!=a`, spares: ['one', 'stranger'] }),
  'key notin': ({ id }) => ({ selector: `${group}=${id},${tier} notin (a,c)`, spares: ['one', 'stranger'] }),
  '!key': ({ id, only }) => ({ selector: `${group}=${id},!${only}`, spares: ['one', 'two', 'stranger'] }),
  and: ({ id }) => ({ selector: `${group}=${id},${tier}=a`, spares: ['two', 'three', 'stranger'] }),
};

/** A delete-collection that was sent, and the objects that it should have spared and did. */
export interface Deletion {
  readonly reply: Reply;
  readonly expected: readonly Word[];
  readonly spared: readonly Word[];
}

/** Deletes by a form of label selector. */
export async function deleteByLabels(operation: Operation, variant: string, scope: Scope): Promise<Deletion> {
  const objects = await deletable(operation, scope);
  const { selector, spares } = forms[variant]?.(objects) ?? fail(`no form ${variant}`);
  const path = fill(operation.path, objects.one.namespace);
  const reply = await scope.deleteCollection(`${path}?labelSelector=${encodeURIComponent(selector)}`);
  return { reply, expected: spares, spared: await sparedOf(objects, scope) };
}

/** Deletes one object by its name as a field: of the group, for a server that knows no fields would empty the kind. */
export async function deleteByFields(operation: Operation, scope: Scope): Promise<Deletion> {
  const objects = await deletable(operation, scope);
  const labels = encodeURIComponent(`${group}=${objects.id}`);
  const field = encodeURIComponent(`metadata.name=${objects.two.name}`);
  const path = fill(operation.path, objects.one.namespace);
  const reply = await scope.deleteCollection(`${path}?labelSelector=${labels}&fieldSelector=${field}`);
  return { reply, expected: ['one', 'three', 'stranger'], spared: await sparedOf(objects, scope) };
}

/** What should be spared is, and nothing else. */
export function deletesSelected({ reply, expected, spared }: Deletion): void {
  success(reply);
  equal(spared.join(' '), expected.join(' '), `${reply.request}: the objects that are left`);
}

/** Sends every selector that nobody understands to a namespace where one object stands. */
export async function deleteMalformed({ resource, path }: Operation, client: Client, scope: Scope) {
  if (resource === undefined) fail('a delete-collection without a resource');
  const namespace = await scope.namespace('malformed');
  const made = await scope.make(resource, { namespace });
  const replies: Reply[] = [];
  const send = async (name: string, values: readonly string[]): Promise<void> => {
    for (const value of values) {
      const query = `?${name}=${encodeURIComponent(value)}`;
      replies.push(await client.send({ method: 'DELETE', path: fill(path, namespace) + query }));
    }
  };
  await send('labelSelector', malformedLabels);
  await send('fieldSelector', [...malformedFields, ...unsupportedFields]);
  return { replies, made, after: await scope.current(made) };
}

/** Every one is refused, and the object is still there. */
export function deletesNothing({ replies, made, after }: Awaited<ReturnType<typeof deleteMalformed>>): void {
  for (const reply of replies) {
    status(reply, 400);
    if (isThere(after) && at(after, 'metadata', 'uid') === at(made.object, 'metadata', 'uid')) continue;
    fail(`${reply.request} and its like: the object of the namespace is gone`);
  }
}

/** Empties a namespace, beside one that stays as it is. */
export async function deleteEverything({ resource, path }: Operation, scope: Scope) {
  if (resource === undefined) fail('a delete-collection without a resource');
  const namespace = await scope.namespace('emptied');
  const made = [await scope.make(resource, { namespace }), await scope.make(resource, { namespace, labelled: false })];
  const kept = await scope.make(resource);
  const reply = await scope.deleteCollection(fill(path, namespace));
  const after = [];
  for (const object of made) after.push(await scope.current(object));
  return { reply, after, kept, keptAfter: await scope.current(kept) };
}

/** The objects of the namespace are gone or leaving; the one of another namespace is as it was. */
export function emptiesNamespace({
  reply,
  after,
  kept,
  keptAfter,
}: Awaited<ReturnType<typeof deleteEverything>>): void {
  success(reply);
  equal(after.filter(isThere).length, 0, `${reply.request}: objects that are left in the namespace`);
  equal(isThere(keptAfter), true, `${reply.request}: the object of another namespace is there`);
  equal(at(keptAfter, 'metadata', 'uid'), String(at(kept.object, 'metadata', 'uid')), `${reply.request}: its uid`);
}

async function deletable({ resource }: Operation, scope: Scope): Promise<Selectable> {
  if (resource === undefined) fail('a delete-collection without a resource');
  await scope.selectorsAreRespected(resource);
  return makeSelectable(scope, resource);
}

async function sparedOf(objects: Selectable, scope: Scope): Promise<Word[]> {
  const { id, one } = objects;
  const selector = encodeURIComponent(`${group} in (${id},${id}-stranger)`);
  const left = itemsOf(await scope.list(one.resource, one.namespace, `?labelSelector=${selector}`)).filter(isThere);
  const names = left.map((item) => at(item, 'metadata', 'name'));
  return words.filter((word) => names.includes(objects[word].name));
}

const isThere = (object: JsonObject | undefined): boolean =>
  object !== undefined && at(object, 'metadata', 'deletionTimestamp') === undefined;
