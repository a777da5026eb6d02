// The cause of a failed case, as far as the deciding response shows it. One change of the server would fix all failures
// of a cause.

import { firstLine } from '../safeText.js';
import { isFailure, type JudgedCase } from './counts.js';
import { unexplained } from './deviations.js';
import { messageShape } from './failureMessage.js';

export interface Cause {
  /** Equal for all failures with this cause. */
  readonly key: string;
  /** One sentence: the behaviour of the server, or that the cause is still unknown. */
  readonly reason: string;
  /** Whether failures of other requirements can have the same cause. */
  readonly shared: boolean;
}

/** The causes that a response shows by itself, in order of precedence. */
const shown: readonly {
  readonly name: string;
  readonly reason: string;
  readonly pattern: RegExp;
}[] = [
  {
    name: 'created',
    reason: 'a create answers 201, the document states 200',
    pattern: /expected 200[^,]*, got 201\b/,
  },
  {
    name: 'unsupported',
    reason: 'the server refuses what it no longer supports',
    pattern: /no longer supported|is not supported by this server/i,
  },
  {
    name: 'absent',
    reason: 'the server does not serve the path',
    pattern: /got 404 "?(?:the server could not find the requested resource|404 page not found)/,
  },
  {
    name: 'not-implemented',
    reason: 'the server does not have the method',
    pattern: /expected (?:200|success)[^,]*, got (?:405|501)\b/,
  },
  {
    name: 'server-error',
    reason: 'bad input is answered with a server error, where a client error is due',
    pattern: /expected (?:a client error|4\d\d)[^,]*, got 5\d\d\b/,
  },
];

export function causeOf({ requirement, message = 'no message' }: JudgedCase): Cause {
  const known = shown.find(({ pattern }) => pattern.test(message));
  if (known !== undefined) return { key: known.name, reason: known.reason, shared: true };
  const said = firstLine(message, 160).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return {
    key: `${requirement.id}: ${messageShape(said).replace(/\d+/g, '0')}`,
    reason: `${unexplained}: ${said}`,
    shared: false,
  };
}

/** Returns the failures by their cause, in the order in which the causes first occur. */
export function byCause(cases: readonly JudgedCase[]): Map<string, readonly [Cause, JudgedCase[]]> {
  const groups = new Map<string, readonly [Cause, JudgedCase[]]>();
  for (const judged of cases.filter(isFailure)) {
    const cause = causeOf(judged);
    const group = groups.get(cause.key) ?? [cause, []];
    group[1].push(judged);
    groups.set(cause.key, group);
  }
  return groups;
}
