// `fieldsV1`: the JSON form of a set of paths.
import { isRecord } from '../../schema/object.js';
import { type FieldSet, isEmpty, itself, setOf, sortedBranches } from './fieldSet.js';
import { isTurn, type Steps } from './owned.js';
import { normalStep } from './steps.js';

type Fields = { readonly [step: string]: Fields };

/** The sets of `fieldsV1` objects, which are never changed. */
const sets = new WeakMap<object, FieldSet>();

/** The `fieldsV1` objects of sets: most managers of an object stay the same. */
const fieldsBySet = new WeakMap<FieldSet, Fields>();

/** The `fieldsV1` objects by their texts: many objects have the same, and share one. */
const shared = new Map<string, Fields>();
const mostShared = 1000;
/** The most branches of a set whose `fieldsV1` may be shared. */
const mostBranches = 500;

/** Returns a set as `fieldsV1`. The result is shared, and must not be changed. */
export function* fieldsOfSet(set: FieldSet): Steps<Fields> {
  const known = fieldsBySet.get(set);
  if (known !== undefined) return known;
  const counter = { branches: 0 };
  const made = yield* makeFields(set, counter);
  const fields = counter.branches > mostBranches ? made : sharedFields(made);
  fieldsBySet.set(set, fields);
  if (!sets.has(fields)) sets.set(fields, set);
  return fields;
}

function sharedFields(fields: Fields): Fields {
  const text = JSON.stringify(fields);
  const known = shared.get(text);
  if (known !== undefined) return known;
  if (shared.size >= mostShared) shared.clear();
  shared.set(text, fields);
  return fields;
}

const noFields: Fields = {};

function* makeFields(set: FieldSet, counter: { branches: number }): Steps<Fields> {
  const fields: Record<string, Fields> = set.isMember ? { '.': noFields } : {};
  if (isTurn()) yield;
  for (const [step, branch] of sortedBranches(set)) {
    counter.branches += 1;
    if (isTurn()) yield;
    fields[step] = branch.branches.size === 0 ? noFields : yield* makeFields(branch, counter);
  }
  return fields;
}

/** Reads `fieldsV1`. Returns undefined if it is malformed. */
export function* setOfFields(fields: unknown): Steps<FieldSet | undefined> {
  if (!isRecord(fields)) return undefined;
  const known = sets.get(fields);
  if (known !== undefined) return known;
  const set = yield* readFields(fields);
  if (set !== undefined) sets.set(fields, set);
  return set;
}

function* readFields(fields: Readonly<Record<string, unknown>>): Steps<FieldSet | undefined> {
  const branches = new Map<string, FieldSet>();
  let isMember = false;
  if (isTurn()) yield;
  for (const step of Object.keys(fields)) {
    if (isTurn()) yield;
    const inner = fields[step];
    if (!isRecord(inner)) return undefined;
    if (step === '.') {
      isMember = true;
      continue;
    }
    const name = stepIn(step);
    if (name === undefined) return undefined;
    const branch = isBare(inner) ? itself : yield* readFields(inner);
    if (branch === undefined) return undefined;
    // A later kind of step is ignored.
    if (name !== '' && !isEmpty(branch)) branches.set(name, branch);
  }
  return setOf(isMember, branches);
}

function isBare(fields: Readonly<Record<string, unknown>>): boolean {
  for (const _step in fields) return false;
  return true;
}

/** Returns a step in its normal form, an empty text for one to ignore, and undefined for a malformed one. */
function stepIn(step: string): string | undefined {
  try {
    return normalStep(step) ?? '';
  } catch {
    return undefined;
  }
}
