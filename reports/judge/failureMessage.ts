// What the message of a failure says: the difference, the exchange that shows it, and an example for readers.
import { defined } from '../../matrix/api/index.js';
import type { Exchange } from '../../suites/requirements/index.js';
import { visible } from '../safeText.js';
import type { JudgedCase } from './counts.js';

/** The expected and the actual value in a message. */
export interface ValueDifference {
  readonly what: string;
  /** The path in the body, if the message names one: `spec.replicas`. */
  readonly path?: string;
  readonly expected: string;
  readonly got: string;
}

/** Returns a message that compares a status without the body that came with it, which the exchange shows whole. */
export function withoutBody(message: string): string {
  return message.replace(/(expected .+, (?:but )?got \d{3}) "?(?:[{[]|apiVersion\b|kind\b|k8s).*$/s, '$1');
}

/** Parses `<what>: expected A, got B` and `<what>: <path> is B, not A`. */
export function differenceOf(message: string): ValueDifference | undefined {
  const wanted = /^(?:(.*?): )?expected (.+?), (?:but )?got (.+)$/s.exec(withoutBody(message));
  if (wanted) {
    const [, what = '', expected = '', got = ''] = wanted;
    const path = pathIn(what);
    return { what, expected, got, ...defined({ path }) };
  }
  const held = /^(?:(.*): )?(\S+) is (.+), not (.+)$/s.exec(message);
  if (!held) return undefined;
  const [, what = '', path = '', got = '', expected = ''] = held;
  return { what, expected, got, ...(path !== '(body)' && { path }) };
}

/** Returns the field at the end of a phrase: `…: reason of the Status`, `…: spec.replicas`. */
function pathIn(what: string): string | undefined {
  const ofStatus = /\b(reason|code|message|status|kind) of the Status$/.exec(what);
  if (ofStatus) return ofStatus[1];
  return /(?:^|[\s:])([A-Za-z]\w*(?:\.\w+|\[\d+\])+|kind|apiVersion|metadata)$/.exec(what)?.[1];
}

/**
 * Returns the exchange that decided a case: the last exchange with the longest address in the message, or the last
 * exchange of all.
 */
export function decidingExchange({
  message = '',
  exchanges,
}: Pick<JudgedCase, 'message' | 'exchanges'>): Exchange | undefined {
  const named = exchanges
    .filter(({ request }) => names(message, pathOf(request.url)))
    .map((exchange) => ({ exchange, weight: weightOf(message, exchange) }));
  const most = Math.max(...named.map(({ weight }) => weight));
  return named.findLast(({ weight }) => weight === most)?.exchange ?? exchanges.at(-1);
}

/** Reports whether a message names an address. A longer address belongs to another request. */
function names(message: string, path: string): boolean {
  const [, ...after] = message.split(path);
  return after.some((rest) => !/^[\w/?&-]/.test(rest));
}

/**
 * Returns the rank of an exchange. The longer address wins, because the address of an object contains that of its
 * collection; then the method counts.
 */
function weightOf(message: string, { request }: Exchange): number {
  const path = pathOf(request.url);
  return path.length + (message.includes(`${request.method} ${path}`) ? 0.5 : 0);
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, '');
}

/** Returns a message without the parts that differ between cases: addresses, names of the run, texts, numbers. */
export function messageShape(message: string): string {
  return message
    .replace(/\b(?:GET|POST|PUT|PATCH|DELETE) \S+/g, '…')
    .replace(/\bkac-[\w-]+/g, '…')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/(?<!\bgot )\b\d+/g, '0');
}

/** A value with its differing part; `before` and `after` are equal in the other value. */
export interface MarkedText {
  readonly before: string;
  readonly differs: string;
  readonly after: string;
}

export interface Example {
  readonly subject: string;
  /** The subject of the comparison, such as a request and a field; the whole message if nothing is compared. */
  readonly what: string;
  /** Absent if the message compares nothing. */
  readonly compared?: { readonly expected: MarkedText; readonly got: MarkedText };
}

/** The maximum number of characters: of the equal text on each side of a difference, the difference, the subject. */
const kept = { around: 24, differing: 80, what: 240 } as const;

export function exampleOf(subject: string, message = 'no message'): Example {
  const difference = differenceOf(plain(message));
  if (difference === undefined) {
    const [line = ''] = message.trim().split('\n', 1);
    return { subject: oneLine(plain(subject)), what: cut(oneLine(plain(line)), kept.what) };
  }
  const { what, path, expected, got } = difference;
  const where = path === undefined || what.includes(path) ? what : [what, path].filter(Boolean).join(' ');
  const [wanted, came] = markDifference(oneLine(expected), oneLine(got));
  return {
    subject: oneLine(plain(subject)),
    what: cut(oneLine(where), kept.what),
    compared: {
      expected: cutAround(wanted, kept.around, kept.differing),
      got: cutAround(came, kept.around, kept.differing),
    },
  };
}

/** Returns the example as one line of text; `mark` marks the difference. */
export function exampleText({ what, compared }: Example, mark = (text: string): string => text): string {
  if (compared === undefined) return what;
  const { expected, got } = compared;
  const side = ({ before, differs, after }: MarkedText): string => before + (differs && mark(differs)) + after;
  return `${what === '' ? '' : `${what}: `}expected ${side(expected)}, got ${side(got)}`;
}

/** Returns the text with decoded addresses, and with the names of the run without the run's id. */
export function plain(text: string): string {
  return withoutQueryTwice(visible(text.trim()).replace(/%[0-9A-F]{2}(?:%[0-9A-F]{2})*/gi, decoded)).replace(
    /\bkac-[a-f][0-9a-f]{5}-(?:w\d+[a-z]*(?:x\d+)?-|trial[0-9a-f]{4}-)?/g,
    'kac-',
  );
}

function decoded(escapes: string): string {
  try {
    return visible(decodeURIComponent(escapes));
  } catch {
    return escapes;
  }
}

/** Removes a query that the message repeats after the address. */
function withoutQueryTwice(text: string): string {
  return text.replace(/(\?\S.*?), (\{"[^{}]*"\})(?=:)/, (all, query: string, said: string) => {
    try {
      const values = Object.values(JSON.parse(said) as Record<string, unknown>);
      return values.every((value) => query.includes(String(value))) ? query : all;
    } catch {
      return all;
    }
  });
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Returns both texts with the differing part marked, in whole words. */
export function markDifference(expected: string, got: string): readonly [MarkedText, MarkedText] {
  const [a, b] = [wordsIn(expected), wordsIn(got)];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const parts = (words: readonly string[]): MarkedText => {
    const differs = words.slice(start, words.length - end).join('');
    const [blank = ''] = /^\s+/.exec(differs) ?? [];
    return {
      before: words.slice(0, start).join('') + blank,
      differs: differs.slice(blank.length),
      after: words.slice(words.length - end).join(''),
    };
  };
  return [parts(a), parts(b)];
}

const wordsIn = (text: string): string[] => text.match(/[\w.\-/]+|\s+|[^\w\s]/gu) ?? [];

/** Returns the text, cut around a difference. The limits are in characters. */
export function cutAround({ before, differs, after }: MarkedText, around: number, differing: number): MarkedText {
  return {
    before: before.length > around + 1 ? `…${before.slice(-around)}` : before,
    differs: cut(differs, differing),
    after: after.length > around + 1 ? `${after.slice(0, around)}…` : after,
  };
}

const cut = (text: string, limit: number): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);
