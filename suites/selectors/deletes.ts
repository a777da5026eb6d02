// Delete-collections with selectors: the objects that remain.

import type { Operation } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail, isStill, status, success } from '../client/expect.js';
import { at, isEnding, itemsOf, type JsonObject } from '../client/json.js';
import { fill } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import type { Sandbox } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';
import { malformedFields, malformedLabels, unsupportedFields } from './lists.js';
import { makeSelectable, type Selectable, tier } from './selected.js';

const words = ['one', 'two', 'three', 'stranger'] as const;
type Word = (typeof words)[number];

interface SelectorForm {
  readonly selector: string;
  readonly spares: readonly Word[];
}

/** The forms of a label selector. Negative forms also select the group, so that they do not delete other objects. */
const forms: Readonly<Record<string, (objects: Selectable) => SelectorForm>> = {
  'key=value': ({ id }) => ({ selector: `${groupLabel}=${id}`, spares: ['stranger'] }),
  'key==value': ({ id }) => ({ selector: `${groupLabel}==${id}`, spares: ['stranger'] }),
  'key in': ({ id }) => ({ selector: `${groupLabel} in (${id}, ${id}-nobody)`, spares: ['stranger'] }),
  key: ({ only }) => ({ selector: only, spares: ['three', 'stranger'] }),
  'key!=value': ({ id }) => ({ selector: `${groupLabel}=${id},${tier}!=a`, spares: ['one', 'stranger'] }),
  'key notin': ({ id }) => ({ selector: `${groupLabel}=${id},${tier} notin (a,c)`, spares: ['one', 'stranger'] }),
  '!key': ({ id, only }) => ({ selector: `${groupLabel}=${id},!${only}`, spares: ['one', 'two', 'stranger'] }),
  and: ({ id }) => ({ selector: `${groupLabel}=${id},${tier}=a`, spares: ['two', 'three', 'stranger'] }),
};

/** A delete-collection, the objects that must remain, and those that do. */
export interface Deletion {
  readonly reply: Reply;
  readonly expected: readonly Word[];
  readonly spared: readonly Word[];
}

/** Sends a delete-collection with a form of label selector. */
export async function deleteByLabels(operation: Operation, variant: string, sandbox: Sandbox): Promise<Deletion> {
  const objects = await deletable(operation, sandbox);
  const { selector, spares } = forms[variant]?.(objects) ?? fail(`no form ${variant}`);
  const path = fill(operation.path, objects.one.namespace);
  const reply = await sandbox.deleteCollection(`${path}?labelSelector=${encodeURIComponent(selector)}`);
  return { reply, expected: spares, spared: await sparedOf(objects, sandbox) };
}

/**
 * Deletes one object by its name as a field, after a delete of its name and of labels that it does not have, and one of
 * two names, which no object has; then those with another name than the first. Labels are selected each time, because a server without field selectors would delete
 * all objects of the kind.
 */
export async function deleteByFields(operation: Operation, sandbox: Sandbox) {
  const objects = await deletable(operation, sandbox);
  const path = fill(operation.path, objects.one.namespace);
  const remove = (group: string, fields: string): Promise<Reply> => {
    const query = new URLSearchParams({ labelSelector: `${groupLabel}=${group}`, fieldSelector: fields });
    return sandbox.deleteCollection(`${path}?${query}`);
  };
  const two = `metadata.name=${objects.two.name}`;
  await remove(`${objects.id}-nobody`, two);
  await remove(objects.id, `${two},metadata.name=${objects.three.name}`);
  const before = await sparedOf(objects, sandbox);
  const reply = await remove(objects.id, two);
  const spared = await sparedOf(objects, sandbox);
  const others = await remove(objects.id, `metadata.name!=${objects.one.name}`);
  return {
    ...{ before, reply, spared, expected: ['one', 'three', 'stranger'] as const },
    others: { reply: others, spared: await sparedOf(objects, sandbox), expected: ['one', 'stranger'] as const },
  };
}

