// Reports: computes the verdict from the evidence, and writes a file for each format.
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../matrix/api/makeFolder.js';
import { replaceFile } from '../matrix/api/replaceFile.js';
import type { Evidence } from './judge/evidence.js';
import type { PastRun } from './judge/history.js';
import type { Verdict } from './judge/verdict.js';
import { renderBadge, renderBadgeEndpoint } from './render/badge.js';
import { renderHtml } from './render/html/report.js';
import { renderJson } from './render/json.js';
import { renderJunit } from './render/junit.js';
import { renderMap } from './render/mapSvg.js';
import { renderMarkdown } from './render/markdown.js';

export { type ComparedRun, compareRuns } from './compare/compareRuns.js';
export { renderComparisonJson } from './compare/json.js';
export { renderComparisonMarkdown } from './compare/markdown.js';
export { renderComparison } from './compare/page.js';
export { renderComparisonText } from './compare/text.js';
export { compressFile, presentFile } from './judge/compressed.js';
export { countLine } from './judge/counts.js';
export { type Evidence, EvidenceError, type PassedEvidence, readEvidence, type WrittenBy } from './judge/evidence.js';
export { type PastRun, parseHistory, renderHistory, withRun } from './judge/history.js';
export { judge, type Verdict } from './judge/verdict.js';
export { countOf, type LevelWord, levels, shellWord } from './page/words.js';
export { declarable, renderDeviations } from './render/deviationDraft.js';
export { readReport } from './render/json.js';
export { renderRecord } from './render/records/record.js';
export { parseRecord, recordFileOf, recordOf, type ServerRecord } from './render/records/serverRecord.js';
export { renderServers } from './render/records/servers.js';
export { renderServersPage } from './render/records/serversPage.js';
export { renderSummary } from './render/text.js';

/** The formats: one file each, made from the verdict and the evidence. */
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
  readonly render: (
    verdict: Verdict,
    evidence: Evidence,
    path: string,
    history: readonly PastRun[],
  ) => string | Promise<string>;
}

/** The files that `writeReports` wrote, by format. */
export type ReportPaths = Readonly<Record<keyof typeof formats, string>>;

/**
 * Writes every format into a directory, which is created if it does not exist. If one cannot be made, the others are
 * written before its error is thrown. `history`: the last runs, this one included.
 */
export async function writeReports(
  verdict: Verdict,
  evidence: Evidence,
  directory: string,
  history: readonly PastRun[] = [],
): Promise<ReportPaths> {
  makeFolder(directory);
  const written: Record<string, string> = {};
  const failures: unknown[] = [];
  // One after the other: the texts together need much memory.
  for (const [name, { file, render }] of Object.entries<Format>(formats)) {
    const path = join(directory, file);
    try {
      replaceFile(path, await render(verdict, evidence, path, history));
      written[name] = path;
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return written as ReportPaths;
}

/** The names of the files that `writeReports` writes. */
export const reportFiles: readonly string[] = Object.values(formats).map(({ file }) => file);

/** Removes the report that an earlier run has left in a directory, in every format; `spared` is a file to keep. */
export async function removeReports(directory: string, spared?: string): Promise<void> {
  for (const name of reportFiles)
    if (spared === undefined || resolve(spared) !== resolve(directory, name))
      await rm(join(directory, name), { force: true });
  await removeBeside(join(directory, 'exchanges'));
}

/** Removes the evidence that an earlier run has left in a directory. */
export async function removeEvidence(directory: string): Promise<void> {
  for (const name of ['evidence.jsonl', 'evidence.jsonl.gz']) await rm(join(directory, name), { force: true });
}

/** Replaces the files for the page. Returns the page. */
async function writeHtml(
  verdict: Verdict,
  evidence: Evidence,
  file: string,
  history: readonly PastRun[],
): Promise<string> {
  const { page, beside } = renderHtml(verdict, evidence, history);
  const directory = dirname(file);
  await removeBeside(join(directory, 'exchanges'));
  for (const { name, text } of beside) {
    const path = join(directory, name);
    makeFolder(dirname(path));
    replaceFile(path, text);
  }
  return page;
}

// Removes only files of an earlier report, because the folder may contain other files.
async function removeBeside(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) if (/^\d{3,}\.html$/.test(name)) await rm(join(folder, name));
}
