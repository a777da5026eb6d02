// Samples of kinds: the fields of a valid object, from the user's files or from the schema and the words of the server.
import { defined, type FoundKind } from '../../../matrix/api/index.js';
import type { Client } from '../../client/client.js';
import { Prerequisite } from '../../client/expect.js';
import { at, isObject, type JsonObject, merge } from '../../client/json.js';
import { NoAnswer, type Reply } from '../../client/reply.js';
import { conflicts, type Sandbox } from '../sandbox.js';
import { type Marks, otherSpecOf, statusPairs } from './marks.js';
import { type Attempt, acceptedSample, refusalText, type Trial } from './repair.js';
import { type Located, objectOf, propertyOf } from './schemas.js';
import { smallest } from './values.js';
import { wellKnown, withNamespace } from './wellKnown.js';

/** An object of a kind that a user gives. */
export interface UserSample {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly fields: JsonObject;
}

type SampleTraits = Pick<FoundKind, 'sample' | 'sampleIn' | 'blocked' | 'immutable'> & Marks;

/** The fields that the suite writes itself. */
const own = new Set(['apiVersion', 'kind', 'metadata', 'status']);
const headers = { 'content-type': 'application/json' };
/** The number of pairs of a status that are tried. */
const mostPairs = 8;

/** A trial of one kind: where its objects are, and what is known of them. */
interface Asked {
  readonly sandbox: Sandbox;
  readonly row: FoundKind;
  readonly located: Located | undefined;
  readonly namespace: string | undefined;
  /** The path of a create. */
  readonly place: string;
}

/**
 * Makes a valid object of a kind on the target: first as dry runs, then one that is stored. `given`: the user's own
 * sample, which is not repaired.
 */
export async function sampleFor(
  sandbox: Sandbox,
  row: FoundKind,
  located: Located | undefined,
  given: UserSample | undefined,
): Promise<SampleTraits> {
  try {
    const namespace = row.namespaced ? await sandbox.namespace() : undefined;
    const asked = { sandbox, row, located, namespace, place: placeOf(row, namespace) };
    return await tried(asked, given?.fields);
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof Prerequisite) return { blocked: error.message };
    throw error;
  }
}

function placeOf({ group, version, plural }: FoundKind, namespace: string | undefined): string {
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === undefined ? `${prefix}/${plural}` : `${prefix}/namespaces/${namespace}/${plural}`;
}

async function tried(asked: Asked, given: JsonObject | undefined): Promise<SampleTraits> {
  const { sandbox, row, located, namespace, place } = asked;
  const isStored = row.verbs.includes('read');
  const known = given === undefined ? wellKnown(row) : undefined;
  const sampleIn = known?.fieldsIn;
  const local = sampleIn && namespace !== undefined ? withNamespace(sampleIn, namespace) : {};
  const bodyOf = (fields: JsonObject): JsonObject => bodyIn(asked, merge(fields, local));
  const trial: Trial = { client: sandbox.client, path: place, bodyOf, located };
  const starts = given === undefined ? startsOf(located, known?.fields) : [withoutStatus(given)];
  const made = await firstAccepted(trial, starts.flatMap(row.verbs.includes('readScale') ? counted(located) : alone));
  if ('refused' in made) return { blocked: made.refused };
  const { answer } = made;
  const fields = await settled(trial, made.fields, answer);
  const named = at(answer, 'metadata', 'name');
  if (isStored && typeof named === 'string' && !sandbox.isOwnName(named))
    return { blocked: `the server chooses the names of its objects: ${named}` };
  const sample = { sample: fields, ...(sampleIn && { sampleIn }) };
  if (!isStored) return sample;
  const otherSpec = otherSpecOf(located, fields);
  const body = bodyOf(fields);
  const path = `${place}/${String(at(body, 'metadata', 'name'))}`;
  const reply = await sandbox.client.send({ method: 'POST', path: place, headers, body: JSON.stringify(body) });
  const object = reply.tryValue();
  if (reply.status < 200 || reply.status > 299 || !isObject(object)) return { blocked: refusalText(reply) };
  const immutable = await whyImmutable(asked, path);
  return {
    ...sample,
    ...(otherSpec && { otherSpec }),
    ...(await statusOf(asked, path, given)),
    ...(immutable !== undefined && { immutable }),
  };
}

function bodyIn({ sandbox, row: { group, version, kind, verbs }, namespace }: Asked, fields: JsonObject): JsonObject {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const place = defined({ namespace });
  const own = { name: sandbox.name(), ...place, labels: sandbox.labels() };
  // A review has no name and no labels.
  return { apiVersion, kind, metadata: verbs.includes('read') ? own : place, ...fields };
}

