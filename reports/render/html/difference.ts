// Finds in the evidence what the message of a failure speaks of, so that a reader need not search for it.
import type { Exchange } from '../../../matrix/requirements/index.js';

/** What a message says was wanted and what came. */
export interface Difference {
  readonly what: string;
  /** The place in the body, where the message names one: `spec.replicas`. */
  readonly path?: string;
  readonly expected: string;
  readonly got: string;
}

/** Reads `<what>: expected A, got B` and `<what>: <path> is B, not A`. */
export function differenceOf(message: string): Difference | undefined {
  const wanted = /^(?:(.*?): )?expected (.+?), (?:but )?got (.+)$/s.exec(message);
  if (wanted) {
    const [, what = '', expected = '', got = ''] = wanted;
    const path = pathIn(what);
    return { what, expected, got, ...(path !== undefined && { path }) };
  }
  const held = /^(?:(.*): )?(\S+) is (.+), not (.+)$/s.exec(message);
  if (!held) return undefined;
  const [, what = '', path = '', got = '', expected = ''] = held;
  return { what, expected, got, ...(path !== '(body)' && { path }) };
}

/** What to mark in an exchange. */
export interface Marks {
  readonly status: boolean;
  /** The names of the response's headers, in lower case. */
  readonly headers: ReadonlySet<string>;
  /** The path of the body's line, or of the nearest one that is there. */
  readonly path?: string;
  /** A text to look for where no path is known. */
  readonly value?: string;
}

export const noMarks: Marks = { status: false, headers: new Set() };

/** The exchange that a message speaks of: the last of those whose address it names in full, or the last of all. */
export function namedExchange(message: string, exchanges: readonly Exchange[]): Exchange | undefined {
  const named = exchanges
    .filter(({ request }) => message.includes(pathOf(request.url)))
    .map((exchange) => ({ exchange, weight: weightOf(message, exchange) }));
  const most = Math.max(...named.map(({ weight }) => weight));
  return named.findLast(({ weight }) => weight === most)?.exchange ?? exchanges.at(-1);
}

/** The address of an object holds that of its collection: the longer one is meant, and the method decides. */
function weightOf(message: string, { request }: Exchange): number {
  const path = pathOf(request.url);
  return path.length + (message.includes(`${request.method} ${path}`) ? 0.5 : 0);
}

/** What the message names in an answer. */
export function marksOf(message: string, exchange: Exchange): Marks {
  const { response } = exchange;
  if (!response) return noMarks;
  const difference = differenceOf(message);
  const status = difference !== undefined && new RegExp(`^${response.status}\\b`).test(difference.got);
  const said = message.toLowerCase();
  const named = (name: string): boolean =>
    (name.includes('-') && said.includes(name)) || (name === 'content-type' && /media type|content type/.test(said));
  const headers = new Set(response.headers.map(([name]) => name.toLowerCase()).filter(named));
  if (difference?.path !== undefined) return { status, headers, path: difference.path };
  const value = difference?.got.replace(/^\d{3} /, '').replace(/^"|"$/g, '') ?? '';
  const useful = value.length >= 3 && value.length <= 200 && value !== 'absent';
  return { status, headers, ...(useful && { value }) };
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, '');
}

/** The field that a phrase ends with: `…: reason of the Status`, `…: spec.replicas`. */
function pathIn(what: string): string | undefined {
  const ofStatus = /\b(reason|code|message|status|kind) of the Status$/.exec(what);
  if (ofStatus) return ofStatus[1];
  return /(?:^|[\s:])([A-Za-z]\w*(?:\.\w+|\[\d+\])+|kind|apiVersion|metadata)$/.exec(what)?.[1];
}
