// Samples of kinds: the fields of a valid object, from the user's files or from the schema and the words of the server.
import type { FoundKind } from '../../../matrix/api/index.js';
import type { Client } from '../http/client.js';
import { at, isObject, type Json, type JsonObject, merge } from '../http/json.js';
import { NoAnswer, type Reply } from '../http/reply.js';
import type { Sandbox } from '../objects/sandbox.js';
import { accepted, type Trial, wordsOf } from './repair.js';
import { type Located, objectOf, propertyOf, resolved } from './schemas.js';
import { candidates, smallest } from './values.js';

/** An object of a kind that a user gives. */
export interface UserSample {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: JsonObject;
}

/** What a trial of a kind found out. */
export type SampleTraits = Pick<FoundKind, 'sample' | 'blocked' | 'status' | 'otherStatus' | 'otherSpec' | 'immutable'>;

/** The fields that the suite writes itself. */
const own = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * Makes a valid object of a kind on the target: first as dry runs, then one that is stored.
 * `given`: the user's own sample, which is not repaired.
 */
export async function sampleFor(
  sandbox: Sandbox,
  row: FoundKind,
  located: Located | undefined,
  given: UserSample | undefined,
): Promise<SampleTraits> {
  try {
    const namespace = row.namespaced ? await sandbox.namespace() : undefined;
    const place = placeOf(row, namespace);
    const bodyOf = bodyMaker(sandbox, row, namespace);
    const trial: Trial = { client: sandbox.client, path: place, bodyOf: (fields) => bodyOf(fields).body, located };
    const made = await firstAccepted(trial, given === undefined ? startsOf(located) : [given.fields]);
    if ('refused' in made) return { blocked: made.refused };
    const { fields, answer } = made;
    const named = at(answer, 'metadata', 'name');
    if (row.verbs.includes('read') && typeof named === 'string' && !sandbox.isOwnName(named))
      return { blocked: `the server chooses the names of its objects: ${named}` };
    const status = given?.fields.status;
    const marks = { ...marksOf(located, fields), ...(isObject(status) && { status }) };
    return row.verbs.includes('read')
      ? await stored(sandbox.client, place, bodyOf(fields), { sample: fields, ...marks }, row)
      : { sample: fields };
  } catch (error) {
    if (error instanceof NoAnswer || (error instanceof Error && error.name === 'Prerequisite'))
      return { blocked: error.message };
    throw error;
  }
}

function placeOf({ group, version, plural }: FoundKind, namespace: string | undefined): string {
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${prefix}/${plural}` : `${prefix}/namespaces/${namespace}/${plural}`;
}

function bodyMaker(sandbox: Sandbox, { group, version, kind }: FoundKind, namespace: string | undefined) {
  return (fields: JsonObject): { readonly name: string; readonly body: JsonObject } => {
    const name = sandbox.name();
    const metadata = { name, ...(namespace !== undefined && { namespace }), labels: sandbox.labels() };
    const apiVersion = group === '' ? version : `${group}/${version}`;
    return { name, body: { apiVersion, kind, metadata, ...fields } };
  };
}

async function firstAccepted(trial: Trial, starts: readonly JsonObject[]) {
  let last: Awaited<ReturnType<typeof accepted>> = { refused: 'there is no schema' };
  for (const fields of starts) {
    last = await accepted(trial, fields);
    if ('fields' in last) return last;
  }
  return last;
}

/** Returns the fields to begin with: what is required, first with a spec even if the schema does not require one. */
function startsOf(located: Located | undefined): JsonObject[] {
  if (located === undefined) return [{}, { spec: {} }];
  const whole = smallest(located);
  const required = Object.fromEntries(Object.entries(objectOf(whole)).filter(([name]) => !own.has(name)));
  const spec = propertyOf(located, 'spec');
  if ('spec' in required || spec === undefined) return [required];
  return [{ ...required, spec: smallest(spec) }, required];
}

/** Returns values of the status and of the spec that checks write: one status, another one, and another spec. */
function marksOf(located: Located | undefined, fields: JsonObject): Partial<SampleTraits> {
  const status = located && propertyOf(located, 'status');
  const spec = located && propertyOf(located, 'spec');
  const written = status && statusValues(status);
  const otherSpec = spec && otherValue(spec, objectOf(fields.spec));
  return {
    ...(written && { status: written[0], otherStatus: written[1] }),
    ...(otherSpec && { otherSpec }),
  };
}

/** Members of a status that controllers of many kinds write, or whose form is not free. */
const avoided = new Set(['observedGeneration', 'conditions', 'selector', 'labelSelector']);

/** Returns two values of a status that differ in one member; undefined if its schema has no member to write. */
function statusValues(located: Located): readonly [JsonObject, JsonObject] | undefined {
  const schema = resolved(located);
  const required = objectOf(smallest(located));
  for (const name of Object.keys(objectOf(schema.properties)).filter((one) => !avoided.has(one))) {
    const [first, second] = scalarsAt(located, name);
    if (first !== undefined && second !== undefined)
      return [
        { ...required, [name]: first },
        { ...required, [name]: second },
      ];
  }
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  return isOpen ? [{ note: 'written' }, { note: 'by a write of the object' }] : undefined;
}

/** Returns a spec that differs from the sample in one scalar; undefined if the schema has no member for it. */
function otherValue(located: Located, sample: JsonObject): JsonObject | undefined {
  for (const name of Object.keys(objectOf(resolved(located).properties))) {
    const other = scalarsAt(located, name).find((value) => value !== sample[name]);
    if (other !== undefined) return { [name]: other };
  }
  return undefined;
}

function scalarsAt(located: Located, name: string): readonly Json[] {
  const member = propertyOf(located, name);
  if (member === undefined) return [];
  const type = resolved(member).type;
  if (type !== 'string' && type !== 'integer' && type !== 'boolean') return [];
  return candidates(member).filter((value) => value !== '' && value !== 0 && value !== false);
}

/** Stores an object, and finds out whether it may be changed. The clean-up of the run removes it. */
async function stored(
  client: Client,
  place: string,
  { name, body }: { readonly name: string; readonly body: JsonObject },
  traits: SampleTraits,
  { verbs }: FoundKind,
): Promise<SampleTraits> {
  const headers = { 'content-type': 'application/json' };
  const reply = await client.send({ method: 'POST', path: place, headers, body: JSON.stringify(body) });
  const object = reply.tryValue();
  if (reply.status < 200 || reply.status > 299 || !isObject(object)) return { blocked: wordsOf(reply) };
  if (!verbs.includes('replace')) return traits;
  const path = `${place}/${name}?dryRun=All`;
  const changed = JSON.stringify(merge(object, { metadata: { labels: { 'kube-api-conformance/changed': 'yes' } } }));
  const put = await client.send({ method: 'PUT', path, headers, body: changed });
  return isImmutable(put) ? { ...traits, immutable: wordsOf(put) } : traits;
}

/** Reports whether a server says that an object of this kind cannot be changed, and not that the request was wrong. */
const isImmutable = (reply: Reply): boolean =>
  (reply.status === 422 || reply.status === 403) &&
  /immutable|may not be (changed|updated)|cannot be (changed|updated)/i.test(wordsOf(reply));
