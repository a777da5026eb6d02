// One case of a patch type: the object before, the patch, and the object afterwards, or an unchanged object.
import type { Resource } from '../../matrix/api/index.js';
import { clientError, fail, holds, Prerequisite, status, statusObject } from '../client/expect.js';
import { at, brief, isObject, type Json, type JsonObject, merge, missing } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { type CreatedObject, conflicts, type Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { makeFor, patchedResource, pathOn, unchanged } from './target.js';

/** A key, an index, or the list item that contains these values. */
type Step = string | number | { readonly [key: string]: Json };

/** Expected items of a list: each of `has` once, none of `lacks`, and `order` in this order. */
interface ListCase {
  readonly at: readonly Step[];
  /** The key that identifies items; absent for a list of values. */
  readonly by?: string;
  readonly has?: readonly Json[];
  readonly lacks?: readonly Json[];
  readonly order?: readonly Json[];
}

export interface PatchCase {
  /** Fields of the new object, merged into the sample; `undefined` removes a field. */
  readonly start?: JsonObject;
  /** A status that is written before the patch. */
  readonly status?: JsonObject;
  /** The patch; text is sent unchanged. */
  readonly patch: Json;
  /** Expected fields of the object; `undefined` means that a field is absent. */
  readonly after?: JsonObject;
  /** The expected content of `data`, complete. */
  readonly data?: JsonObject;
  readonly list?: ListCase;
  /** The patch itself is valid, so a server that accepts the result may apply the whole patch. */
  readonly mayApply?: boolean;
  /** Paths that must be absent. */
  readonly gone?: readonly (readonly Step[])[];
}

/** A case, or a function that creates a case from the target's state. */
export type Entry = PatchCase | ((sandbox: Sandbox, resource: Resource) => Promise<PatchCase>);

export interface CaseRecord {
  readonly of: PatchCase;
  readonly reply: Reply;
  readonly before: JsonObject;
  readonly after: JsonObject;
}

/** Returns a setup for a table of cases, by the variant of the subject. */
export const patchSetup =
  (contentType: string, table: Readonly<Record<string, Entry>>) =>
  async (subject: OperationSubject, { client, sandbox }: Context): Promise<CaseRecord> => {
    const { operation, variant = '' } = subject;
    const entry = table[variant] ?? fail(`no case for ${variant}`);
    const of = typeof entry === 'function' ? await entry(sandbox, patchedResource(operation)) : entry;
    const made = await makeFor(operation, sandbox, of.start);
    if (of.status !== undefined) await writeStatus(sandbox, made, of.status);
    const before = await present(sandbox, made);
    const body = typeof of.patch === 'string' ? of.patch : JSON.stringify(of.patch);
    const headers = { 'content-type': contentType };
    const reply = await client.send({ method: 'PATCH', path: pathOn(operation, made), headers, body });
    const after = await present(sandbox, made);
    if (at(of.start, 'metadata', 'finalizers') !== undefined) await release(sandbox, made);
    return { of, reply, before, after };
  };

/** Returns a setup for a table of strategic merge patches. */
export const strategicSetup = (table: Readonly<Record<string, Entry>>) =>
  patchSetup('application/strategic-merge-patch+json', table);

async function present(sandbox: Sandbox, made: CreatedObject): Promise<JsonObject> {
  const object = await sandbox.current(made);
  if (object === undefined) throw new Prerequisite(`${made.name} is gone`);
  return object;
}

async function writeStatus(sandbox: Sandbox, made: CreatedObject, value: JsonObject): Promise<void> {
  const path = pathTo(made.resource, 'replaceStatus', made.namespace, made.name);
  for (let attempt = 1; ; attempt += 1) {
    const body = JSON.stringify(merge(await present(sandbox, made), { status: value }));
    const headers = { 'content-type': 'application/json' };
    const reply = await sandbox.client.send({ method: 'PUT', path, headers, body });
    if (reply.status === 200) return;
    if (reply.status !== 409 || attempt === conflicts) {
      throw new Prerequisite(`write the status: PUT ${path} answered ${reply.status} ${reply.excerpt()}`);
    }
  }
}

/** Removes the finalizers, which would hold the object after the run. */
async function release(sandbox: Sandbox, { resource, namespace, name }: CreatedObject): Promise<void> {
  await sandbox.client.send({
    method: 'PATCH',
    path: pathTo(resource, 'patch', namespace, name),
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({ metadata: { finalizers: null } }),
  });
}

/** Throws Failure unless the patch succeeded and the response and the object show its effect. */
export function applied({ of, reply, after }: CaseRecord): void {
  status(reply, 200);
  shows(of, reply.value(), reply.request);
  shows(of, after, `${reply.request}, then read`);
}

/** Throws Failure unless the response is a client error with a Status and the object is unchanged. */
export function patchRefused(record: CaseRecord): void {
  clientError(record.reply);
  statusObject(record.reply);
  leftAlone(record);
}

/** Throws Failure unless the patch was refused, with any status, and the object is unchanged. */
export function notApplied(record: CaseRecord): void {
  const { reply, of } = record;
  if (reply.status < 300 && of.mayApply === true) return;
  if (reply.status < 300) fail(`${reply.request}: expected a refusal, got ${reply.status} ${reply.excerpt()}`);
  leftAlone(record);
}

/** Throws Failure if a refusal is not a client error with a Status. Another requirement checks the refusal. */
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
  if (!Array.isArray(found)) fail(`${what}: ${brief(path)} is not a list: ${brief(found)}`);
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
