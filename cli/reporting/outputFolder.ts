// The folder of a run: that it is ours to write into, and that no other run writes there.
import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { defined } from '../../matrix/api/index.js';
import { replaceFile } from '../../matrix/api/replaceFile.js';
import { presentFile, reportFiles } from '../../reports/index.js';
import { UsageError } from '../errors.js';
import { beginningOf, isRunning } from '../running.js';

/** A folder that this process writes into, until it is released. */
export interface TakenFolder {
  /** Tells others which run it is. */
  name(runId: string): void;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, where the system tells it. */
  readonly began?: number;
  readonly runId?: string;
}

const lockName = '.run.lock';

/**
 * Takes a folder for a run. Throws UsageError if another run is writing into it, or if it has files of the names that
 * a run writes, which no run has written.
 */
export function takeFolder(folder: string): TakenFolder {
  checkOwn(folder);
  const file = join(folder, lockName);
  const holder: Holder = { pid: process.pid, host: hostname(), ...defined({ began: beginningOf(process.pid) }) };
  lock(folder, file, holder);
  const release = (): void => {
    process.off('exit', release);
    if (holderIn(file)?.pid === process.pid) rmSync(file, { force: true });
  };
  process.once('exit', release);
  // Whole at any time: a lock that cannot be read counts as that of a dead process.
  const name = (runId: string): void => replaceFile(file, JSON.stringify({ ...holder, runId }));
  return { name, release };
}

function lock(folder: string, file: string, holder: Holder): void {
  for (let isSecond = false; ; isSecond = true) {
    try {
      const handle = openSync(file, 'wx');
      writeFileSync(handle, JSON.stringify(holder));
      closeSync(handle);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const other = holderIn(file);
      if (isSecond || (other !== undefined && isAlive(other))) throw taken(folder, file, other);
      // Its process is dead.
      rmSync(file, { force: true });
    }
  }
}

function taken(folder: string, file: string, other: Holder | undefined): UsageError {
  const who = `${other?.runId === undefined ? 'another run' : `run ${other.runId}`} (pid ${other?.pid ?? 'unknown'})`;
  return new UsageError(
    `--output: ${who} is writing into ${folder}: give another folder, or remove ${file} if there is no such run`,
  );
}

function holderIn(file: string): Holder | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder> | null;
    return Number.isInteger(value?.pid) ? (value as Holder) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reports whether the process of a lock runs. A container that starts again has the same number, and another host; after
 * a restart of the machine, another process may have the number.
 */
function isAlive({ pid, host, began }: Holder): boolean {
  if (host !== hostname() || pid === process.pid || !isRunning(pid)) return false;
  return began === undefined || (beginningOf(pid) ?? began) === began;
}

/** Throws UsageError if a report would replace files that no run has written. */
export function checkOwn(folder: string): void {
  const found = reportFiles.find((file) => existsSync(join(folder, file)));
  if (found === undefined || isOfRun(folder)) return;
  throw new UsageError(
    `--output: ${join(folder, found)} is not the file of a run, and a report would replace it: give another folder`,
  );
}

/** Reports whether a folder has evidence, or a report in JSON. */
function isOfRun(folder: string): boolean {
  const evidence = ['evidence', 'evidence.jsonl'].map((name) => presentFile(join(folder, name)));
  return evidence.some((file) => existsSync(file)) || isReport(join(folder, 'report.json'));
}

function isReport(file: string): boolean {
  if (!existsSync(file)) return false;
  const begin = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  readSync(handle, begin);
  closeSync(handle);
  return begin.includes('"reportVersion"');
}