const withoutStatus = ({ status: _, ...fields }: JsonObject): JsonObject => fields;

async function firstAccepted(trial: Trial, starts: readonly JsonObject[]) {
  let first: Attempt | undefined;
  for (const fields of starts) {
    const attempt = await acceptedSample(trial, fields);
    if ('fields' in attempt) return attempt;
    first ??= attempt;
  }
  return first ?? { refused: 'there is no schema' };
}

/** Returns the fields without the empty lists that the server shows as absent, if it accepts them so. */
async function settled(trial: Trial, fields: JsonObject, answer: JsonObject): Promise<JsonObject> {
  const fewer = withoutEmpty(fields, answer);
  if (JSON.stringify(fewer) === JSON.stringify(fields)) return fields;
  const again = await acceptedSample(trial, fewer);
  return 'fields' in again ? fewer : fields;
}

/** Returns an object without the empty lists that are null or absent in another one. */
function withoutEmpty(fields: JsonObject, shown: JsonObject): JsonObject {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, typeof value][] => {
    const other = shown[name];
    if (Array.isArray(value) && value.length === 0 && !Array.isArray(other)) return [];
    return [[name, isObject(value) && isObject(other) ? withoutEmpty(value, other) : value]];
  });
  return Object.fromEntries(entries);
}

/** Returns the fields to begin with: what is required, first with a spec even if the schema does not require one. */
function startsOf(located: Located | undefined, known: JsonObject | undefined): JsonObject[] {
  if (known !== undefined) return [known];
  if (located === undefined) return [{}, { spec: {} }];
  const whole = smallest(located);
  const required = Object.fromEntries(Object.entries(objectOf(whole)).filter(([name]) => !own.has(name)));
  const spec = propertyOf(located, 'spec');
  if ('spec' in required || spec === undefined) return [required];
  return [{ ...required, spec: smallest(spec) }, required];
}

/**
 * Makes a function that puts another object before one without `spec.replicas`: the same with replicas. A scale shows
 * their number, and a correct server fails to show one that is absent.
 */
function counted(located: Located | undefined): (fields: JsonObject) => JsonObject[] {
  const spec = located && propertyOf(located, 'spec');
  const replicas = spec && propertyOf(spec, 'replicas');
  if (replicas === undefined) return alone;
  return (fields) => {
    const isCounted = at(fields, 'spec', 'replicas') !== undefined;
    return isCounted ? [fields] : [merge(fields, { spec: { replicas: smallest(replicas) } }), fields];
  };
}

const alone = (fields: JsonObject): JsonObject[] => [fields];

/** Returns the server's words if it says that objects of the kind cannot be changed; undefined if they can. */
async function whyImmutable({ sandbox, row }: Asked, path: string): Promise<string | undefined> {
  if (!row.verbs.includes('replace')) return undefined;
  const change = { metadata: { labels: { 'kube-api-conformance/changed': 'yes' } } };
  const reply = await tryOut(sandbox.client, path, '', change);
  const isRefused = reply.status === 422 || reply.status === 403;
  const isMeant = /immutable|(may not|cannot|must not) be (changed|updated)/i.test(refusalText(reply));
  return isRefused && isMeant ? refusalText(reply) : undefined;
}

/**
 * Returns a status to write, and another one: the user's, or the first of the schema that the server does not call
 * invalid.
 */
async function statusOf({ sandbox, row, located }: Asked, path: string, given: JsonObject | undefined): Promise<Marks> {
  if (!row.verbs.includes('replaceStatus')) return {};
  const pairs = statusPairs(located);
  if (isObject(given?.status)) return { status: given.status, ...(pairs[0] && { otherStatus: pairs[0][1] }) };
  for (const [status, otherStatus] of pairs.slice(0, mostPairs)) {
    const reply = await tryOut(sandbox.client, path, '/status', { status });
    const shown = at(reply.tryValue(), 'status');
    const kept = isObject(shown) ? withoutEmpty(status, shown) : status;
    if (reply.status !== 422) return { status: kept, otherStatus };
  }
  return {};
}

/** Replaces the current object with a change of it, as a dry run. Tries again after a conflict with a controller. */
async function tryOut(client: Client, path: string, subresource: string, change: JsonObject): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const now = (await client.send({ method: 'GET', path })).tryValue();
    const body = JSON.stringify(merge(isObject(now) ? now : {}, change));
    const reply = await client.send({ method: 'PUT', path: `${path}${subresource}?dryRun=All`, headers, body });
    if (reply.status !== 409 || attempt === conflicts) return reply;
  }
}
