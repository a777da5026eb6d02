// A valid object of a kind: from its schema, repaired by what the server says about it.
import type { Client } from '../../client/client.js';
import { at, isObject, type Json, type JsonObject } from '../../client/json.js';
import { NoAnswer, type Reply } from '../../client/reply.js';
import { itemOf, type Located, listOf, propertyOf, resolveReference } from './schemas.js';
import { candidates } from './values.js';

/** The number of times that an object is repaired. */
const rounds = 12;

/** The object that a server accepted, or the words of its refusal. */
export type Attempt = { readonly fields: JsonObject; readonly answer: JsonObject } | { readonly refused: string };

/** What an attempt needs: the client, the path of the create, the whole body of the fields, and their schema. */
export interface Trial {
  readonly client: Client;
  readonly path: string;
  readonly bodyOf: (fields: JsonObject) => JsonObject;
  readonly located: Located | undefined;
}

/**
 * Sends fields as a dry run, and repairs them by the causes of a 422, up to some rounds. A refusal has the words about
 * the fields of the schema, and those about the last repair if these differ.
 */
export async function acceptedSample(trial: Trial, fields: JsonObject): Promise<Attempt> {
  const tried = new Map<string, number>();
  let first: string | undefined;
  let current = fields;
  for (let round = 0; ; round += 1) {
    const reply = await tryOut(trial, current);
    if (reply === undefined) return { refused: 'the server did not answer' };
    const answer = reply.tryValue();
    if (reply.status >= 200 && reply.status < 300 && isObject(answer)) return { fields: current, answer };
    const words = refusalText(reply);
    first ??= words;
    const repaired = round < rounds ? repair(current, causesOf(answer), trial.located, tried) : undefined;
    if (repaired === undefined || JSON.stringify(repaired) === JSON.stringify(current))
      return { refused: withoutName(first) === withoutName(words) ? words : `${first}; with other values: ${words}` };
    current = repaired;
  }
}

async function tryOut({ client, path, bodyOf }: Trial, fields: JsonObject): Promise<Reply | undefined> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(bodyOf(fields));
  return await client.send({ method: 'POST', path: `${path}?dryRun=All`, headers, body }).catch((error: unknown) => {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  });
}

/** Returns the words of a refusal without the name of the object, which each trial chooses anew. */
const withoutName = (words: string): string => words.replace(/"kac-[^"]*"/g, '""');

/** Returns the code and the message of a refusal in one line. */
export function refusalText(reply: Reply): string {
  const message = at(reply.tryValue(), 'message');
  return `${reply.status} ${typeof message === 'string' && message !== '' ? message : reply.excerpt()}`;
}

/** A cause of a refusal: the field and what is wrong with it. */
interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

function causesOf(answer: unknown): Cause[] {
  const causes = at(answer, 'details', 'causes');
  if (!Array.isArray(causes)) return [];
  return causes.filter(isObject).map(({ reason, field, message }) => ({
    reason: String(reason ?? ''),
    field: String(field ?? ''),
    message: String(message ?? ''),
  }));
}

type Step = string | number;

/** Returns fields with another value at each field that a cause names; undefined if no cause helps. */
function repair(
  fields: JsonObject,
  causes: readonly Cause[],
  located: Located | undefined,
  tried: Map<string, number>,
): JsonObject | undefined {
  let repaired: JsonObject | undefined;
  for (const cause of causes) {
    const steps = stepsOf(cause.field);
    const [first] = steps;
    if (first === undefined || ['metadata', 'apiVersion', 'kind'].includes(String(first))) continue;
    const base: JsonObject = repaired ?? fields;
    const now = at(base, ...steps);
    if (!isPlace(base, steps)) continue;
    const here = located && schemaAt(located, steps);
    const isFixed = located !== undefined && isRequired(located, steps);
    const values = valuesFor(cause, here, now).filter((value) => fits(value, here) && !(isFixed && value === remove));
    const count = tried.get(cause.field) ?? 0;
    const value = values[count];
    tried.set(cause.field, count + 1);
    if (value === undefined) continue;
    repaired = changed(base, steps, value === remove ? undefined : value) as JsonObject;
  }
  return repaired;
}

const remove = Symbol('remove');

