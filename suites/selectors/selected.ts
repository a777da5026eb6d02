// Objects with different labels, and the objects that a list selects.

import { defined, type Resource, resourceId } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { fail, status, Unchecked } from '../client/expect.js';
import { at, itemsOf, type JsonObject } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { extended } from '../objects/neighbourhood.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { groupLabel } from '../objects/sandbox.js';

/** Label keys of the objects below. `group` is unique to the objects of one resource. */
export const tier = 'kube-api-conformance/tier';

/** The role of `two`: a value of the greatest length, with each character that is allowed. */
export const otherRole = (id: string): string => `${id}_v1.0`.padEnd(63, 'x');
/** A value that the role of `two` matches as a pattern. */
const matchingRole = (id: string): string => otherRole(id).replace('_', '-');

/** The response to a list, and its parameters in words. */
export interface AskedList {
  readonly asked: string;
  readonly reply: Reply;
}

/** Three objects of a group, of which two have a tier, `a` and `A`, and two other objects: one in the same namespace, one in another. */
export interface Selectable {
  readonly id: string;
  /** A label key that only these objects have: empty on `one`, a value on `two`. */
  readonly only: string;
  /** The key in another case, on `three`. */
  readonly onlyOfThree: string;
  readonly one: CreatedObject;
  readonly two: CreatedObject;
  readonly three: CreatedObject;
  readonly stranger: CreatedObject;
  /** Has the name of `one`. Equals `stranger` for cluster-scoped kinds. */
  readonly elsewhere: CreatedObject;
}

type Word = 'one' | 'two' | 'three' | 'stranger' | 'elsewhere';

const words = ['one', 'two', 'three', 'stranger', 'elsewhere'] as const satisfies readonly Word[];
const known = new WeakMap<Sandbox, Map<string, Promise<Selectable>>>();

/** Returns the objects of a resource, created at the first use and never changed. */
export function selectable(sandbox: Sandbox, resource: Resource): Promise<Selectable> {
  const made = known.get(sandbox) ?? new Map<string, Promise<Selectable>>();
  known.set(sandbox, made);
  const objects = made.get(resourceId(resource)) ?? makeSelectable(sandbox, resource, { kept: true });
  made.set(resourceId(resource), objects);
  return objects;
}

/** Creates new objects, for a check that deletes some of them. */
export async function makeSelectable(
  sandbox: Sandbox,
  resource: Resource,
  kept: { kept?: true } = {},
): Promise<Selectable> {
  // apart from other objects, so that lists without a selector are short
  const namespace = resource.namespaced ? await sandbox.namespace('selectable') : undefined;
  const place = { ...kept, ...defined({ namespace }) };
  const id = sandbox.name();
  const only = `kube-api-conformance/only-${id}`;
  const onlyOfThree = `kube-api-conformance/Only-${id}`;
  const name = sandbox.name(resource);
  // its name and its label begin with those of the first object
  const otherLabel = await sandbox.make(resource, {
    ...place,
    name: extended(name),
    labels: { [groupLabel]: `${id}-stranger`, [tier]: 'a', 'example.com/role': matchingRole(id) },
  });
  return {
    id,
    only,
    onlyOfThree,
    one: await sandbox.make(resource, { ...place, name, labels: { [groupLabel]: id, [tier]: 'a', [only]: '' } }),
    two: await sandbox.make(resource, {
      ...place,
      labels: { [groupLabel]: id, [tier]: 'A', [only]: 'x', 'example.com/role': otherRole(id) },
    }),
    three: await sandbox.make(resource, { ...place, labels: { [groupLabel]: id, role: id, [onlyOfThree]: '' } }),
    stranger: otherLabel,
    elsewhere: resource.namespaced
      ? await sandbox.make(resource, {
          ...{ ...kept, name },
          namespace: await sandbox.namespace('other'),
          labels: { [groupLabel]: `${id}-elsewhere` },
        })
      : otherLabel,
  };
}

/** Sends a list. Absent parameters are not sent. */
export async function sendSelection(
  client: Client,
  path: string,
  parameters: Readonly<Record<string, string>>,
): Promise<AskedList> {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const reply = await client.send({ method: 'GET', path: query.length > 0 ? `${path}?${query.join('&')}` : path });
  return { asked: JSON.stringify(parameters), reply };
}

/**
 * Throws Unchecked if the server refuses a field: the document names none, so the server decides by which fields a kind
 * is selected. Another requirement covers the name and the namespace, which clients rely on.
 */
export function knowsField(...answers: readonly Pick<AskedList, 'reply'>[]): void {
  for (const { reply } of answers) {
    if (reply.status < 400 || reply.status > 499) continue;
    throw new Unchecked(
      'not-supported',
      `${reply.request}: no selection by this field: ${reply.status} ${reply.excerpt()}`,
    );
  }
}

/** Throws Failure unless the list has exactly those objects. */
export function selects({ reply, asked }: AskedList, objects: Selectable, ...expected: readonly Word[]): void {
  status(reply, 200);
  const found = wordsOf(reply, objects, true);
  const wanted = expected.join(' ');
  if (found !== wanted) fail(`${reply.request}, ${asked}: expected ${wanted || 'nothing'}, got ${found || 'nothing'}`);
}

/** Throws Failure unless the list has those objects; it may have others too. */
export function holdsAll({ reply, asked }: AskedList, objects: Selectable, ...expected: readonly Word[]): void {
  status(reply, 200);
  const found = wordsOf(reply, objects, false).split(' ');
  for (const word of expected) if (!found.includes(word)) fail(`${reply.request}, ${asked}: ${word} is not listed`);
}

/** Throws Failure if a page has the object. */
export function leavesOut(pages: readonly AskedList[], objects: Selectable, word: Word): void {
  for (const { reply, asked } of pages) {
    status(reply, 200);
    if (wordsOf(reply, objects, false).split(' ').includes(word)) fail(`${reply.request}, ${asked}: ${word} is listed`);
  }
}

/**
 * Returns the words of the listed objects in their order, each as often as it is listed, and the names of other objects
 * if `others` is set.
 */
function wordsOf(reply: Reply, objects: Selectable, others: boolean): string {
  const items = itemsOf(reply.value());
  const uidOf = (object: unknown) => at(object, 'metadata', 'uid');
  const isOf = (word: Word, item: JsonObject): boolean => uidOf(item) === uidOf(objects[word].object);
  const of = (word: Word): Word[] => items.filter((item) => isOf(word, item)).map(() => word);
  const mine = words.filter((word) => word !== 'elsewhere' || objects.elsewhere !== objects.stranger).flatMap(of);
  const unexpected = items.filter((item) => words.every((word) => !isOf(word, item)));
  return [...mine, ...(others ? unexpected.map((item) => String(at(item, 'metadata', 'name'))) : [])].join(' ');
}
