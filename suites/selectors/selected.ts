// Objects that selectors tell apart, and what a list selects of them.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { Client } from '../support/client.js';
import { fail, status, Unjudged } from '../support/expect.js';
import { at, itemsOf } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import type { Made, Scope } from '../support/scope.js';

/** Label keys of the objects below. `group` is unique to the objects of one resource. */
export const group = 'kube-api-conformance/group';
export const tier = 'kube-api-conformance/tier';

/** A list that has been asked for, and its parameters in words. */
export interface Asked {
  readonly asked: string;
  readonly reply: Reply;
}

/** Three objects of a group, and two of others: one beside them, one in another namespace. */
export interface Selectable {
  readonly id: string;
  /** A label key that only these objects have: empty on `one`, a value on `two`. */
  readonly only: string;
  readonly one: Made;
  readonly two: Made;
  readonly three: Made;
  readonly stranger: Made;
  /** The same as `stranger` for cluster-scoped kinds. */
  readonly elsewhere: Made;
}

type Word = 'one' | 'two' | 'three' | 'stranger' | 'elsewhere';

const words = ['one', 'two', 'three', 'stranger', 'elsewhere'] as const satisfies readonly Word[];
const known = new WeakMap<Scope, Map<string, Promise<Selectable>>>();

/** The objects of a resource, made at the first use: nobody changes them. */
export function selectable(scope: Scope, resource: Resource): Promise<Selectable> {
  const made = known.get(scope) ?? new Map<string, Promise<Selectable>>();
  known.set(scope, made);
  const objects = made.get(resourceId(resource)) ?? makeSelectable(scope, resource, { kept: true });
  made.set(resourceId(resource), objects);
  return objects;
}

/** Makes new objects, for a check that deletes some of them. */
export async function makeSelectable(
  scope: Scope,
  resource: Resource,
  kept: { kept?: true } = {},
): Promise<Selectable> {
  const id = scope.name();
  const only = `kube-api-conformance/only-${id}`;
  const stranger = await scope.make(resource, { ...kept, labels: { [group]: `${id}-stranger`, [tier]: 'a' } });
  return {
    id,
    only,
    one: await scope.make(resource, { ...kept, labels: { [group]: id, [tier]: 'a', [only]: '' } }),
    two: await scope.make(resource, {
      ...kept,
      labels: { [group]: id, [tier]: 'b', [only]: 'x', 'example.com/role': id },
    }),
    three: await scope.make(resource, { ...kept, labels: { [group]: id, role: id } }),
    stranger,
    elsewhere: resource.namespaced
      ? await scope.make(resource, {
          ...kept,
          namespace: await scope.namespace('other'),
          labels: { [group]: `${id}-elsewhere` },
        })
      : stranger,
  };
}

/** Asks for a list. A value that is absent is a parameter that is not sent. */
export async function ask(client: Client, path: string, parameters: Readonly<Record<string, string>>): Promise<Asked> {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const reply = await client.send({ method: 'GET', path: query.length > 0 ? `${path}?${query.join('&')}` : path });
  return { asked: JSON.stringify(parameters), reply };
}

/**
 * Throws Unjudged where the server refuses a field: the document names none, so that it is for the server to say which
 * fields a kind is selected by. That clients rely on the name and the namespace is a requirement of its own.
 */
export function knowsField(...answers: readonly Pick<Asked, 'reply'>[]): void {
  for (const { reply } of answers) {
    if (reply.status < 400 || reply.status > 499) continue;
    throw new Unjudged(
      'not-supported',
      `${reply.request}: no selection by this field: ${reply.status} ${reply.excerpt()}`,
    );
  }
}

/** The answer is a list of exactly those objects. */
export function selects({ reply, asked }: Asked, objects: Selectable, ...expected: readonly Word[]): void {
  status(reply, 200);
  const found = wordsOf(reply, objects, true);
  const wanted = expected.join(' ');
  if (found !== wanted) fail(`${reply.request}, ${asked}: expected ${wanted || 'nothing'}, got ${found || 'nothing'}`);
}

/** The answer is a list of those of the objects, whatever else it holds. */
export function holdsAll({ reply, asked }: Asked, objects: Selectable, ...expected: readonly Word[]): void {
  status(reply, 200);
  const found = wordsOf(reply, objects, false).split(' ');
  for (const word of expected) if (!found.includes(word)) fail(`${reply.request}, ${asked}: ${word} is not listed`);
}

/** What is listed: the known objects in their order, once for each time, then the others if they are asked for. */
function wordsOf(reply: Reply, objects: Selectable, others: boolean): string {
  const names = itemsOf(reply.value()).map((item) => String(at(item, 'metadata', 'name')));
  const of = (word: Word): Word[] => names.filter((name) => name === objects[word].name).map(() => word);
  const mine = words.filter((word) => word !== 'elsewhere' || objects.elsewhere !== objects.stranger).flatMap(of);
  const strange = names.filter((name) => words.every((word) => objects[word].name !== name));
  return [...mine, ...(others ? strange : [])].join(' ');
}
