// The record of a run for a repository: its verdict, the counts, and each deviation with the exchange that proves it.
import { type Exchange, requirementsOf, subjectsOf } from '../../suites/requirements/index.js';
import { count, groupBy, isFailure, type JudgedCase, plural, verdicts, whyUnjudged, wordOf } from '../counts.js';
import { byDeviation } from '../deviations.js';
import type { Evidence } from '../evidence.js';
import type { Verdict } from '../verdict.js';
import { requestText, responseText } from './exchangeText.js';
import { proofOf } from './proof.js';
import { cutTo, firstLine, visible } from './visible.js';

/** The number of characters of a request, and of a response, in the record. */
const kept = 600;

/** Returns the record as Markdown. */
export function renderRecord(verdict: Verdict, { run }: Evidence): string {
  const facts = [
    ['Server', run?.target.serverVersion],
    ['When', run?.startedAt.slice(0, 16).replace('T', ' ')],
    ['Suite', run?.version],
    ['Nodes', run?.nodes],
    ['Anonymous', run?.anonymous],
    ['Verdict', verdict.line],
    ['Aliased', verdict.aliased.line.replace(/^aliased: /, '')],
  ].flatMap(([name, value]) => (value ? [`- ${name}: ${plain(value)}`] : []));
  const parts: readonly (readonly [title: string, content: readonly string[]])[] = [
    ['Cases', table(verdict)],
    ['Failures', failures(verdict.cases)],
    ['Deviations to delete', verdict.staleDeviations.map(({ message }) => `- ${plain(message)}`)],
    ['Known deviations', deviations(verdict.cases)],
    ['Not supported', reasons(verdict.cases, 'not-supported')],
    ['Skipped', reasons(verdict.cases, 'skipped')],
    ['Failures under an alias, not scored', failures(verdict.aliased.cases)],
    ['Notes', verdict.notes.map((note) => `- ${plain(note)}`)],
  ];
  const sections = parts.flatMap(([title, content]) =>
    content.length === 0 ? [] : [`## ${title}\n\n${content.join('\n')}`],
  );
  return `${[`# ${plain(run?.target.name ?? 'No target')}`, facts.join('\n'), ...sections].join('\n\n')}\n`;
}

function table({ requirements }: Verdict): string[] {
  const cases = requirements.flatMap((requirement) => requirement.cases);
  const used = verdicts.filter((verdict) => count(cases)[verdict] > 0);
  const row = (name: string, of: readonly JudgedCase[]): string => {
    const counts = count(of);
    return `| ${[name, ...used.map((verdict) => (counts[verdict] === 0 ? '' : counts[verdict].toLocaleString('en-US')))].join(' | ')} |`;
  };
  const chapters = groupBy(cases, ({ requirement }) => requirement.chapter);
  return [
    `| ${['chapter', ...used.map(wordOf)].join(' | ')} |`,
    `| --- ${'| ---: '.repeat(used.length)}|`,
    ...[...chapters].map(([chapter, members]) => row(chapter, members)),
    row('total', cases),
  ];
}

function failures(cases: readonly JudgedCase[]): string[] {
  return [...groupBy(cases.filter(isFailure), ({ requirement }) => requirement.id)].map(([id, members]) => {
    const [first] = members;
    return `- \`${id}\` (${plural(members.length, 'case')}): ${plain(`${first?.subject}: ${first?.message}`)}`;
  });
}

function deviations(cases: readonly JudgedCase[]): string[] {
  return [...byDeviation(cases)].map(([deviation, members]) => {
    const { reason, sometimes } = deviation;
    const [first] = members;
    const proof = first && proofOf(first);
    const list = (values: readonly string[]): string => values.map((value) => `\`${plain(value)}\``).join(', ');
    const patterns = subjectsOf(deviation);
    const subjects = patterns.length === 0 ? '' : `, subjects with ${list(patterns)}`;
    return [
      `### ${plain(reason)}\n`,
      `${list(requirementsOf(deviation))}${subjects}: ${plural(members.length, 'case')}${sometimes ? ', seen sometimes' : ''}.`,
      `${plain(first?.requirement.row.text ?? '')}\n`,
      `${plain(`${first?.subject}: ${first?.message}`)}\n`,
      proof === undefined ? 'What it rests on was seen before; no request of its own.\n' : fenced(proof),
    ].join('\n');
  });
}

function reasons(cases: readonly JudgedCase[], wanted: 'not-supported' | 'skipped'): string[] {
  const chosen = cases.filter(({ verdict }) => verdict === wanted);
  const groups = groupBy(chosen, whyUnjudged);
  return [...groups].map(([reason, members]) => `- ${plain(reason)} (${plural(members.length, 'case')})`);
}

/** Returns the request and the response in a code fence that they cannot end. */
function fenced(exchange: Exchange): string {
  const request = cutTo(requestText(exchange, kept), kept);
  const text = `${request}\n\n${cutTo(responseText(exchange, kept), kept)}`;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}\n`;
}

/** Returns one line of text with all markup escaped. */
function plain(text: string): string {
  return firstLine(visible(text), 400).replace(/[\\`*_<>[\]#|]/g, (character) =>
    character === '_' || character === '#' ? character : `\\${character}`,
  );
}
