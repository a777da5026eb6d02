// The table of servers as Markdown: servers as columns, chapters as rows, and the requirements with the most failures.
import type { Counts } from '../../judge/counts.js';
import type { LevelWord } from '../../page/words.js';
import { markdownLine } from '../../safeText.js';
import { markdownTable } from '../markdown.js';
import { type RecordedShare, recordFileOf, type ServerRecord } from './serverRecord.js';

const shownWorst = 15;

export function renderServers(records: readonly ServerRecord[]): string {
  const letters = records.map((_, index) => String.fromCharCode(65 + (index % 26)).repeat(1 + Math.floor(index / 26)));
  const chapters = [...new Set(records.flatMap((record) => Object.keys(record.chapters)))];
  const legend = records.map(({ name, serverVersion, startedAt }, index) => {
    const facts = [
      ...(serverVersion === undefined ? [] : [markdownLine(serverVersion)]),
      markdownLine(startedAt.slice(0, 10)),
    ];
    return `- **${letters[index]}**: [${markdownLine(name)}](reports/${recordFileOf(name)}.md), ${facts.join(', ')}`;
  });
  const totals = (['required', 'recommended'] as const).map((level) => [
    `**${level}**`,
    ...records.map((record) => shareFraction(sumOfCounts(countsOfLevel(record, level)))),
  ]);
  const rows = chapters.map((chapter) => [
    chapter,
    ...records.map((record) => percent(sumOfCounts(Object.values(record.chapters[chapter] ?? {})))),
  ]);
  return `# Servers

How much of the interface each server does: the cases that pass, of those that were judged. ✓ is all of them, – is none.
Known deviations are judged, and are not passes. What a server does not support is not judged. Each column is one run; its
record names every deviation, with the exchange that shows it.

${legend.join('\n')}

${markdownTable(['', ...letters], [...totals, ...rows])}

## Requirements that hold least

${worstTable(records, letters)}

\`report\` makes this page, and one in HTML where every chapter opens to its requirements, from the records in
\`docs/reports\`:

\`\`\`sh
npx kube-api-conformance report --as servers docs/reports --output docs/servers.md
npx kube-api-conformance report --as servers docs/reports --output servers.html
\`\`\`
`;
}

/** Returns the requirements that some server breaks, ordered by the lowest share on any server. */
function brokenRequirements(records: readonly ServerRecord[]): string[] {
  const part = ([passed, judged]: RecordedShare): number => (judged === 0 ? 1 : passed / judged);
  const least = new Map<string, number>();
  const most = new Map<string, number>();
  for (const { requirements } of records)
    for (const [id, share] of Object.entries(requirements)) {
      least.set(id, Math.min(least.get(id) ?? 1, part(share)));
      most.set(id, Math.max(most.get(id) ?? 0, share[1] - share[0]));
    }
  return [...least]
    .filter(([, share]) => share < 1)
    .sort(([a, x], [b, y]) => x - y || (most.get(b) ?? 0) - (most.get(a) ?? 0))
    .map(([id]) => id);
}

function worstTable(records: readonly ServerRecord[], letters: readonly string[]): string {
  const ids = brokenRequirements(records);
  if (ids.length === 0) return 'None: every requirement holds on every server.';
  const rows = ids
    .slice(0, shownWorst)
    .map((id) => [`\`${id}\``, ...records.map(({ requirements }) => recorded(requirements[id]))]);
  const rest = ids.length - rows.length;
  return markdownTable(['', ...letters], rows) + (rest > 0 ? `\n\nAnd ${rest} more, in the records.` : '');
}

/** The numbers of passed and judged cases. */
type Sum = readonly [passed: number, judged: number];

export const countsOfLevel = ({ chapters }: ServerRecord, level: LevelWord): Counts[] =>
  Object.values(chapters).map((of) => of[level]);

export function sumOfCounts(counts: readonly Counts[]): Sum {
  const sum = (...verdicts: readonly (keyof Counts)[]): number =>
    counts.reduce((total, of) => total + verdicts.reduce((part, verdict) => part + (of[verdict] ?? 0), 0), 0);
  return [sum('passed'), sum('passed', 'known-deviation', 'failed', 'blocked')];
}

/** Returns a fraction such as `1,779/1,780`. */
export function shareFraction([passed, judged]: Sum): string {
  return judged === 0 ? '–' : `${passed.toLocaleString('en-US')}/${judged.toLocaleString('en-US')}`;
}

function recorded(share: RecordedShare | undefined): string {
  if (share === undefined || share[1] === 0) return '–';
  return share[0] === share[1] ? '✓' : shareFraction([share[0], share[1]]);
}

/** Returns a percentage that is 100 only if all cases passed. */
function percent([passed, judged]: Sum): string {
  if (judged === 0) return '–';
  return passed === judged ? '✓' : `${Math.floor((1000 * passed) / judged) / 10}%`;
}
