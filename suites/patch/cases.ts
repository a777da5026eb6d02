// One case of a patch type: an object as it starts, a patch, and what the object then holds, or that it holds on.
import type { Resource } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, fail, holds, Prerequisite, status, statusObject } from '../support/expect.js';
import { at, brief, isObject, type Json, type JsonObject, merge, missing } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { conflicts, type Made, pathTo, type Scope } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { makeFor, patchedResource, pathOn, unchanged } from './target.js';

/** A key, an index, or the item of a list that has this value under this key. */
type Step = string | number | { readonly [key: string]: Json };

/** What a list holds: each of `has` once, none of `lacks`, and `order` one after the other. */
interface ListCase {
  readonly at: readonly Step[];
  /** The key that tells items apart; none for a list of values. */
  readonly by?: string;
  readonly has?: readonly Json[];
  readonly lacks?: readonly Json[];
  readonly order?: readonly Json[];
}

export interface PatchCase {
  /** Fields of the object that is created, over the sample's; `undefined` takes one away. */
  readonly start?: JsonObject;
  /** The status that is written before the patch. */
  readonly status?: JsonObject;
  /** The patch; text is sent as it is. */
  readonly patch: Json;
  /** What the object then holds; `undefined` says that a field is absent. */
  readonly after?: JsonObject;
  /** Everything that is then in `data`. */
  readonly data?: JsonObject;
  readonly list?: ListCase;
  /** The patch as such is sound, so that a server that takes its result may apply it, all of it. */
  readonly mayApply?: boolean;
  /** What is then absent. */
  readonly gone?: readonly (readonly Step[])[];
}

/** A case, or one that has to look at the target first. */
export type Entry = PatchCase | ((scope: Scope, resource: Resource) => Promise<PatchCase>);

export interface CaseRecord {
  readonly of: PatchCase;
  readonly reply: Reply;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** A performer for a table of cases, by the variant of the subject. */
export const performs =
  (contentType: string, table: Readonly<Record<string, Entry>>) =>
  async (subject: OperationSubject, { client, scope }: Context): Promise<CaseRecord> => {
    const { operation, variant = '' } = subject;
    const entry = table[variant] ?? fail(`no case for ${variant}`);
    const of = typeof entry === 'function' ? await entry(scope, patchedResource(operation)) : entry;
    const made = await makeFor(operation, scope, of.start);
    if (of.status !== undefined) await writeStatus(scope, made, of.status);
    const before = await present(scope, made);
    const body = typeof of.patch === 'string' ? of.patch : JSON.stringify(of.patch);
    const headers = { 'content-type': contentType };
    const reply = await client.send({ method: 'PATCH', path: pathOn(operation, made), headers, body });
    const after = await present(scope, made);
    if (at(of.start, 'metadata', 'finalizers') !== undefined) await release(scope, made);
    return { of, reply, before, after };
  };

/** A performer for a table of strategic merge patches. */
export const performsStrategic = (table: Readonly<Record<string, Entry>>) =>
  performs('application/strategic-merge-patch+json', table);

async function present(scope: Scope, made: Made): Promise<JsonObject> {
  const object = await scope.current(made);
  if (object === undefined) throw new Prerequisite(`${made.name} is gone`);
  return object;
}

async function writeStatus(scope: Scope, made: Made, value: JsonObject): Promise<void> {
  const path = pathTo(made.resource, 'replaceStatus', made.namespace, made.name);
  for (let attempt = 1; ; attempt += 1) {
    const body = JSON.stringify(merge(await present(scope, made), { status: value }));
    const headers = { 'content-type': 'application/json' };
    const reply = await scope.client.send({ method: 'PUT', path, headers, body });
    if (reply.status === 200) return;
    if (reply.status !== 409 || attempt === conflicts) {
      throw new Prerequisite(`write the status: PUT ${path} answered ${reply.status} ${reply.excerpt()}`);
    }
  }
}

/** Takes the finalizers off that would hold the object after the run. */
async function release(scope: Scope, { resource, namespace, name }: Made): Promise<void> {
  await scope.client.send({
    method: 'PATCH',
    path: pathTo(resource, 'patch', namespace, name),
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { finalizers: null } }),
  });
}

/** The patch succeeded, and the answer and the object show what it does. */
export function applied({ of, reply, after }: CaseRecord): void {
  status(reply, 200);
  shows(of, reply.value(), reply.request);
  shows(of, after, `${reply.request}, then read`);
}

/** The patch is a client error with a Status, and the object is what it was. */
export function refused(record: CaseRecord): void {
  clientError(record.reply);
  statusObject(record.reply);
  leftAlone(record);
}

/** The patch is no success, whatever it is answered, and the object is what it was. */
export function notApplied(record: CaseRecord): void {
  const { reply, of } = record;
  if (reply.status < 300 && of.mayApply === true) return;
  if (reply.status < 300) fail(`${reply.request}: expected a refusal, got ${reply.status} ${reply.excerpt()}`);
  leftAlone(record);
}

/** A refusal is a client error with a Status; that there is one is judged by itself. */
export function refusedAsClientError({ reply }: CaseRecord): void {
  if (reply.status < 300) return;
  clientError(reply);
  statusObject(reply);
}

function leftAlone({ reply, before, after }: CaseRecord): void {
  unchanged(reply.request, before, after);
  for (const field of ['data', 'spec', 'imagePullSecrets', 'secrets']) {
    if (before[field] !== undefined) holds(before[field], after[field] ?? null, `${reply.request}: ${field} before`);
  }
}

function shows({ after, data, list, gone = [] }: PatchCase, object: unknown, what: string): void {
  if (after !== undefined) holds(object, after, what);
  if (data !== undefined) {
    holds(at(object, 'data') ?? {}, data, `${what}: data`);
    holds(data, at(object, 'data') ?? {}, `${what}: data that is expected`);
  }
  if (list !== undefined) listShows(list, object, what);
  for (const path of gone) {
    const found = seek(object, path);
    if (found !== undefined) fail(`${what}: ${brief(path)} is still there: ${brief(found)}`);
  }
}

function listShows({ at: path, by, has = [], lacks = [], order = [] }: ListCase, object: unknown, what: string): void {
  const found = seek(object, path) ?? [];
  if (!Array.isArray(found)) fail(`${what}: ${brief(path)} is no list: ${brief(found)}`);
  const items = found as readonly Json[];
  const keys = items.map((item) => (by === undefined ? item : at(item, by)));
  for (const wanted of has) {
    const key = by === undefined ? wanted : at(wanted, by);
    const own = items.filter((_, index) => keys[index] === key);
    if (own.length !== 1) fail(`${what}: ${brief(key)} is there ${own.length} times in ${brief(items)}`);
    const lack = missing(own[0], wanted);
    if (lack !== undefined) fail(`${what}: ${brief(key)}: ${lack}`);
  }
  for (const key of lacks) if (keys.includes(key)) fail(`${what}: ${brief(key)} is still in ${brief(items)}`);
  const ordered = keys.filter((key) => key !== undefined && order.includes(key));
  if (JSON.stringify(ordered) !== JSON.stringify(order)) {
    fail(`${what}: expected the order ${brief(order)}, got ${brief(keys)}`);
  }
}

function seek(value: unknown, path: readonly Step[]): Json | undefined {
  let here = value as Json | undefined;
  for (const step of path) {
    if (typeof step !== 'object') here = at(here, step);
    else
      here = Array.isArray(here) ? here.find((item) => isObject(item) && missing(item, step) === undefined) : undefined;
  }
  return here;
}
