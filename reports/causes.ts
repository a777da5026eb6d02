// Why a case failed, as far as the answer that decided it tells: what one change of the server would settle together.
import { isFailure, type JudgedCase } from './counts.js';
import { unexplained } from './deviations.js';
import { firstLine } from './render/visible.js';

/** A cause of failures. */
export interface Cause {
  /** The same for all failures that have this cause. */
  readonly key: string;
  /** One sentence: what the server does, or that somebody has to find it out. */
  readonly reason: string;
  /** Whether the same cause in another requirement is the same cause. */
  readonly shared: boolean;
}

/** What an answer shows by itself, in the order in which it is looked for. */
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

/** The cause of a failure. */
export function causeOf({ requirement, message = 'no message' }: JudgedCase): Cause {
  const known = shown.find(({ pattern }) => pattern.test(message));
  if (known !== undefined) return { key: known.name, reason: known.reason, shared: true };
  const said = firstLine(message, 160).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  return {
    key: `${requirement.id}: ${shapeOf(said)}`,
    reason: `${unexplained}: ${said}`,
    shared: false,
  };
}

/** The message of a failure without what is another in every case: paths, names of the run, numbers, texts. */
function shapeOf(message: string): string {
  return message
    .replace(/\b(?:GET|POST|PUT|PATCH|DELETE) \S+/g, '…')
    .replace(/\bkac-[\w-]+/g, '…')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\d+/g, '0');
}

/** Failures by their cause, in the order in which each cause is first seen. */
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
