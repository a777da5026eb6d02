// Finds messages of failures whose two values are swapped.
import { differenceOf } from '../../reports/judge/failureMessage.js';
import type { CaseResult, Exchange } from '../../suites/requirements/index.js';

/** Returns a value as it is in a body: without the quotes around it, and without the sign that it was cut. */
const bare = (value: string): string => value.replace(/…$/, '').replace(/^"([\s\S]*)"$/, '$1');

/** Returns what was sent or answered as text, without the sizes of the bodies, which a count may equal. */
const textOf = (value: unknown): string =>
  JSON.stringify(value ?? {})
    .replaceAll('\\"', '"')
    .replace(/"bytes":\d+/g, '');

/** Reports whether a text has a value; a number only if it is not a part of a name or of a longer number. */
const has = (text: string, value: string): boolean =>
  /^\d+$/.test(value) ? new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text) : text.includes(value);

/**
 * Returns the messages that name as `got` what only the suite sent, and as `expected` what the server answered: a
 * check has swapped them. `exchanges` are those of the results.
 */
export function swappedIn(results: readonly CaseResult[], exchanges: readonly Exchange[]): string[] {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return results.flatMap(({ id, message, exchanges: ids }) => {
    const difference = message === undefined ? undefined : differenceOf(message);
    if (difference === undefined) return [];
    const own = ids.flatMap((each) => byId.get(each) ?? []);
    const sent = own.map(({ request }) => textOf(request)).join('\n');
    const answered = own.map(({ response, events, frames }) => textOf([response, events, frames])).join('\n');
    const [expected, got] = [bare(difference.expected), bare(difference.got)];
    const isSwapped = got !== '' && has(sent, got) && !has(answered, got) && has(answered, expected);
    return isSwapped ? [`${id}: ${message}`] : [];
  });
}
