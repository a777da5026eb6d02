// The failures of a run for human readers: one group for each failing requirement, the worst first.
import type { Requirement } from '../suites/requirements/index.js';
import { columnOf } from './columns.js';
import { groupBy, isFailure, type JudgedCase, plural } from './counts.js';
import { type Example, exampleOf } from './example.js';
import type { Verdict } from './verdict.js';

/** A requirement that fails. */
export interface FailureGroup {
  readonly requirement: Requirement;
  readonly failing: readonly JudgedCase[];
  /** The number of the requirement's cases with a verdict about the server. */
  readonly judged: number;
  /** Whether all failures were blocked: a prerequisite failed. */
  readonly blocked: boolean;
  /** Whether all failures are in the baseline. */
  readonly known: boolean;
  /** `37 of 37 operations`, or `cases` if the cases are not one for each operation. */
  readonly fraction: string;
  /** The kinds: `all 37 kinds`, `configmaps, secrets and 3 more`; empty if the cases have none. */
  readonly kinds: string;
  /** The verbs, in the same form. */
  readonly verbs: string;
  readonly example: Example;
}

/**
 * Returns the requirements that fail: required ones first, then by the share of their cases that fail. Requirements
 * whose failures are all blocked come after the others.
 */
export function failureGroups(cases: readonly JudgedCase[]): FailureGroup[] {
  return [...groupBy(cases, ({ requirement }) => requirement).values()].flatMap(groupOf).sort(byWeight);
}

/** Returns the failing requirements of a run. If the run could not run, cases without evidence do not count. */
export function groupsOfRun({ outcome, cases }: Pick<Verdict, 'outcome' | 'cases'>): FailureGroup[] {
  return failureGroups(outcome === 'could-not-run' ? cases.filter(({ missing }) => !missing) : cases);
}

function groupOf(members: readonly JudgedCase[]): FailureGroup[] {
  const failing = members.filter(isFailure);
  const [first] = failing;
  if (first === undefined) return [];
  const judged = members.filter(
    ({ verdict }) => isFailure({ verdict }) || verdict === 'passed' || verdict === 'known-deviation',
  );
  const typical = typicalOf(failing);
  return [
    {
      requirement: first.requirement,
      failing,
      judged: judged.length,
      blocked: failing.every(({ verdict, missing }) => verdict !== 'failed' || missing),
      known: failing.every(({ known }) => known),
      fraction: `${failing.length.toLocaleString('en-US')} of ${plural(judged.length, nounOf(judged))}`,
      kinds: some(failing.flatMap(kindOf), judged.flatMap(kindOf), 'kind'),
      verbs: some(failing.flatMap(verbOf), judged.flatMap(verbOf), 'verb'),
      example: exampleOf(typical.subject, typical.message),
    },
  ];
}

function byWeight(a: FailureGroup, b: FailureGroup): number {
  const rank = ({ requirement, blocked, known }: FailureGroup): number =>
    (requirement.row.level === 'required' ? 0 : 4) + (blocked ? 2 : 0) + (known ? 1 : 0);
  const share = ({ failing, judged }: FailureGroup): number => failing.length / judged;
  return rank(a) - rank(b) || share(b) - share(a) || b.failing.length - a.failing.length;
}

/** Returns the most typical failure: the first case with the most frequent message. */
function typicalOf(failing: readonly JudgedCase[]): JudgedCase {
  const withMessage = failing.filter(({ verdict, missing }) => verdict === 'failed' && !missing);
  const shapes = groupBy(withMessage.length > 0 ? withMessage : failing, ({ message = '' }) => shapeOf(message));
  const [most = []] = [...shapes.values()].sort((a, b) => b.length - a.length);
  return most[0] ?? (failing[0] as JudgedCase);
}

/** Returns a message without the parts that differ between cases: addresses, names of the run, texts, numbers. */
function shapeOf(message: string): string {
  return message
    .slice(0, 500)
    .replace(/\b(?:GET|POST|PUT|PATCH|DELETE) \S+/g, '…')
    .replace(/\bkac-[\w-]+/g, '…')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/(?<!\bgot )\b\d+/g, '0');
}

function nounOf(cases: readonly JudgedCase[]): string {
  const operations = new Set(cases.map(({ about }) => about?.operation?.id));
  return operations.size === cases.length && !operations.has(undefined) ? 'operation' : 'case';
}

const kindOf = ({ about }: JudgedCase): string[] => (about?.operation?.resource ? [about.resource] : []);

const verbOf = ({ about }: JudgedCase): string[] =>
  about?.operation && about.operation.verb !== 'discover' ? [columnOf(about.operation.verb)] : [];

/** Returns `all 37 kinds`, or two names and the number of the others. */
function some(failing: readonly string[], judged: readonly string[], noun: string): string {
  const [names, all] = [new Set(failing), new Set(judged)];
  if (names.size > 3 && names.size === all.size) return `all ${plural(names.size, noun)}`;
  const short = [...names].map((name) => name.replace(/^.*\//, ''));
  if (short.length <= 3) return short.join(', ');
  return `${short.slice(0, 2).join(', ')} and ${short.length - 2} more`;
}
