// Reports: evidence in; verdict, and a file for each format out.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Evidence } from './evidence.js';
import { renderBadge, renderBadgeEndpoint } from './render/badge.js';
import { renderHtml } from './render/html.js';
import { renderJson } from './render/json.js';
import { renderJunit } from './render/junit.js';
import { renderMap } from './render/mapSvg.js';
import { renderMarkdown } from './render/markdown.js';
import type { Verdict } from './verdict.js';

export { type ComparedRun, compareRuns } from './compare.js';
export { groupBy } from './counts.js';
export { type Evidence, EvidenceError, type PassedEvidence, readEvidence } from './evidence.js';
export { countOf, type LevelWord, levels, levelWord, shellWord } from './page/words.js';
export { renderComparison } from './render/comparison.js';
export { renderComparisonJson } from './render/comparisonJson.js';
export { renderComparisonMarkdown } from './render/comparisonMarkdown.js';
export { renderComparisonText } from './render/comparisonText.js';
export { declarable, renderDeviations } from './render/deviations.js';
export { renderRecord } from './render/record.js';
export { renderServers } from './render/servers.js';
export { renderServersPage } from './render/serversPage.js';
export { renderSummary } from './render/text.js';
export { readReport } from './reportFile.js';
export { parseRecord, recordOf, type ServerRecord } from './serverRecord.js';
export { judge, type Verdict } from './verdict.js';

/** The formats: a file each, made from the verdict and the evidence. */
const formats = {
  html: { file: 'index.html', render: writeHtml },
  json: { file: 'report.json', render: renderJson },
  junit: { file: 'junit.xml', render: renderJunit },
  markdown: { file: 'summary.md', render: renderMarkdown },
  badge: { file: 'badge.svg', render: renderBadge },
  map: { file: 'map.svg', render: renderMap },
  badgeEndpoint: { file: 'badge.json', render: renderBadgeEndpoint },
} as const satisfies Readonly<Record<string, Format>>;

interface Format {
  readonly file: string;
  readonly render: (verdict: Verdict, evidence: Evidence, path: string) => string | Promise<string>;
}

/** The files that `writeReports` wrote, by format. */
export type ReportPaths = Readonly<Record<keyof typeof formats, string>>;

/** Writes every format into a directory, which is made if it is not there. */
export async function writeReports(verdict: Verdict, evidence: Evidence, directory: string): Promise<ReportPaths> {
  await mkdir(directory, { recursive: true });
  const written = Object.entries<Format>(formats).map(async ([name, { file, render }]) => {
    const path = join(directory, file);
    await writeFile(path, await render(verdict, evidence, path));
    return [name, path] as const;
  });
  return Object.fromEntries(await Promise.all(written)) as ReportPaths;
}

/** Where files beside the page are, and where earlier versions wrote them. */
const besideFolders = ['exchanges', 'failures'];

/** Writes what lies beside the page anew. Returns the page. */
async function writeHtml(verdict: Verdict, evidence: Evidence, file: string): Promise<string> {
  const { page, beside } = renderHtml(verdict, evidence);
  const directory = dirname(file);
  for (const folder of besideFolders) await removeBeside(join(directory, folder));
  for (const { name, text } of beside) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return page;
}

// Only what an earlier report wrote: the folder may hold files of others.
async function removeBeside(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) if (/^\d{3,}\.html$/.test(name)) await rm(join(folder, name));
}
