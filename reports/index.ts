// Reports: evidence in; verdict, page, JUnit and summary out.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Evidence } from './evidence.js';
import { renderHtml } from './render/html.js';
import { renderJunit } from './render/junit.js';
import type { Verdict } from './verdict.js';

export { type Evidence, EvidenceError, readEvidence } from './evidence.js';
export { declarable, renderDeviations } from './render/deviations.js';
export { renderRecord } from './render/record.js';
export { renderSummary } from './render/text.js';
export { judge, type Verdict } from './verdict.js';

/** The files that `writeReports` wrote. */
export interface ReportPaths {
  readonly html: string;
  readonly junit: string;
}

/** Writes the page and the JUnit file into a directory, which is made if it is not there. */
export async function writeReports(verdict: Verdict, evidence: Evidence, directory: string): Promise<ReportPaths> {
  const paths = { html: join(directory, 'index.html'), junit: join(directory, 'junit.xml') };
  await mkdir(directory, { recursive: true });
  await writeFile(paths.html, renderHtml(verdict, evidence));
  await writeFile(paths.junit, renderJunit(verdict));
  return paths;
}