/** Returns the values to try at a field, the most likely first. */
function valuesFor(
  cause: Cause,
  located: Located | undefined,
  now: Json | undefined,
): readonly (Json | typeof remove)[] {
  const { reason, message } = cause;
  const supported = /supported values: (.*)$/.exec(message)?.[1];
  if (supported !== undefined) {
    const listed = [...supported.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, value = '']) => value);
    if (listed.length > 0) return located === undefined ? listed : asDeclared(listed, located);
  }
  const known = located === undefined ? guesses(message) : candidates(located);
  const others = known.filter((value) => JSON.stringify(value) !== JSON.stringify(now));
  if (reason === 'FieldValueForbidden') return [remove];
  if (/unknown field/i.test(message)) return [remove];
  const lists = Array.isArray(now) && located !== undefined ? oneItem(located) : [];
  const objects = isObject(now) ? [withNumbers(now, 1), withNumbers(now, -1)] : [];
  return [...lists, ...others, ...objects, remove];
}

/** Returns an object whose numbers rise or fall in the order of its fields: rules often compare two of them. */
function withNumbers(object: JsonObject, step: 1 | -1): JsonObject {
  const numbers = Object.keys(object).filter((name) => typeof object[name] === 'number');
  const start = step === 1 ? 1 : numbers.length;
  return { ...object, ...Object.fromEntries(numbers.map((name, index) => [name, start + step * index])) };
}

/** Returns values that a server names as texts in the type that the schema declares. */
function asDeclared(texts: readonly string[], located: Located): readonly Json[] {
  const { type } = resolveReference(located);
  if (type === 'integer' || type === 'number') return texts.map(Number).filter((value) => !Number.isNaN(value));
  if (type === 'boolean') return texts.map((text) => text === 'true');
  if (type === 'array') return texts.map((text) => [text]);
  return texts;
}

/** Reports whether a value has the type that the schema declares; a schema without a type allows all. */
function fits(value: Json | typeof remove, located: Located | undefined): boolean {
  const declared = located && resolveReference(located);
  const type = declared?.type;
  if (value === remove || typeof type !== 'string' || declared?.['x-kubernetes-int-or-string'] === true) return true;
  if (Array.isArray(value)) return type === 'array';
  if (isObject(value)) return type === 'object';
  if (typeof value === 'number') return type === 'number' || (type === 'integer' && Number.isInteger(value));
  return value === null || typeof value === type;
}

/** Reports whether a path leads through objects and lists alone, so that a value at its end replaces no other. */
function isPlace(fields: JsonObject, steps: readonly Step[]): boolean {
  return steps.every((step, index) => {
    const holder = at(fields, ...steps.slice(0, index));
    if (holder === undefined || holder === null) return true;
    return typeof step === 'number' ? Array.isArray(holder) : isObject(holder);
  });
}

/** Reports whether the schema requires a field: an object without it has another fault. */
function isRequired(located: Located, steps: readonly Step[]): boolean {
  const holder = schemaAt(located, steps.slice(0, -1));
  return holder !== undefined && listOf(resolveReference(holder).required).includes(String(steps.at(-1)));
}

/** Returns lists of one item, for a list that must not be empty. */
function oneItem(located: Located): readonly Json[] {
  const item = itemOf(located);
  return item === undefined ? [] : candidates(item).map((value) => [value]);
}

/** Returns values for a field without a schema, by the words of its cause. */
function guesses(message: string): readonly Json[] {
  const type = /must be of type (\w+)/.exec(message)?.[1];
  const ofType: Readonly<Record<string, readonly Json[]>> = {
    integer: [1, 0, 80],
    number: [1, 0],
    boolean: [true, false],
    array: [[]],
    object: [{}],
  };
  return ofType[type ?? ''] ?? ['example', 1, {}, [], true];
}

/** Returns the steps of a field such as `spec.ports[0].name` or `spec.data[a.b]`. */
function stepsOf(field: string): Step[] {
  const steps: Step[] = [];
  for (const [, name, index] of field.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(/^\d+$/.test(index) ? Number(index) : index);
  }
  return steps;
}

function schemaAt(located: Located, steps: readonly Step[]): Located | undefined {
  return steps.reduce<Located | undefined>(
    (here, step) => here && (typeof step === 'number' ? itemOf(here) : propertyOf(here, step)),
    located,
  );
}

/** Returns a value with another value at a path; undefined removes it. Missing containers are made. */
function changed(value: Json | undefined, [step, ...rest]: readonly Step[], to: Json | undefined): Json | undefined {
  if (step === undefined) return to;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...(value as readonly Json[])] : [];
    const member = changed(list[step], rest, to);
    if (member === undefined) return list.filter((_, index) => index !== step);
    list[Math.min(step, list.length)] = member;
    return list;
  }
  const object = isObject(value) ? value : {};
  const member = changed(object[step], rest, to);
  if (member !== undefined) return { ...object, [step]: member };
  const { [step]: _, ...others } = object;
  return others;
}
