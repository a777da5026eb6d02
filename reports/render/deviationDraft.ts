// A draft of deviations: failures without a declared deviation, as YAML, one row for each cause.

import { stringify } from 'yaml';
import { groupBy } from '../../matrix/api/groupBy.js';
import { allCases, type Case, type Deviation } from '../../suites/requirements/index.js';
import { byCause, type Cause } from '../judge/causes.js';
import type { JudgedCase } from '../judge/counts.js';
import { unexplained } from '../judge/deviations.js';
import type { Evidence } from '../judge/evidence.js';
import { patternsFor } from '../judge/narrowing.js';
import { selectionWords } from '../judge/outcome.js';
import type { Verdict } from '../judge/verdict.js';
import { countOf } from '../page/words.js';

/** A deviation that covers some failures, with information about them. */
interface Declared {
  readonly deviation: Deviation;
  readonly cases: readonly JudgedCase[];
}

/** What a message says where the server did not answer: a lost connection, a crash, or a proxy in its place. */
const unanswered = /: no answer: |stopped responding|\bgot 50[234]\b/;

/** The failures of a run for its deviations. */
interface Declarable {
  /** Failed, and no deviation covers them; neither blocked nor without a verdict. */
  readonly cases: readonly JudgedCase[];
  /** Those that failed because the server did not answer, which nobody has decided. */
  readonly unanswered: readonly JudgedCase[];
}

/** Returns the failures that can be declared, and those that are left out. */
export function declarable({ cases }: Pick<Verdict, 'cases'>): Declarable {
  const failed = cases.filter(({ verdict, missing }) => verdict === 'failed' && !missing);
  const isUnanswered = ({ message = '' }: JudgedCase): boolean => unanswered.test(message);
  return { cases: failed.filter((one) => !isUnanswered(one)), unanswered: failed.filter(isUnanswered) };
}

/** Returns the undeclared failures as deviations for a target file. */
export function renderDeviations(
  verdict: Verdict,
  { run }: Evidence,
  all: readonly Case[] = allCases(run?.kinds),
): string {
  const { cases, unanswered: leftOut } = declarable(verdict);
  const subjects = groupBy(all, ({ requirement }) => requirement.id);
  const subjectsOf = (id: string): string[] => (subjects.get(id) ?? []).map(({ subject }) => subject.id);
  const rows = withoutMany([...byCause(cases).values()]).flatMap(([cause, failed]) =>
    declare(cause, failed, subjectsOf),
  );
  const words = selectionWords(run);
  const head = [
    `# What ${run?.target.name ?? 'the target'} failed and nobody has declared, in run ${run?.runId ?? '?'} of ${run?.startedAt ?? '?'}.`,
    ...(words.length === 0 ? [] : [`# The run was of a part only: ${words.join(', ')}.`]),
    ...(leftOut.length === 0
      ? []
      : [`# Left out: ${countOf(leftOut.length, 'case')} that the server did not answer. Run them again.`]),
    '# Each row is a cause. Put the rows into a target file. Where the answers do not show the cause, find it out and',
    `# replace "${unexplained}: …" by the reason. A link may stand beside it (link: https://…).`,
  ].map(oneLine);
  return `${head.join('\n')}\n${rows.length === 0 ? 'deviations: []' : ['deviations:', ...rows.map(row)].join('\n')}\n`;
}

type CauseCases = readonly [Cause, readonly JudgedCase[]];

/** The most causes that only one requirement shows, each in a row of its own: more are one that nobody has understood. */
const ownCauses = 3;

/** Joins the causes that only one requirement shows, if they are many. */
function withoutMany(causes: readonly CauseCases[]): CauseCases[] {
  const onlyIn = ([, cases]: CauseCases): string | undefined => {
    const ids = new Set(cases.map(({ requirement }) => requirement.id));
    return ids.size === 1 ? [...ids][0] : undefined;
  };
  const own = groupBy(causes, onlyIn);
  return causes.flatMap((one): CauseCases[] => {
    const id = onlyIn(one);
    const [first, ...more] = own.get(id) ?? [];
    if (id === undefined || first === undefined || more.length < ownCauses) return [one];
    if (one !== first) return [];
    const [cause, cases] = first;
    const reason = `${cause.reason}; and ${more.length} other messages`;
    return [[{ ...cause, reason }, [...cases, ...more.flatMap(([, others]) => others)]]];
  });
}

/** Requirements that a row names together, with their subjects: those that fail for the cause, and all. */
interface Row {
  readonly ids: string[];
  readonly cases: JudgedCase[];
  readonly failing: Set<string>;
  readonly all: Set<string>;
}

/**
 * Returns the rows of one cause, two if possible: requirements that fail everywhere need no subjects. Requirements share a
 * row if each subject that fails in one of them fails in all of them that have it, so that no row covers a passed case.
 */
function declare(
  { reason }: Cause,
  failed: readonly JudgedCase[],
  subjectsOf: (id: string) => readonly string[],
): Declared[] {
  const rows: Row[] = [];
  for (const [id, cases] of groupBy(failed, ({ requirement }) => requirement.id)) {
    const failing = new Set(cases.map(({ subject }) => subject));
    const all = new Set(subjectsOf(id));
    const row = rows.find((one) => agree(one, { failing, all }));
    if (row === undefined) rows.push({ ids: [id], cases: [...cases], failing, all });
    else {
      row.ids.push(id);
      row.cases.push(...cases);
      for (const subject of failing) row.failing.add(subject);
      for (const subject of all) row.all.add(subject);
    }
  }
  return rows.map(({ ids, cases, failing, all }) => {
    const patterns = patternsFor([...failing], [...all]).flatMap((pattern) => pattern ?? []);
    return {
      deviation: {
        requirement: oneOrMore(ids),
        ...(patterns.length === 0 ? {} : { subject: oneOrMore(patterns) }),
        reason,
      },
      cases,
    };
  });
}

type Subjects = Pick<Row, 'failing' | 'all'>;

const isWhole = ({ failing, all }: Subjects): boolean => failing.size === all.size;

/** Reports whether both fail everywhere, or neither does, and the subjects that both have fail in both or in neither. */
const agree = (one: Subjects, other: Subjects): boolean =>
  isWhole(one) === isWhole(other) &&
  [...other.all].every((subject) => !one.all.has(subject) || one.failing.has(subject) === other.failing.has(subject));

function oneOrMore(values: readonly string[]): string | readonly string[] {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : values;
}

function row({ deviation, cases }: Declared): string {
  const levels = new Set(cases.map(({ requirement }) => requirement.row.level));
  const level = levels.has('required') ? '' : 'recommended, ';
  const [item = '', ...more] = stringify([deviation], { lineWidth: 0, singleQuote: true }).trimEnd().split('\n');
  return [`  # ${level}${countOf(cases.length, 'case')}`, `  ${item}`, ...more.map((line) => `  ${line}`)].join('\n');
}

/** Returns the text in one line, because text of a server must not end a comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
