// The common part of `run` and `report`: from evidence to the verdict, the report and the summary.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EvidenceChoice } from '../../matrix/requirements/index.js';
import {
  type Evidence,
  EvidenceError,
  judge,
  type PassedEvidence,
  readEvidence,
  readReport,
  renderSummary,
  type Verdict,
  type WrittenBy,
  writeReports,
} from '../../reports/index.js';
import { UsageError } from '../errors.js';

interface ReportOptions {
  readonly shardAlone?: boolean;
  readonly evidence?: EvidenceChoice;
  readonly writtenBy?: WrittenBy;
  readonly written?: () => void;
  /** Directories without evidence beside the files: shards that could not start. */
  readonly empty?: readonly string[];
}

/**
 * Judges the evidence in files and writes the report into a directory. Calls `written` before it prints the summary.
 * Returns the exit code of the verdict.
 */
export async function reportOn(
  files: readonly string[],
  directory: string,
  options: ReportOptions = {},
): Promise<number> {
  const evidence = await evidenceIn(files, options.evidence ?? 'asRun', options.writtenBy);
  for (const path of options.empty ?? []) {
    if (evidence.shards === undefined) throw noEvidenceIn(path);
    process.stderr.write(`${path}: no evidence.jsonl in this directory; its shard counts as missing\n`);
  }
  const verdict = judge(evidence, options);
  const paths = await writeReports(verdict, evidence, directory).catch((error: unknown) => {
    throw new UsageError(`no report can be written into ${directory} (${reasonOf(error)}): give another --output`);
  });
  options.written?.();
  process.stdout.write(`${renderSummary(verdict, bold())}\n${countLine(verdict)}\nreport: ${paths.html}\n`);
  return verdict.exitCode;
}

/**
 * Reads the evidence in files. `passed` selects the passed cases whose exchanges are read. Throws UsageError with one
 * sentence if the evidence cannot be read.
 */
export async function evidenceIn(
  files: readonly string[],
  passed?: PassedEvidence,
  writtenBy?: WrittenBy,
): Promise<Evidence> {
  let evidence: Evidence;
  try {
    evidence = await readEvidence(files, passed, writtenBy);
  } catch (error) {
    if (error instanceof EvidenceError) throw new UsageError(`the evidence cannot be read: ${error.message}`);
    throw new UsageError(`cannot read the evidence (${reasonOf(error)}): give the evidence.jsonl of a run`);
  }
  if (evidence.run) return evidence;
  throw new UsageError(`${files.join(', ')}: contains no run; give the evidence.jsonl that a run wrote`);
}

/**
 * Reads the evidence in a report.json, which has no exchanges. Throws UsageError with one sentence if the file is not a
 * report.
 */
export async function reportIn(file: string): Promise<Evidence> {
  try {
    const evidence = await readReport(file);
    if (evidence.run) return evidence;
  } catch (error) {
    throw new UsageError(`the report cannot be read: ${reasonOf(error)}`);
  }
  throw new UsageError(`${file}: the report of a run that did not start`);
}

/**
 * Returns the report.json at a path: the path itself, or the file in a directory without evidence. Returns undefined if
 * there is none.
 */
export function reportFileAt(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return path.endsWith('.json') ? path : undefined;
  const report = join(path, 'report.json');
  const hasEvidence = ['evidence.jsonl', 'evidence'].some((name) => existsSync(join(path, name)));
  return !hasEvidence && existsSync(report) ? report : undefined;
}

/**
 * Returns the files of evidence at a path: the path itself, or the files of a finished or unfinished run in the
 * directory. Throws UsageError if there are none.
 */
export function evidenceAt(path: string): string[] {
  const files = filesAt(path);
  if (files.length === 0) throw noEvidenceIn(path);
  return files;
}

/**
 * Returns the files of evidence at several paths, and the directories without any. Throws UsageError if a path does not
 * exist, or if none has evidence.
 */
export function evidenceAtAll(paths: readonly string[]): { readonly files: string[]; readonly empty: string[] } {
  const found = paths.map((path) => ({ path, files: filesAt(path) }));
  const empty = found.filter(({ files }) => files.length === 0).map(({ path }) => path);
  const [first] = empty;
  if (first !== undefined && empty.length === paths.length) throw noEvidenceIn(first);
  return { files: found.flatMap(({ files }) => files), empty };
}

function filesAt(path: string): string[] {
  if (!existsSync(path)) throw new UsageError(`${path}: no such file; give the evidence.jsonl that a run wrote`);
  if (!statSync(path).isDirectory()) return [path];
  const whole = join(path, 'evidence.jsonl');
  if (existsSync(whole)) return [whole];
  const parts = join(path, 'evidence');
  const files = existsSync(parts) ? readdirSync(parts).filter((file) => file.endsWith('.jsonl')) : [];
  return files.sort().map((file) => join(parts, file));
}

const noEvidenceIn = (path: string): UsageError =>
  new UsageError(`${path}: no evidence.jsonl in this directory; give one that a run wrote its report into`);

function reasonOf(error: unknown): string {
  if (error instanceof EvidenceError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return message;
}

/** Returns one line for scripts with the number of cases for each verdict. */
function countLine({ cases }: Verdict): string {
  const count = (...verdicts: readonly Verdict['cases'][number]['verdict'][]): number =>
    cases.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return (
    `cases: ${count('passed')} passed, ${count('failed')} failed, ${count('blocked')} blocked, ` +
    `${count('known-deviation')} known deviations, ${count('not-supported')} not supported, ${count('skipped')} skipped`
  );
}

/** Returns a function that makes the differences in an example bold, if the terminal allows it. */
function bold(): ((text: string) => string) | undefined {
  return process.stdout.isTTY && !process.env.NO_COLOR ? (text) => `\u001b[1m${text}\u001b[22m` : undefined;
}
