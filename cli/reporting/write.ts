// From evidence to the verdict, the report in every format, and the summary on the terminal.

import { existsSync } from 'node:fs';
import {
  judge,
  type PastRun,
  parseHistory,
  renderHistory,
  renderSummary,
  type Verdict,
  type WrittenBy,
  withRun,
  writeReports,
} from '../../reports/index.js';
import type { EvidenceChoice } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';
import { checkFile, readTextFile, writeTextFile } from '../files.js';
import { coloured, emphasized } from '../terminal.js';
import { evidenceIn, fileFailure, noEvidenceIn } from './evidence.js';

interface ReportOptions {
  readonly shardAlone?: boolean;
  readonly evidence?: EvidenceChoice;
  readonly writtenBy?: WrittenBy;
  readonly written?: () => void | Promise<void>;
  /** The file of the history, which need not be there; the run is added to it. */
  readonly history?: string;
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
    process.stderr.write(`${path}: no evidence in this directory; its shard counts as missing\n`);
  }
  const verdict = judge(evidence, options);
  const history = options.history === undefined ? [] : withRun(readHistory(options.history), verdict, evidence);
  const paths = await writeReports(verdict, evidence, directory, history).catch((error: unknown) => {
    throw new UsageError(`no report can be written into ${directory} (${fileFailure(error)}): give another --output`);
  });
  if (options.history !== undefined) writeTextFile(options.history, renderHistory(history));
  await options.written?.();
  process.stdout.write(`${renderSummary(verdict, styles)}\n${countLine(verdict)}\nreport: ${paths.html}\n`);
  return verdict.exitCode;
}

const styles = {
  mark: emphasized,
  good: (text: string) => coloured('green', text),
  bad: (text: string) => coloured('red', text),
};

/** Reads a history; empty if the file is not there. Throws UsageError if it is no history, or cannot be written. */
export function readHistory(file: string): PastRun[] {
  checkFile(file, '--history');
  if (!existsSync(file)) return [];
  const history = parseHistory(readTextFile(file, '--history'));
  if (history === undefined) throw new UsageError(`--history: ${file} is not a history of runs; give another file`);
  return history;
}

/** Returns one line for scripts with the number of cases for each verdict. */
export function countLine({ cases }: Verdict): string {
  const count = (...verdicts: readonly Verdict['cases'][number]['verdict'][]): number =>
    cases.filter(({ verdict }) => verdicts.includes(verdict)).length;
  return (
    `cases: ${count('passed')} passed, ${count('failed')} failed, ${count('blocked')} blocked, ` +
    `${count('known-deviation')} known deviations, ${count('not-supported')} not supported, ${count('skipped')} skipped`
  );
}
