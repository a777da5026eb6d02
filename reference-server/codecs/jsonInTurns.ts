// Reads a long JSON text in turns: it is cut at its commas into short pieces, which are parsed as they are found.
import { Turns } from '../turns.js';
import { type Fault, JsonScanner, type Listener } from './jsonScanner.js';

/** About how many characters are looked at, or parsed, together. */
const pieceLength = 16 * 1024;

/** What a text says, as JSON.parse reads it, or the fault that `findJsonFault` finds in it. */
export type Read = { readonly value: unknown } | { readonly fault: Fault };

/** Reads a text; others are served meanwhile. */
export async function readJsonInTurns(text: string): Promise<Read> {
  const turns = new Turns();
  const pieces = new Pieces(text);
  const scanner = new JsonScanner(text, pieces);
  for (let until = pieceLength; !scanner.isOver; until += pieceLength) {
    const fault = scanner.scan(until);
    if (fault !== undefined) return { fault };
    if (turns.isOver) await turns.next();
  }
  return { value: pieces.value };
}

/** A list or an object that has not ended yet. */
interface Open {
  readonly isArray: boolean;
  /** Where its bracket is. */
  readonly start: number;
  /** Where what is not parsed yet begins, and the member that is being read: after the bracket, or after a comma. */
  from: number;
  member: number;
  /** Whether that member is in `value` already. */
  isPut: boolean;
  /** What has been parsed of it; nothing while it may still be parsed as a part of what it is in. */
  value: unknown[] | Record<string, unknown> | undefined;
}

/** Puts a value together from the pieces of its text. What is short is parsed with what is around it. */
class Pieces implements Listener {
  readonly #open: Open[] = [];
  #whole: unknown;

  constructor(readonly text: string) {}

  /** What the text says, when all of it has been heard. */
  get value(): unknown {
    return this.#whole === undefined ? JSON.parse(this.text) : this.#whole;
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

  /** Puts a value that has ended into the one that it is in, after the members before it. */
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

  /** Parses the members that are not parsed yet, as far as an index. No key is "__proto__": the scanner refuses it. */
  #parse(into: Open, to: number): void {
    const text = this.text.slice(into.from, to);
    if (into.isArray) {
      into.value ??= [];
      for (const item of JSON.parse(`[${text}]`)) (into.value as unknown[]).push(item);
    } else {
      into.value ??= {};
      Object.assign(into.value, JSON.parse(`{${text}}`));
    }
  }
}
