// Encodes long JSON in pieces, so that the server can handle other requests between two pieces.
import { jsonText } from '../exactJson.js';

/** The approximate length of a piece, in characters. */
const pieceLength = 16 * 1024;
/** An object or array is short if it has at most this many members, all of them scalars. */
const fewMembers = 16;
/** The most scalars and short members of an array that are encoded in one step. */
const longestRun = 256;

/** A container whose end is not written yet. */
interface Open {
  readonly value: object;
  /** The names of an object's fields; undefined for an array. */
  readonly names: readonly string[] | undefined;
  /** The index of the next member. */
  next: number;
  /** Whether a member is already written. */
  hasMembers: boolean;
}

/** Yields the compact JSON of a value of JSON types: together what `jsonText` returns. */
export function* jsonPieces(value: object): Generator<string> {
  const open: Open[] = [];
  let text = '';
  const begin = (value: object, names = namesOf(value)): void => {
    open.push({ value, names, next: 0, hasMembers: false });
    text += names === undefined ? '[' : '{';
  };
  begin(value);
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { value, names, next } = inner;
    const comma = inner.hasMembers ? ',' : '';
    if (next === (names ?? (value as unknown[])).length) {
      text += names === undefined ? ']' : '}';
      open.pop();
    } else if (names === undefined) {
      const items = value as readonly unknown[];
      const end = endOfRun(items, next);
      inner.next = Math.max(end, next + 1);
      inner.hasMembers = true;
      text += comma;
      if (end > next) text += jsonText(items.slice(next, end)).slice(1, -1);
      else begin(items[next] as object);
    } else {
      const name = names[next] as string;
      const member = (value as Readonly<Record<string, unknown>>)[name];
      inner.next += 1;
      if (member === undefined) continue;
      inner.hasMembers = true;
      text += `${comma}${JSON.stringify(name)}:`;
      // With 100,000 fields, listing the names takes 10 ms, so it is done once.
      const inMember = namesOf(member);
      if (isShort(member, inMember)) text += jsonText(member);
      else begin(member as object, inMember);
    }
    if (text.length >= pieceLength) {
      yield text;
      text = '';
    }
  }
  yield text;
}

/** Returns the names of an object's fields; undefined for an array or a scalar. */
const namesOf = (value: unknown): readonly string[] | undefined =>
  isScalar(value) || Array.isArray(value) ? undefined : Object.keys(value as object);

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** Returns the index after the members from `start` that are encoded in one step. */
function endOfRun(items: readonly unknown[], start: number): number {
  const most = Math.min(items.length, start + longestRun);
  let end = start;
  while (end < most && isShort(items[end], namesOf(items[end]))) end += 1;
  return end;
}

/** Reports whether a value is encoded in one step: a scalar, or a container with few members and no container in it. */
function isShort(value: unknown, names: readonly string[] | undefined): boolean {
  if (isScalar(value)) return true;
  const { length } = names ?? (value as readonly unknown[]);
  return length <= fewMembers && Object.values(value as object).every(isScalar);
}
