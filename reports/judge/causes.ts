// The cause of a failed case, as far as the deciding response shows it. One change of the server would fix all failures
// of a cause.

import { firstLine } from '../safeText.js';
import { isFailure, type JudgedCase } from './counts.js';
import { unexplained } from './deviations.js';
import { differenceOf, exampleOf, exampleText, messageShape } from './failureMessage.js';

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

export function causeOf({ requirement, subject, verdict, message = 'no message' }: JudgedCase): Cause {
  const known = shown.find(({ pattern }) => pattern.test(message));
  if (known !== undefined) return { key: known.name, reason: known.reason, shared: true };
  const said = firstLine(exampleText(exampleOf(subject, message)), 200).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
  const reason = `${unexplained}: ${said}`;
  const broken = serverErrorOf(message);
  if (broken !== undefined) return { key: broken, reason, shared: true };
  if (verdict === 'blocked') return { key: `blocked: ${shapeOf(said)}`, reason, shared: true };
  const symptom = symptomOf(message);
  if (symptom !== undefined) return { key: symptom, reason, shared: true };
  return { key: `${requirement.id}: ${shapeOf(said)}`, reason, shared: false };
}

/**
 * Returns a server error in a message with what it says, whichever request it answered, and whether a check or a
 * prerequisite met it: `500 "limitranges are broken"`. Undefined if there is none.
 */
export function serverErrorOf(message: string): string | undefined {
  const [, status, said = ''] = /\b(?:got|answered) (5\d\d)\b(.*)/s.exec(message) ?? [];
  return status && `${status} ${shapeOf(firstLine(said.trim(), 60))}`;
}

const shapeOf = (text: string): string => messageShape(text.replaceAll('\\"', "'")).replace(/\d+/g, '0');

/** The kind and the name of an object at the start of what a Status says. */
const objectNamed = /^\s*"?[\w.]+ '[^']*'/;

/** Returns a path without the keys of maps, which the suite chose: `data`, `metadata.labels`. */
function fieldOf(path: string): string {
  const [first = '', second = ''] = path.split('.');
  if (/^(?:data|binaryData|stringData)$/i.test(first)) return first;
  return /^(?:labels|annotations)$/i.test(second) ? `${first}.${second}` : path;
}

/**
 * Returns what is wrong with a response, without where it was seen: the field and what it is instead, or the status of a
 * method. Requirements that see the same wrong thing fail for the same cause. Undefined if the message does not say it.
 */
function symptomOf(message: string): string | undefined {
  const difference = differenceOf(message);
  if (difference === undefined) return undefined;
  const { what, path, expected, got } = difference;
  if (path !== undefined) {
    const field = shapeOf(fieldOf(path));
    const isAbsence = /^absent\b/.test(got);
    return isAbsence
      ? `${field} is absent`
      : `${field} is ${shapeOf(firstLine(got, 80))}, not ${shapeOf(firstLine(expected, 80))}`;
  }
  const [method] = /\b(?:GET|POST|PUT|PATCH|DELETE)\b/.exec(what) ?? [];
  const [status] = /^\d{3}\b/.exec(got) ?? [];
  if (method === undefined || status === undefined) return undefined;
  // `ConfigMap "a" is invalid: …` and `Endpoints "b" is invalid: …` are one cause.
  const said = got.slice(status.length).replaceAll('\\"', "'").replace(objectNamed, 'object');
  return `${method}: ${status} ${shapeOf(firstLine(said, 60))}, not ${firstLine(expected, 40)}`;
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
