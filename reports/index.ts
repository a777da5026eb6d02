// Reports: computes the verdict from the evidence, and writes a file for each format.
import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeFolder } from '../matrix/api/makeFolder.js';
import { replaceFile } from '../matrix/api/replaceFile.js';
import { presentFile } from './judge/compressed.js';
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
export { renderAnnotations } from './render/github.js';
export { readReport } from './render/json.js';
export { renderMarkdown } from './render/markdown.js';
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

const evidenceNames = ['evidence', 'evidence.jsonl', 'evidence.jsonl.gz'] as const;
/** The name of evidence that is set aside; its ending stays. */
const previous = 'previous';

/**
 * Renames the evidence of an earlier run in a directory, but for a file to keep, so that `report` does not take it for
 * that of a run that could not start. `previousEvidence` finds it.
 */
export async function setEvidenceAside(directory: string, spared?: string): Promise<void> {
  for (const name of evidenceNames) {
    const file = join(directory, name);
    if (!existsSync(file) || (spared !== undefined && resolve(spared) === resolve(file))) continue;
    const aside = join(directory, name.replace('evidence', previous));
    await rm(aside, { recursive: true, force: true });
    await rename(file, aside);
  }
}

/** Returns the file of the evidence of an earlier run, which may be set aside and need not be there. */
export function previousEvidence(directory: string): string {
  const [there, aside] = ['evidence', previous].map((name) => presentFile(join(directory, `${name}.jsonl`)));
  return (existsSync(there ?? '') ? there : aside) ?? '';
}

/** Removes the evidence of earlier runs from a directory. */
export async function removeEvidence(directory: string): Promise<void> {
  for (const name of evidenceNames)
    for (const file of [name, name.replace('evidence', previous)])
      await rm(join(directory, file), { recursive: true, force: true });
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
