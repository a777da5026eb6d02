// The failures of a run as a person takes them in: one group for each requirement that fails, the worst first.
import type { Requirement } from '../matrix/requirements/index.js';
import { columnOf } from './columns.js';
import { groupBy, isFailure, type JudgedCase, plural } from './counts.js';
import { type Example, exampleOf } from './example.js';
import type { Verdict } from './verdict.js';

/** A requirement that fails. */
export interface FailureGroup {
  readonly requirement: Requirement;
  readonly failing: readonly JudgedCase[];
  /** The cases of the requirement that say something of the server, with those that fail. */
  readonly judged: number;
  /** Whether no case failed by itself: what each needs first did not work. */
  readonly blocked: boolean;
  /** Whether every failure is one of the baseline. */
  readonly known: boolean;
  /** `37 of 37 operations`, or `cases` where a case is less or other than an operation. */
  readonly fraction: string;
  /** Which kinds: `all 37 kinds`, `configmaps, secrets and 3 more`; empty where the cases are about none. */
  readonly kinds: string;
  /** Which verbs, in the same way. */
  readonly verbs: string;
  readonly example: Example;
}

/**
 * The requirements that fail: required ones first, then by the share of their cases that fail. A requirement whose cases
 * are all blocked comes after those that fail by themselves.
 */
export function failureGroups(cases: readonly JudgedCase[]): FailureGroup[] {
  return [...groupBy(cases, ({ requirement }) => requirement).values()].flatMap(groupOf).sort(byWeight);
}

/** The failing requirements of a run. Where it could not run, a case without evidence says nothing of the server. */
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
    (requirement.row.level === 'stated' ? 0 : 4) + (blocked ? 2 : 0) + (known ? 1 : 0);
  const share = ({ failing, judged }: FailureGroup): number => failing.length / judged;
  return rank(a) - rank(b) || share(b) - share(a) || b.failing.length - a.failing.length;
}

/** The case that looks like most of the others: the first one of the commonest message. */
function typicalOf(failing: readonly JudgedCase[]): JudgedCase {
  const told = failing.filter(({ verdict, missing }) => verdict === 'failed' && !missing);
  const shapes = groupBy(told.length > 0 ? told : failing, ({ message = '' }) => shapeOf(message));
  const [most = []] = [...shapes.values()].sort((a, b) => b.length - a.length);
  return most[0] ?? (failing[0] as JudgedCase);
}

/** A message without what differs from case to case: addresses, names of the run, texts, numbers. */
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

/** Which of all: `all 37 kinds`, or two by their names and how many more. */
function some(failing: readonly string[], judged: readonly string[], noun: string): string {
  const [names, all] = [new Set(failing), new Set(judged)];
  if (names.size > 3 && names.size === all.size) return `all ${plural(names.size, noun)}`;
  const short = [...names].map((name) => name.replace(/^.*\//, ''));
  if (short.length <= 3) return short.join(', ');
  return `${short.slice(0, 2).join(', ')} and ${short.length - 2} more`;
}
