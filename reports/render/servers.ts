// The table of servers: a column for each record, a row for each chapter, and how much of it each server does.
import type { Counts } from '../counts.js';
import type { ServerRecord } from '../serverRecord.js';
import { firstLine } from './visible.js';

/** The records as a page of Markdown. */
export function renderServers(records: readonly ServerRecord[]): string {
  const chapters = [...new Set(records.flatMap((record) => Object.keys(record.chapters)))];
  const rows = [
    ['', ...records.map(({ name }) => `[${plain(name)}](reports/${encodeURIComponent(name)}.md)`)],
    ['---', ...records.map(() => '---:')],
    ['version', ...records.map(({ serverVersion }) => plain(serverVersion ?? ''))],
    ['run on', ...records.map(({ startedAt }) => plain(startedAt.slice(0, 10)))],
    ...chapters.map((chapter) => [
      chapter,
      ...records.map((record) => shareOf(Object.values(record.chapters[chapter] ?? {}))),
    ]),
    ['**stated**', ...records.map((record) => shareOf(all(record, 'stated')))],
    ['**conventions**', ...records.map((record) => shareOf(all(record, 'convention')))],
  ];
  return `# Servers

How much of the interface each server does: the cases that passed, of those that were judged. What a server does not
offer is not judged, and counted after the plus sign. Deviations that a server declares are not passes. Each column is
one run; its record names every deviation, with the exchange that shows it. \`servers\` makes this page from the records
in \`docs/reports\`:

\`\`\`sh
npx kube-api-conformance servers docs/reports --output docs/servers.md
\`\`\`

${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}

${records.map(({ name, line }) => `- **${plain(name)}**: ${plain(line)}`).join('\n')}
`;
}

const all = ({ chapters }: ServerRecord, level: 'stated' | 'convention'): Counts[] =>
  Object.values(chapters).map((of) => of[level]);

/** Such as `1,779/1,780 +24`; empty where a server was not tried. */
function shareOf(counts: readonly Counts[]): string {
  const sum = (...verdicts: readonly (keyof Counts)[]): number =>
    counts.reduce((total, count) => total + verdicts.reduce((part, verdict) => part + (count[verdict] ?? 0), 0), 0);
  const [passed, judged, absent] = [
    sum('passed'),
    sum('passed', 'known-deviation', 'failed', 'blocked'),
    sum('not-supported'),
  ];
  const share = judged === 0 ? '' : `${passed.toLocaleString('en-US')}/${judged.toLocaleString('en-US')}`;
  return [share, ...(absent === 0 ? [] : [`+${absent.toLocaleString('en-US')}`])].join(' ').trim();
}

/** One line of text in which nothing is markup. */
const plain = (text: string): string => firstLine(text, 400).replace(/[\\`*<>[\]|]/g, (character) => `\\${character}`);
