// The file of deviations to start from: what failed and nobody has declared, as YAML, each to be explained.
import { dump } from 'js-yaml';
import { allCases, type Case, choiceOf, type Deviation, matches } from '../../matrix/requirements/index.js';
import { choiceWords } from '../choiceText.js';
import { groupBy, type JudgedCase, plural } from '../counts.js';
import { unexplained } from '../deviations.js';
import type { Evidence } from '../evidence.js';
import { patternsFor } from '../narrowing.js';
import type { Verdict } from '../verdict.js';
import { firstLine } from './visible.js';

/** A deviation that covers some failures, with what a reader wants to know of them. */
interface Declared {
  readonly deviation: Deviation;
  readonly cases: readonly JudgedCase[];
}

/** The cases that failed and that no deviation covers. Nothing covers what could not be tested, or has no verdict. */
export function declarable({ cases }: Verdict): JudgedCase[] {
  return cases.filter(({ verdict, missing }) => verdict === 'failed' && !missing);
}

/** What failed undeclared, as the deviations of a target file. */
export function renderDeviations(verdict: Verdict, { run }: Evidence, all: readonly Case[] = allCases()): string {
  const rows = [...groupBy(declarable(verdict), ({ requirement }) => requirement.id)].flatMap(([id, failed]) =>
    declare(
      id,
      failed,
      all.filter(({ requirement }) => requirement.id === id).map(({ subject }) => subject.id),
    ),
  );
  const words = run ? choiceWords(choiceOf(run)) : [];
  const head = [
    `# What ${run?.target.name ?? 'the target'} failed and nobody has declared, in run ${run?.runId ?? '?'} of ${run?.startedAt ?? '?'}.`,
    ...(words.length === 0 ? [] : [`# The run was of a part only: ${words.join(', ')}.`]),
    `# Put the rows into a target file. Find out why each is so, and replace "${unexplained}: …" by the reason; a link may`,
    '# stand beside it (link: https://…).',
  ].map(oneLine);
  return `${head.join('\n')}\n${rows.length === 0 ? 'deviations: []' : ['deviations:', ...rows.map(row)].join('\n')}\n`;
}

function declare(requirement: string, failed: readonly JudgedCase[], subjects: readonly string[]): Declared[] {
  const wanted = failed.map(({ subject }) => subject);
  return patternsFor(wanted, subjects).map((subject) => {
    const cases = failed.filter((one) => subject === undefined || matches(subject, one.subject));
    const reason = oneLine(`${unexplained}: ${firstLine(cases[0]?.message ?? 'no message', 160)}`);
    return { deviation: { requirement, ...(subject === undefined ? {} : { subject }), reason }, cases };
  });
}

function row({ deviation, cases }: Declared): string {
  const level = cases[0]?.requirement.row.level === 'convention' ? 'a convention, ' : '';
  const [item = '', ...more] = dump([deviation], { lineWidth: -1 }).trimEnd().split('\n');
  return [`  # ${level}${plural(cases.length, 'case')}`, `  ${item}`, ...more.map((line) => `  ${line}`)].join('\n');
}

/** What a server said must not end a comment, nor a line of it. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}
