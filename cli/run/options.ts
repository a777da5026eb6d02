// What a run can be told beside its target.
import { allCases, selects } from '../../matrix/requirements/index.js';
import { UsageError } from '../usageError.js';

/** What the command line says of a run beside its target. */
export interface RunOptions {
  readonly output: string;
  readonly grep?: string;
  readonly workers: string;
  readonly fixtures?: string;
  readonly egressSocket?: string;
  /** Seconds. */
  readonly patience?: string;
}

/** Throws UsageError for options that no run can have. */
export function checkOptions({ grep, workers, patience }: RunOptions): void {
  if (!/^[1-9]\d?$/.test(workers)) throw new UsageError(`--workers: ${workers} is not a number from 1 to 99`);
  if (patience !== undefined && !/^[1-9]\d{0,2}$/.test(patience))
    throw new UsageError(`--patience: ${patience} is not a number of seconds from 1 to 999`);
  if (!allCases().some(({ id }) => selects(grep, id))) {
    throw new UsageError(`no case id contains ${JSON.stringify(grep)}; run --list prints them all`);
  }
}
