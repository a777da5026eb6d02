// Reports: evidence in; verdict, page, JUnit and summary out.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Evidence } from './evidence.js';
import { renderHtml } from './render/html.js';
import { renderJunit } from './render/junit.js';
import type { Verdict } from './verdict.js';

export { type Evidence, EvidenceError, readEvidence } from './evidence.js';
export { renderSummary } from './render/text.js';
export { judge, type Verdict } from './verdict.js';

/** The files that `writeReports` wrote. */
export interface ReportPaths {
  readonly html: string;
  readonly junit: string;
}

/** Writes the page, and the files beside it anew. */
async function writeHtml(verdict: Verdict, evidence: Evidence, file: string): Promise<void> {
  const { page, beside } = renderHtml(verdict, evidence);
  const directory = dirname(file);
  await removeBeside(join(directory, 'failures'));
  for (const { name, text } of beside) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  await writeFile(file, page);
}

// Only what an earlier report wrote: the folder may hold files of others.
async function removeBeside(folder: string): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names) if (/^\d{3,}\.html$/.test(name)) await rm(join(folder, name));
}

/** Writes the page and the JUnit file into a directory, which is made if it is not there. */
export async function writeReports(verdict: Verdict, evidence: Evidence, directory: string): Promise<ReportPaths> {
  const paths = { html: join(directory, 'index.html'), junit: join(directory, 'junit.xml') };
  await mkdir(directory, { recursive: true });
  await writeHtml(verdict, evidence, paths.html);
  await writeFile(paths.junit, renderJunit(verdict));
  return paths;
}
