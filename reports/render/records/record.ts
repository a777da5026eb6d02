// The record of a run for a repository: its verdict, the counts, and each deviation with the exchange that proves it.
import { groupBy } from '../../../matrix/api/groupBy.js';
import { type Exchange, requirementsOf, subjectsOf } from '../../../suites/requirements/index.js';
import { countVerdicts, isFailure, type JudgedCase, verdicts } from '../../judge/counts.js';
import { byDeviation } from '../../judge/deviations.js';
import type { Evidence } from '../../judge/evidence.js';
import { decidingExchange } from '../../judge/failureMessage.js';
import { byReason } from '../../judge/reasons.js';
import type { Verdict } from '../../judge/verdict.js';
import { countOf, stateWord } from '../../page/words.js';
import { cutTo, markdownLine } from '../../safeText.js';
import { requestText, responseText } from '../exchangeText.js';
import { markdownTable } from '../markdown.js';

/** The number of characters of a request, and of a response, in the record. */
const kept = 600;

export function renderRecord(verdict: Verdict, { run }: Evidence): string {
  const facts = [
    ['Server', run?.target.serverVersion],
    ['When', run?.startedAt.slice(0, 16).replace('T', ' ')],
    ['Suite', run?.version],
    ['Nodes', run?.nodes],
    ['Anonymous', run?.anonymous],
    ['Verdict', verdict.line],
    ['Aliased', verdict.aliased.line.replace(/^aliased: /, '')],
  ].flatMap(([name, value]) => (value ? [`- ${name}: ${markdownLine(value)}`] : []));
  const parts: readonly (readonly [title: string, content: readonly string[]])[] = [
    ['Cases', [table(verdict)]],
    ['Failures', failures(verdict.cases)],
    ['Deviations to delete', verdict.staleDeviations.map(({ message }) => `- ${markdownLine(message)}`)],
    ['Known deviations', deviations(verdict.cases)],
    ['Not supported', reasons(verdict.cases, 'not-supported')],
    ['Skipped', reasons(verdict.cases, 'skipped')],
    ['Failures under an alias, not scored', failures(verdict.aliased.cases)],
    ['Notes', verdict.notes.map((note) => `- ${markdownLine(note)}`)],
  ];
  const sections = parts.flatMap(([title, content]) =>
    content.length === 0 ? [] : [`## ${title}\n\n${content.join('\n')}`],
  );
  return `${[`# ${markdownLine(run?.target.name ?? 'No target')}`, facts.join('\n'), ...sections].join('\n\n')}\n`;
}

function table({ requirements }: Verdict): string {
  const cases = requirements.flatMap((requirement) => requirement.cases);
  const used = verdicts.filter((verdict) => countVerdicts(cases)[verdict] > 0);
  const row = (name: string, of: readonly JudgedCase[]): string[] => {
    const counts = countVerdicts(of);
    return [name, ...used.map((verdict) => (counts[verdict] === 0 ? '' : counts[verdict].toLocaleString('en-US')))];
  };
  const chapters = groupBy(cases, ({ requirement }) => requirement.chapter);
  const rows = [...chapters].map(([chapter, members]) => row(chapter, members));
  return markdownTable(['chapter', ...used.map(stateWord)], [...rows, row('total', cases)]);
}

function failures(cases: readonly JudgedCase[]): string[] {
  return [...groupBy(cases.filter(isFailure), ({ requirement }) => requirement.id)].map(([id, members]) => {
    const [first] = members;
    return `- \`${id}\` (${countOf(members.length, 'case')}): ${markdownLine(`${first?.subject}: ${first?.message}`)}`;
  });
}

function deviations(cases: readonly JudgedCase[]): string[] {
  return [...byDeviation(cases)].map(([deviation, members]) => {
    const { reason, sometimes } = deviation;
    const [first] = members;
    const proof = first && decidingExchange(first);
    const list = (values: readonly string[]): string => values.map((value) => `\`${markdownLine(value)}\``).join(', ');
    const patterns = subjectsOf(deviation);
    const subjects = patterns.length === 0 ? '' : `, subjects with ${list(patterns)}`;
    return [
      `### ${markdownLine(reason)}\n`,
      `${list(requirementsOf(deviation))}${subjects}: ${countOf(members.length, 'case')}${sometimes ? ', seen sometimes' : ''}.`,
      `${markdownLine(first?.requirement.row.text ?? '')}\n`,
      `${markdownLine(`${first?.subject}: ${first?.message}`)}\n`,
      proof === undefined ? 'What it rests on was seen before; no request of its own.\n' : fenced(proof),
    ].join('\n');
  });
}

const reasons = (cases: readonly JudgedCase[], wanted: 'not-supported' | 'skipped'): string[] =>
  byReason(cases, wanted).map(([reason, members]) => `- ${markdownLine(reason)} (${countOf(members.length, 'case')})`);

/** Returns the request and the response in a code fence that they cannot end. */
function fenced(exchange: Exchange): string {
  const request = cutTo(requestText(exchange, kept), kept);
  const text = `${request}\n\n${cutTo(responseText(exchange, kept), kept)}`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}\n`;
}
