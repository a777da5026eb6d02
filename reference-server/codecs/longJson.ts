// Parses long JSON in steps: the text is cut at commas into short pieces, which `parseJson` reads.
import { parseJson } from '../exactJson.js';
import type { Steps } from '../turns.js';
import type { RepeatedFields } from './fieldPaths.js';
import { type Fault, JsonScanner, type ScanListener } from './jsonScanner.js';

/** The approximate length of a piece, in characters. */
const pieceLength = 16 * 1024;

/** The parsed value, or the fault that `JsonScanner` finds. */
export type ParsedJson = { readonly value: unknown } | { readonly fault: Fault };

/** Parses a text. Collects repeated keys as `JsonScanner` does. */
export function* parseLongJson(text: string, duplicates?: RepeatedFields): Steps<ParsedJson> {
  const pieces = new Pieces(text);
  const scanner = new JsonScanner(text, pieces, duplicates);
  for (let until = pieceLength; !scanner.isOver; until += pieceLength) {
    const fault = scanner.scan(until);
    if (fault !== undefined) return { fault };
    yield;
  }
  return { value: pieces.value };
}

/** A list or an object whose end is not read yet. */
interface Open {
  readonly isArray: boolean;
  /** The index of its bracket. */
  readonly start: number;
  /** The start of the unparsed text, and the start of the current member: after the bracket or a comma. */
  from: number;
  member: number;
  /** Whether the current member is already in `value`. */
  isPut: boolean;
  /** The parsed members; undefined while the container may still be parsed together with its parent. */
  value: unknown[] | Record<string, unknown> | undefined;
}

/** Builds a value from the pieces of its text. Short containers are parsed together with their parents. */
class Pieces implements ScanListener {
  readonly #open: Open[] = [];
  #whole: unknown;

  constructor(readonly text: string) {}

  /** The value. Valid after the whole text is scanned. */
  get value(): unknown {
    return this.#whole === undefined ? parseJson(this.text) : this.#whole;
  }

  opened(start: number, isArray: boolean): void {
    this.#open.push({ isArray, start, from: start + 1, member: start + 1, isPut: false, value: undefined });
  }

  comma(at: number): void {
    const inner = this.#open[this.#open.length - 1] as Open;
    if (inner.isPut || at - inner.from >= pieceLength) {
      if (!inner.isPut) this.#parse(inner, at);
      inner.isPut = false;
      inner.from = at + 1;
    }
    inner.member = at + 1;
  }

  closed(at: number): void {
    const inner = this.#open.pop() as Open;
    if (inner.value === undefined) return;
    if (!inner.isPut) this.#parse(inner, at);
    const outer = this.#open[this.#open.length - 1];
    if (outer === undefined) this.#whole = inner.value;
    else this.#put(outer, inner);
  }

  /** Adds a completed value to its parent, after the earlier members. */
  #put(outer: Open, { start, value }: Open): void {
    if (outer.from < outer.member) this.#parse(outer, outer.member - 1);
    outer.value ??= outer.isArray ? [] : {};
    outer.isPut = true;
    if (Array.isArray(outer.value)) {
      outer.value.push(value);
      return;
    }
    const key = this.text.slice(outer.member, start);
    outer.value[JSON.parse(key.slice(0, key.lastIndexOf(':')))] = value;
  }

  /** Parses the unparsed members up to an index. No key is "__proto__": the scanner refuses it. */
  #parse(into: Open, to: number): void {
    const text = this.text.slice(into.from, to);
    if (into.isArray) {
      into.value ??= [];
      for (const item of parseJson(`[${text}]`) as unknown[]) (into.value as unknown[]).push(item);
    } else {
      into.value ??= {};
      Object.assign(into.value, parseJson(`{${text}}`));
    }
  }
}
