// Objects without the fields that have defaults: created, and then replaced and patched.
import { defined, resourceId } from '../../matrix/api/index.js';
import { encodeBody, type ObjectType, wireType } from '../client/decoders.js';
import { fail, holds, success } from '../client/expect.js';
import { at, isObject, type Json, type JsonObject, missing } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { mustKeepPods } from '../objects/changedPods.js';
import { sendBody } from '../objects/writes.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { type Defaulted, defaults } from './defaults.js';
import { placeOf } from './refusals.js';

/** What shows an object, the name of the write before, and the values that are expected at its paths. */
interface Shown {
  readonly object: unknown;
  readonly what: string;
  readonly expected: Defaulted['expected'];
}
interface Bare {
  readonly replies: readonly Reply[];
  readonly shown: readonly Shown[];
}

/** The media types of further creates. */
const otherTypes: readonly ObjectType[] = ['yaml', 'protobuf'];
/** Where a server does not read a media type, other chapters judge it. */
const unread: readonly number[] = [400, 415];

/**
 * Creates an object with only the variant's fields, in each media type; in a new namespace if the object limits others. A
 * replace then leaves the defaults out, and a patch removes or empties them.
 */
export async function writeBare(subject: OperationSubject, { client, sandbox }: Context): Promise<Bare> {
  const resource = resourceOf(subject.operation);
  const table = defaults as Readonly<Record<string, Readonly<Record<string, Defaulted>>>>;
  const row = table[resourceId(resource)]?.[subject.variant ?? ''] ?? fail(`no row for ${subject.id}`);
  const { input, younger } = row;
  const namespace = await placeOf(sandbox, resource);
  const name = sandbox.name(resource);
  const bodyOf = (name: string): JsonObject => {
    const { apiVersion, kind, metadata } = sandbox.body(resource, name, namespace);
    return { apiVersion, kind, metadata, ...input };
  };
  const sent = bodyOf(name);
  const path = pathTo(resource, 'create', namespace);
  const created = await sendBody(sandbox, 'POST', path, sent);
  const object = created.tryValue();
  /** The expected values in a response without those of a field that the server, or protobuf, does not know. */
  const expectedIn = (shown: unknown, all: Defaulted['expected']): Defaulted['expected'] => {
    const isDropped = younger !== undefined && valueAt(shown, younger) === undefined;
    return Object.fromEntries(Object.entries(all).filter(([path]) => !isDropped || !path.startsWith(younger)));
  };
  const expected = expectedIn(object, row.expected);
  if (resource.kind === 'Pod' && created.status < 300) {
    const others = Object.entries(expected).filter(([path, value]) => !isAt(object, path, value));
    const isReplaced = others.some(([path, value]) => path.endsWith('.imagePullPolicy') && value !== 'Always');
    if (others.length > 0) await mustKeepPods(sandbox, 'order', ...(isReplaced ? ['imagePullPolicy' as const] : []));
  }
  const first = { object, what: created.request, expected };
  // What others have added, such as resources, is no default, and some of it is fixed.
  const isDefault = (path: string): boolean => missing(expected[path], valueAt(object, path)) === undefined;
  const left = Object.keys(expected).filter(
    (path) => !path.startsWith('status.') && valueAt(input, path) === undefined && isDefault(path),
  );
  if (!isObject(object) || created.status > 299 || left.length === 0) return { replies: [created], shown: [first] };

  const others = new Map<ObjectType, Reply>();
  for (const type of otherTypes) {
    const headers = { 'content-type': wireType(type, client.target) };
    const body = encodeBody(type, bodyOf(sandbox.name(resource)));
    const reply = await client.send({ method: 'POST', path, headers, body });
    if (!unread.includes(reply.status)) others.set(type, reply);
  }

  const made = { resource, name, sent, object, ...defined({ namespace }) };
  const replaced = await sandbox.put(made, (now) => left.map(stepsOf).reduce(without, now));
  const removals = left.filter((path) => valueAt(replaced.tryValue(), path) !== undefined);
  const patch = removals.map((path) => removal(expected[path] ?? null, `/${stepsOf(path).join('/')}`));
  const patched = await sendBody(sandbox, 'PATCH', pathTo(resource, 'patch', namespace, name), patch, 'jsonPatch');
  const updated = (of: unknown, what: string): Shown => ({
    object: of,
    what,
    expected: Object.fromEntries(left.map((path) => [path, expected[path] ?? null])),
  });
  return {
    replies: [created, ...others.values(), replaced, patched],
    shown: [
      first,
      ...[...others].map(([type, reply]): Shown => {
        const { object, what, expected } = updated(reply.tryValue(), `${reply.request} as ${type}`);
        return { object, what, expected: expectedIn(object, expected) };
      }),
      updated(replaced.tryValue(), `${replaced.request} without it`),
      updated(patched.tryValue(), `${patched.request} without it`),
      updated(await sandbox.current(made), `${patched.request} without it, then read`),
    ],
  };
}

/** Returns the operation that leaves a value to its default: for a word, clients in Go write the empty string. */
const removal = (value: Json, path: string): JsonObject =>
  typeof value === 'string' && !/^\d/.test(value) ? { op: 'replace', path, value: '' } : { op: 'remove', path };

/** Throws Failure unless every default is shown after each write. */
export function defaultsAreThere({ replies, shown }: Bare): void {
  for (const reply of replies) success(reply);
  for (const { object, what, expected } of shown)
    for (const [path, value] of Object.entries(expected)) holds(valueAt(object, path), value, `${what}: ${path}`);
}

/** Returns the steps of a path such as `spec.containers[0].image`. */
const stepsOf = (path: string): readonly (string | number)[] =>
  (path.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
const valueAt = (object: unknown, path: string): Json | undefined => at(object, ...stepsOf(path));
const isAt = (object: unknown, path: string, value: Json): boolean =>
  missing(valueAt(object, path), value) === undefined;

/** Returns an object without the member at some steps. */
function without(object: JsonObject, [step = '', ...rest]: readonly (string | number)[]): JsonObject {
  const member = (value: Json | undefined): Json | undefined => {
    if (isObject(value)) return without(value, rest);
    const [index, ...inner] = rest;
    return Array.isArray(value) && inner.length > 0
      ? value.map((item, at) => (at === index && isObject(item) ? without(item, inner) : item))
      : value;
  };
  return { ...object, [step]: rest.length === 0 ? undefined : member(object[step]) };
}
