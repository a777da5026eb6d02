// Finds in the evidence the parts that the message of a failure names, so that a reader need not search for them.
import { defined } from '../../../matrix/api/index.js';
import type { Exchange } from '../../../suites/requirements/index.js';

/** The expected and the actual value in a message. */
export interface Difference {
  readonly what: string;
  /** The path in the body, if the message names one: `spec.replicas`. */
  readonly path?: string;
  readonly expected: string;
  readonly got: string;
}

/** Parses `<what>: expected A, got B` and `<what>: <path> is B, not A`. */
export function differenceOf(message: string): Difference | undefined {
  const wanted = /^(?:(.*?): )?expected (.+?), (?:but )?got (.+)$/s.exec(message);
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

/** The parts of an exchange to mark. */
export interface Marks {
  readonly status: boolean;
  /** The names of response headers, in lower case. */
  readonly headers: ReadonlySet<string>;
  /** The path of a line in the body; if the line is absent, the nearest ancestor is marked. */
  readonly path?: string;
  /** A text to search for if no path is known. */
  readonly value?: string;
}

export const noMarks: Marks = { status: false, headers: new Set() };

/**
 * Returns the exchange that a message names: the last exchange with the longest address in the message, or the last
 * exchange of all.
 */
export function namedExchange(message: string, exchanges: readonly Exchange[]): Exchange | undefined {
  const named = exchanges
    .filter(({ request }) => message.includes(pathOf(request.url)))
    .map((exchange) => ({ exchange, weight: weightOf(message, exchange) }));
  const most = Math.max(...named.map(({ weight }) => weight));
  return named.findLast(({ weight }) => weight === most)?.exchange ?? exchanges.at(-1);
}

/**
 * Returns the rank of an exchange. The longer address wins, because the address of an object contains that of its
 * collection; then the method counts.
 */
function weightOf(message: string, { request }: Exchange): number {
  const path = pathOf(request.url);
  return path.length + (message.includes(`${request.method} ${path}`) ? 0.5 : 0);
}

/** Returns the parts of a response that the message names. */
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

/** Returns the field at the end of a phrase: `…: reason of the Status`, `…: spec.replicas`. */
function pathIn(what: string): string | undefined {
  const ofStatus = /\b(reason|code|message|status|kind) of the Status$/.exec(what);
  if (ofStatus) return ofStatus[1];
  return /(?:^|[\s:])([A-Za-z]\w*(?:\.\w+|\[\d+\])+|kind|apiVersion|metadata)$/.exec(what)?.[1];
}
