// From evidence to the verdict, the report in every format, and the summary on the terminal.

import { appendFileSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from '../../matrix/api/fileFailure.js';
import { replaceFile } from '../../matrix/api/replaceFile.js';
import {
  countLine,
  type Evidence,
  judge,
  type PastRun,
  parseHistory,
  renderAnnotations,
  renderHistory,
  renderMarkdown,
  renderSummary,
  shellWord,
  type Verdict,
  type WrittenBy,
  withRun,
  writeReports,
} from '../../reports/index.js';
import type { EvidenceChoice } from '../../suites/requirements/index.js';
import { isInGithub, UsageError } from '../errors.js';
import { checkFile, readTextFile, shownPath } from '../files.js';
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
  const failure = await writeReports(verdict, evidence, directory, history)
    .then(() => options.history !== undefined && replaceFile(options.history, renderHistory(history)))
    .then(
      () => undefined,
      (error: unknown) => fileFailure(error),
    );
  await options.written?.();
  process.stdout.write(`${renderSummary(verdict, styles)}\n${countLine(verdict)}\n`);
  // The command that joins the shards tells of all of them.
  const isPart = options.shardAlone === true && evidence.run?.choice.shard !== undefined;
  if (isInGithub() && !isPart) tellGithub(verdict, evidence);
  // What was judged does not depend on what could be written.
  if (failure !== undefined) throw unwritten(directory, failure, options);
  process.stdout.write(`report: ${join(directory, 'index.html')}\n`);
  return verdict.exitCode;
}

/** Annotates the job of GitHub Actions that this process is a part of, and adds to its summary. */
function tellGithub(verdict: Verdict, evidence: Evidence): void {
  process.stdout.write(renderAnnotations(verdict));
  const { GITHUB_STEP_SUMMARY: file = '' } = process.env;
  if (file === '') return;
  try {
    appendFileSync(file, `${renderMarkdown(verdict, evidence)}\n`);
  } catch (error) {
    process.stderr.write(`warning: GITHUB_STEP_SUMMARY: cannot write ${file}: ${whyNot(error)}\n`);
  }
}

/** Returns the error of a report that could not be written, and how it is made later. */
function unwritten(directory: string, why: string, { writtenBy }: ReportOptions): UsageError {
  const again = `npx kube-api-conformance report ${shellWord(shownPath(directory))} --output ${shellWord(shownPath(directory))}`;
  const how = writtenBy === 'thisRun' ? `make room, then write it with: ${again}` : 'give another --output';
  return new UsageError(`no report can be written into ${directory} (${why}): ${how}`);
}

const styles = {
  mark: emphasized,
  good: (text: string) => coloured('green', text),
  bad: (text: string) => coloured('red', text),
};

/** The most bytes of a history, of which a run adds some kilobytes. */
const longestHistory = 256 * 1024 * 1024;

/**
 * Reads a history; empty if the file is not there, or is cut and was moved aside: a pipeline must not stop for it. Throws
 * UsageError if it is no history, or cannot be written.
 */
export function readHistory(file: string): PastRun[] {
  checkFile(file, '--history');
  if (!existsSync(file)) return [];
  const text = readTextFile(file, '--history', longestHistory);
  const history = parseHistory(text);
  if (history !== undefined) return history;
  if (!isCut(text)) throw new UsageError(`--history: ${file} is not a history of runs; give another file`);
  const aside = `${file}.damaged`;
  renameSync(file, aside);
  process.stderr.write(`warning: --history: ${file} is cut: it is now ${aside}, and a new history begins\n`);
  return [];
}

/** Reports whether a text is a part of a history, as a job that was killed or a full disk leaves it. */
const isCut = (text: string): boolean => text.trim() === '' || text.startsWith('{"historyVersion"');