/** Throws Failure unless exactly the expected objects remain. */
export function deletesSelected({ reply, expected, spared }: Deletion): void {
  success(reply);
  equal(spared.join(' '), expected.join(' '), `${reply.request}: the objects that are left`);
}

/** Sends every invalid selector to a namespace with one object. */
export async function deleteMalformed({ resource, path }: Operation, client: Client, sandbox: Sandbox) {
  if (resource === undefined) fail('a delete-collection without a resource');
  const namespace = await sandbox.namespace('malformed');
  const made = await sandbox.make(resource, { namespace });
  const replies: Reply[] = [];
  const send = async (name: string, values: readonly string[]): Promise<void> => {
    for (const value of values) {
      const query = `?${name}=${encodeURIComponent(value)}`;
      replies.push(await client.send({ method: 'DELETE', path: fill(path, namespace) + query }));
    }
  };
  await send('labelSelector', malformedLabels);
  await send('fieldSelector', [...malformedFields, ...unsupportedFields]);
  return { replies, made, after: await sandbox.current(made) };
}

/** Throws Failure unless all requests were refused and the object still exists. */
export function deletesNothing({ replies, made, after }: Awaited<ReturnType<typeof deleteMalformed>>): void {
  for (const reply of replies) {
    status(reply, 400);
    if (isThere(after) && at(after, 'metadata', 'uid') === at(made.object, 'metadata', 'uid')) continue;
    fail(`${reply.request} and its like: the object of the namespace is gone`);
  }
}

/** Deletes all objects of a namespace, and with empty selectors those of a second one; a third has one object too. */
export async function deleteEverything({ resource, path }: Operation, sandbox: Sandbox) {
  if (resource === undefined) fail('a delete-collection without a resource');
  const namespace = await sandbox.namespace('emptied');
  const made = [
    await sandbox.make(resource, { namespace }),
    await sandbox.make(resource, { namespace, labelled: false }),
  ];
  const kept = await sandbox.make(resource);
  const unselected = await sandbox.namespace('unselected');
  made.push(await sandbox.make(resource, { namespace: unselected }));
  const reply = await sandbox.deleteCollection(fill(path, namespace));
  const empty = await sandbox.deleteCollection(`${fill(path, unselected)}?labelSelector=&fieldSelector=`);
  const after = [];
  for (const object of made) after.push(await sandbox.current(object));
  return { reply, empty, after, kept, keptAfter: await sandbox.current(kept) };
}

/** Throws Failure unless the objects of the namespace are gone or being deleted and the other object remains. */
export function emptiesNamespace({
  reply,
  empty,
  after,
  kept,
  keptAfter,
}: Awaited<ReturnType<typeof deleteEverything>>): void {
  success(reply);
  success(empty);
  equal(after.slice(0, -1).filter(isThere).length, 0, `${reply.request}: objects that are left in the namespace`);
  equal(after.slice(-1).filter(isThere).length, 0, `${empty.request}: objects that are left in the namespace`);
  equal(isThere(keptAfter), true, `${reply.request}: the object of another namespace is there`);
  const uid = { before: at(kept.object, 'metadata', 'uid'), after: at(keptAfter, 'metadata', 'uid') };
  isStill(uid, `${reply.request}: its uid`);
}

async function deletable({ resource }: Operation, sandbox: Sandbox): Promise<Selectable> {
  if (resource === undefined) fail('a delete-collection without a resource');
  await sandbox.selectorsAreRespected(resource);
  return makeSelectable(sandbox, resource);
}

async function sparedOf(objects: Selectable, sandbox: Sandbox): Promise<Word[]> {
  const { id, one } = objects;
  const selector = encodeURIComponent(`${groupLabel} in (${id},${id}-stranger)`);
  const left = itemsOf(await sandbox.list(one.resource, one.namespace, `?labelSelector=${selector}`)).filter(isThere);
  const names = left.map((item) => at(item, 'metadata', 'name'));
  return words.filter((word) => names.includes(objects[word].name));
}

/** Reports whether an object is there and not being deleted. */
export const isThere = (object: JsonObject | undefined): boolean => object !== undefined && !isEnding(object);
