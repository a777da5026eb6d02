// What `run` and `report` share: from files of evidence to the verdict, the files of the report and the summary.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceChoice } from '../matrix/requirements/index.js';
import {
  type Evidence,
  EvidenceError,
  judge,
  type PassedEvidence,
  readEvidence,
  readReport,
  renderSummary,
  type Verdict,
  writeReports,
} from '../reports/index.js';
import { UsageError } from './usageError.js';

/**
 * Judges the evidence in some files, writes the report into a directory. `written` is called before the summary is
 * printed. Returns the exit code of the verdict.
 */
export async function reportOn(
  files: readonly string[],
  directory: string,
  options: { readonly shardAlone?: boolean; readonly evidence?: EvidenceChoice; readonly written?: () => void } = {},
): Promise<number> {
  const evidence = await evidenceIn(files, options.evidence ?? 'asRun');
  const verdict = judge(evidence, options);
  const paths = await writeReports(verdict, evidence, directory).catch((error: unknown) => {
    throw new UsageError(`no report can be written into ${directory} (${reasonOf(error)}): give another --output`);
  });
  options.written?.();
  process.stdout.write(`${renderSummary(verdict, bold())}\n${countLine(verdict)}\nreport: ${paths.html}\n`);
  return verdict.exitCode;
}

/** The evidence in some files; `passed` says of which passed cases the exchanges are read. Throws UsageError with one sentence where they hold none. */
export async function evidenceIn(files: readonly string[], passed?: PassedEvidence): Promise<Evidence> {
  let evidence: Evidence;
  try {
    evidence = await readEvidence(files, passed);
  } catch (error) {
    if (error instanceof EvidenceError) throw new UsageError(`the evidence cannot be read: ${error.message}`);
    throw new UsageError(`cannot read the evidence (${reasonOf(error)}): give the evidence.jsonl of a run`);
  }
  if (evidence.run) return evidence;
  throw new UsageError(`${files.join(', ')}: contains no run; give the evidence.jsonl that a run wrote`);
}

/** What a report.json was made from, without exchanges. Throws UsageError with one sentence where it is none. */
export async function reportIn(file: string): Promise<Evidence> {
  try {
    const evidence = await readReport(file);
    if (evidence.run) return evidence;
  } catch (error) {
    throw new UsageError(`the report cannot be read: ${reasonOf(error)}`);
  }
  throw new UsageError(`${file}: the report of a run that did not start`);
}

/** The report.json at a path: itself, or in a directory that has no evidence. */
export function reportFileAt(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return path.endsWith('.json') ? path : undefined;
  const report = join(path, 'report.json');
  const hasEvidence = ['evidence.jsonl', 'evidence'].some((name) => existsSync(join(path, name)));
  return !hasEvidence && existsSync(report) ? report : undefined;
}

/**
 * The files of evidence at a path: itself, or what a run wrote into that directory, whether it came to its end or not.
 * Throws UsageError where there is none.
 */
export function evidenceAt(path: string): string[] {
  if (!existsSync(path)) throw new UsageError(`${path}: no such file; give the evidence.jsonl that a run wrote`);
  if (!statSync(path).isDirectory()) return [path];
  const whole = join(path, 'evidence.jsonl');
  if (existsSync(whole)) return [whole];
  const parts = join(path, 'evidence');
  const files = existsSync(parts) ? readdirSync(parts).filter((file) => file.endsWith('.jsonl')) : [];
  if (files.length > 0) return files.sort().map((file) => join(parts, file));
  throw new UsageError(`${path}: no evidence.jsonl in this directory; give one that a run wrote its report into`);
}

function reasonOf(error: unknown): string {
  if (error instanceof EvidenceError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return message;
}

/** One line for scripts: how many cases passed and failed, and how many were not judged. */
function countLine({ cases }: Verdict): string {
  const count = (...verdicts: readonly Verdict['cases'][number]['verdict'][]): number =>
    cases.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return (
    `cases: ${count('passed')} passed, ${count('failed')} failed, ${count('blocked')} blocked, ` +
    `${count('known-deviation')} known deviations, ${count('not-supported')} not supported, ${count('skipped')} skipped`
  );
}

/** What differs in an example, in bold on a terminal that may show it. */
function bold(): ((text: string) => string) | undefined {
  return process.stdout.isTTY && !process.env.NO_COLOR ? (text) => `\u001b[1m${text}\u001b[22m` : undefined;
}
