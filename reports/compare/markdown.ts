// A comparison as Markdown for the summary of a CI job: ten lines on worse and better requirements, then the counts.

import { countVerdicts, shareText, verdicts } from '../judge/counts.js';
import { moreOf, stateWord } from '../page/words.js';
import { markdownTable } from '../render/markdown.js';
import { codeSpan, escapeMarkdown } from '../safeText.js';
import type { ComparedRequirement, Comparison } from './compareRuns.js';
import { comparisonFacts, comparisonHeadline, kindTitles, reasonText, recommendedRow } from './words.js';

/** The number of requirements of each kind that are shown: the text stays far below the limits of CI pages. */
const shown = { worse: 10, better: 5 } as const;

export function renderComparisonMarkdown(comparison: Comparison): string {
  const { runs, runDifferences } = comparison;
  const counts = runs.map(({ verdict }) => countVerdicts(verdict.cases));
  const used = verdicts.filter((verdict) => counts.some((of) => of[verdict] > 0));
  const rows = [
    ...used.map((verdict) => [stateWord(verdict), ...counts.map((of) => of[verdict].toLocaleString('en-US'))]),
    ...recommendedRow(comparison),
  ];
  return [
    `## ${comparison.exitCode === 1 ? '❌' : '✅'} ${codeSpan(comparisonHeadline(comparison), 200)}`,
    comparisonFacts(comparison),
    comparison.unlike.map((line) => `- ${codeSpan(line, 400)}`).join('\n'),
    list(comparison, 'worse'),
    runDifferences
      .map(({ run, check, problems }) => `- ${codeSpan(run, 60)}: ${check}: ${codeSpan(problems[0] ?? '')}`)
      .join('\n'),
    list(comparison, 'better'),
    runs.map(({ name }, index) => `${index + 1}. ${codeSpan(name, 100)}`).join('\n'),
    markdownTable(['cases', ...runs.map((_, index) => `run ${index + 1}`)], rows),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function list({ requirements }: Comparison, kind: 'worse' | 'better'): string {
  const members = requirements.filter((one) => one.kind === kind);
  if (members.length === 0) return '';
  const rest = members.length - shown[kind];
  const items = members.slice(0, shown[kind]).map((one) => `- ${item(one)}`);
  return [`### ${kindTitles[kind]}`, '', ...items, ...(rest > 0 ? [`- and ${moreOf(rest, 'requirement')}`] : [])].join(
    '\n',
  );
}

function item(one: ComparedRequirement): string {
  const { requirement, shares } = one;
  const why = reasonText(one);
  return `**${escapeMarkdown(requirement.row.text)}** ${shares.map(shareText).join(' → ')}, ${requirement.row.level}, ${codeSpan(requirement.id)}${why === '' ? '' : `<br>${codeSpan(why)}`}`;
}
