// Sends what must be refused, and says whether the refusal was right and did nothing.
import { type Resource, resourceId } from '../../matrix/api/index.js';
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { fail, status, statusObject } from '../support/expect.js';
import { at, brief, isObject, type Json, type JsonObject, merge } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { isUntouched } from '../support/untouched.js';
import type { Context } from '../support/worker.js';
import { bodies } from './bodies.js';
import type { Invalid } from './invalid.js';

const json = { 'content-type': 'application/json' };

/** What came of a write that must be refused. */
export interface Refusal {
  readonly reply: Reply;
  /** The field that the causes must name; one of them where servers differ on it. */
  readonly field: string | readonly string[];
  /** The object before the write; absent where it was a create. */
  readonly before?: JsonObject | undefined;
  readonly after: JsonObject | undefined;
}

/** The resource of a subject that has one. */
export function resourceOf({ operation }: OperationSubject): Resource {
  return operation.resource ?? fail(`${operation.id} has no resource`);
}

/** A valid body with something written over it; `over` may take fields away. */
async function bodyWith(scope: Scope, resource: Resource, over: JsonObject, name = scope.name(resource)) {
  const namespace = resource.namespaced ? await scope.namespace() : undefined;
  return { name, namespace, body: merge(scope.body(resource, name, namespace), over) };
}

/** Creates an object that differs from the sample. Throws Prerequisite where the target refuses. */
export async function makeWith(scope: Scope, resource: Resource, over: JsonObject): Promise<Made> {
  const { name, namespace, body } = await bodyWith(scope, resource, over);
  const reply = await scope.attempt(`create ${resource.plural}`, 'POST', pathTo(resource, 'create', namespace), body);
  const object = reply.value();
  if (!isObject(object)) fail(`${reply.request}: the answer is no object`);
  return {
    resource,
    name,
    sent: body,
    object: object as JsonObject,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** Sends a create and looks whether the object is there afterwards. */
export async function tryCreate({ client, scope }: Context, resource: Resource, over: JsonObject, as?: string) {
  const { name, namespace, body } = await bodyWith(scope, resource, over, as);
  const path = pathTo(resource, 'create', namespace);
  const reply = await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(body) });
  const place = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
  return { reply, name, after: await scope.current(place) };
}

/** Sends a replace of a new object by a change of it, and looks at the object before and afterwards. */
export async function tryReplace(scope: Scope, made: Made, change: (object: JsonObject) => JsonObject) {
  const before = (await scope.current(made)) ?? made.object;
  return { reply: await scope.put(made, change), before, after: await scope.current(made) };
}

/** Sends the invalid body that the subject's variant names: a create, or a replace where no create is stated. */
export async function sendInvalid(subject: OperationSubject, context: Context): Promise<Refusal> {
  const resource = resourceOf(subject);
  const { over, field, name } = invalidBody(subject, context);
  if (subject.operation.verb === 'replace') {
    const made = await context.scope.make(resource);
    return { field, ...(await tryReplace(context.scope, made, (object) => merge(object, over))) };
  }
  const own = name?.(context.scope.name(resource));
  const named = own === undefined ? over : merge(over, { metadata: { name: own } });
  return { field, ...(await tryCreate(context, resource, named, own)) };
}

function invalidBody(subject: OperationSubject, { client }: Context): Invalid {
  const table = bodies as Readonly<Record<string, Readonly<Record<string, Invalid>>>>;
  const found = table[resourceId(resourceOf(subject))]?.[subject.variant ?? ''];
  if (found === undefined) fail(`no invalid body for ${subject.id}`);
  const { over, field, ...rest } = found as Invalid;
  const placed = (text: string): string => text.replaceAll('<domain>', client.target.domains.secretType);
  return { ...rest, over: replaced(over, placed) as JsonObject, field: [field].flat().map(placed) };
}

/** A value with every text in it changed. */
function replaced(value: Json | undefined, change: (text: string) => string): Json | undefined {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, change) ?? null);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, change)]));
}

/** The answer is 422 with reason Invalid. */
export function isInvalid({ reply }: { readonly reply: Reply }): void {
  status(reply, 422);
  statusObject(reply, 'Invalid');
}

/** The causes name the field. */
export function namesField({ reply, field }: Pick<Refusal, 'reply' | 'field'>): void {
  const causes = at(reply.tryValue(), 'details', 'causes');
  const fields = Array.isArray(causes) ? causes.map((cause) => at(cause, 'field')) : [];
  const wanted = [field].flat();
  if (wanted.some((name) => fields.includes(name))) return;
  fail(`${reply.request}: the causes name ${brief(fields)}, not ${wanted.join(' or ')}: ${reply.excerpt()}`);
}

/** Nothing was created, or the object is what it was. */
export function didNothing({ reply, before, after }: Refusal): void {
  if (before !== undefined) isUntouched(before, after, `${reply.request}: the object afterwards`);
  else if (after !== undefined) fail(`${reply.request}: the object was created: ${brief(after)}`);
}

/** All of it: 422, the field is named, nothing happened. */
export function refused(refusal: Refusal): void {
  isInvalid(refusal);
  namesField(refusal);
  didNothing(refusal);
}

/** The path of an operation for an object. */
export const pathOf = ({ operation }: OperationSubject, made: Pick<Made, 'name' | 'namespace'>): string =>
  fill(operation.path, made.namespace, made.name);
