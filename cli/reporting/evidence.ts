// The evidence of runs: which files a path means, and what is in them.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from '../../matrix/api/fileFailure.js';
import {
  type Evidence,
  EvidenceError,
  type PassedEvidence,
  presentFile,
  readEvidence,
  readReport,
  type WrittenBy,
} from '../../reports/index.js';
import { UsageError } from '../errors.js';

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
    throw new UsageError(
      `cannot read the evidence in ${files[0]}: ${fileFailure(error)}; give the evidence.jsonl.gz of a run`,
    );
  }
  if (evidence.run) return evidence;
  throw new UsageError(`${files.join(', ')}: contains no run; give the evidence.jsonl.gz that a run wrote`);
}

/**
 * Reads the evidence in a report.json, which has no exchanges. Throws UsageError with one sentence if the file is not a
 * report.
 */
async function reportIn(file: string): Promise<Evidence> {
  try {
    const evidence = await readReport(file);
    if (evidence.run) return evidence;
  } catch (error) {
    throw new UsageError(`the report cannot be read: ${fileFailure(error)}`);
  }
  throw new UsageError(`${file}: the report of a run that did not start`);
}

/**
 * Reads the run at a path: its evidence, or its report.json if that is all there is. Throws UsageError with one sentence
 * if there is none.
 */
export async function runAt(path: string): Promise<Evidence> {
  const report = reportFileAt(path);
  return report === undefined ? await evidenceIn(evidenceAt(path)) : await reportIn(report);
}

function reportFileAt(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  if (!statSync(path).isDirectory()) return path.endsWith('.json') ? path : undefined;
  const report = join(path, 'report.json');
  const hasEvidence = ['evidence.jsonl', 'evidence'].some((name) => existsSync(presentFile(join(path, name))));
  return !hasEvidence && existsSync(report) ? report : undefined;
}

function evidenceAt(path: string): string[] {
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

/** Returns the files of evidence in a directory, which need not be there. */
export const evidenceIfAny = (directory: string): string[] =>
  existsSync(directory) && statSync(directory).isDirectory() ? filesAt(directory) : [];

function filesAt(path: string): string[] {
  if (!existsSync(presentFile(path)))
    throw new UsageError(`${path}: no such file; give the evidence.jsonl.gz that a run wrote`);
  if (!statSync(presentFile(path)).isDirectory()) return [path];
  const whole = presentFile(join(path, 'evidence.jsonl'));
  if (existsSync(whole)) return [whole];
  const parts = join(path, 'evidence');
  const files = existsSync(parts) ? readdirSync(parts).filter((file) => file.endsWith('.jsonl')) : [];
  return files.sort().map((file) => join(parts, file));
}

/** The error for a directory without evidence. */
export const noEvidenceIn = (path: string): UsageError =>
  new UsageError(`${path}: no evidence in this directory; give one that a run wrote its report into`);

/** Returns why a file could not be read or written, in one sentence. Throws what is a bug. */
export function fileFailure(error: unknown): string {
  if (error instanceof EvidenceError) return error.message;
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return whyNot(error);
}
