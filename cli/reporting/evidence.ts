// The evidence of runs: which files a path means, and what is in them.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from '../../matrix/api/fileFailure.js';
import {
  type Evidence,
  EvidenceError,
  type PassedEvidence,
  presentFile,
  readEvidence,
  readReport,
  shellWord,
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
  const places = found.flatMap(({ path, files }) =>
    files.map((file) => ({ path, at: realpathSync(presentFile(file)) })),
  );
  const twice = places.find(({ at }, index) => places.findIndex((other) => other.at === at) < index);
  if (twice !== undefined) throw new UsageError(`${twice.path} is given twice: give each run once`);
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

/** The most folders that a message names. */
const mostNamed = 5;

/** The error for a directory without evidence, which may hold the directories of runs. */
export function noEvidenceIn(path: string): UsageError {
  const names = readdirSync(path).sort();
  const runs = names.map((name) => join(path, name)).filter((folder) => evidenceIfAny(folder).length > 0);
  if (runs.length === 0)
    return new UsageError(`${path}: no evidence in this directory; give one that a run wrote its report into`);
  const shown = runs.slice(0, mostNamed).map(shellWord).join(' ');
  const more = runs.length > mostNamed ? ` and ${runs.length - mostNamed} more` : '';
  return new UsageError(`${path}: no evidence in this directory, but below it: give ${shown}${more}`);
}

/** Throws UsageError if none of the files holds anything: what they are for does not matter then. */
export function checkFilled(files: readonly string[]): void {
  const [first] = files;
  if (first === undefined || files.some((file) => statSync(presentFile(file)).size > 0)) return;
  throw new UsageError(`${first}: contains no run, because it is empty; give the evidence.jsonl.gz that a run wrote`);
}

/** Returns why a file could not be read or written, in one sentence. Throws what is a bug. */
export function fileFailure(error: unknown): string {
  if (error instanceof EvidenceError) return error.message;
  if ((error as NodeJS.ErrnoException).code === undefined) throw error;
  return whyNot(error);
}
