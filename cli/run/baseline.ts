// The earlier run that a run is compared with: its failures.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { whyNot } from '../../matrix/api/fileFailure.js';
import { previousEvidence } from '../../reports/index.js';
import type { Baseline } from '../../suites/requirements/index.js';
import { UsageError } from '../errors.js';

const failures = new Set<unknown>(['failed', 'blocked']);

/** The option that named a file, and what to do when the file is no run. */
interface Asked {
  readonly option: string;
  readonly remedy: string;
}

const asked: Asked = { option: '--baseline', remedy: 'give the evidence.jsonl.gz or the report of a run' };

/**
 * Reads the failures of an earlier run from its evidence or from a JSON report, whose `cases` have an `id` and a
 * `verdict`. Throws UsageError for any other file, which names the option and the remedy.
 */
export async function readBaseline(file: string, { option, remedy } = asked): Promise<Baseline> {
  const { evidenceIn } = await import('../reporting/evidence.js');
  const report = join(file, 'report.json');
  const at = existsSync(report) ? report : file;
  const read = async () => {
    const evidence = await evidenceIn([at]).catch((error: unknown) => {
      throw error instanceof UsageError ? new UsageError(`${option}: ${error.message}`) : error;
    });
    return [...evidence.cases.values()];
  };
  const cases = casesOfReport(at, { option, remedy }) ?? (await read());
  const failed = cases.filter(({ verdict }) => failures.has(verdict)).map(({ id }) => id);
  return { file, failed: [...new Set(failed)].sort() };
}

/**
 * Returns the ids of the cases that failed, or were blocked, in the last run whose report is in a directory. Throws
 * UsageError if there is no report, or none failed.
 */
export async function lastFailures(directory: string): Promise<readonly string[]> {
  const report = join(directory, 'report.json');
  // A run that could not start removed the report, and set the evidence aside.
  const file = existsSync(report) ? report : previousEvidence(directory);
  if (!existsSync(file)) throw new UsageError(`--failed: no report in ${directory}: run once without --failed`);
  const { failed } = await readBaseline(file, { option: '--failed', remedy: 'run once without --failed' });
  if (failed.length === 0) throw new UsageError(`--failed: no case failed in the last run: ${file}`);
  return failed;
}

interface Judged {
  readonly id: string;
  readonly verdict: unknown;
}

/**
 * Returns the cases of a report, or undefined if the file is not a single JSON value: evidence has one on each line.
 */
function casesOfReport(file: string, { option, remedy }: Asked): readonly Judged[] | undefined {
  if (!file.endsWith('.json')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${option}: ${file} is not JSON: ${remedy}`);
    throw new UsageError(`${option}: cannot read ${file}: ${whyNot(error)}`);
  }
  const cases = (value as { readonly cases?: unknown } | null)?.cases;
  const isJudged = (one: unknown): one is Judged => typeof (one as Judged | null)?.id === 'string';
  if (Array.isArray(cases) && cases.every(isJudged)) return cases;
  throw new UsageError(`${option}: ${file} has no cases with ids: ${remedy}`);
}
