// Which broken servers each profile detects: every fault of `suites/testing/faults`, with cases of each profile.
import {
  casesOf,
  failedIn,
  generous,
  isAlone,
  resultsOf,
  startGoodServer,
  stopGoodServer,
} from '../../cli/testing/brokenServer.js';
import { type Case, choose, matches, profiles } from '../../suites/requirements/index.js';
import { faults } from '../../suites/testing/faults/index.js';
import type { Fault } from '../../suites/testing/faults/wire/fault.js';
import { BadOption, numberOf } from './options.js';

export interface FaultsFlags {
  readonly grep: string;
  readonly atOnce: string;
}

export interface SeenByFlags extends FaultsFlags {
  /** A pattern of requirements. */
  readonly requirements: string;
}

/** The maximum number of cases that are tried in addition to those of a fault. */
const most = 1000;

const all = new Map(choose({}).map((each) => [each.id, each]));
const idsOf = (cases: readonly Case[]): ReadonlySet<string> => new Set(cases.map(({ id }) => id));
/** The cases of each profile that leaves some out. */
const parts = { smoke: choose({ profile: 'smoke' }), standard: choose({ profile: 'standard' }) } as const;
const idsIn = { smoke: idsOf(parts.smoke), standard: idsOf(parts.standard) } as const;

/** Returns the broken servers with a text in their name. A row without failures is one that only seems to be broken. */
const rowsWith = (text: string): Fault[] => faults.filter(({ name, fails }) => fails.length > 0 && name.includes(text));

/**
 * Runs each fault with its own cases. Where a profile has none of those that fail, runs the cases of the profile for the
 * same requirements. Returns the counts, and the names of the faults that `standard` leaves to `full`, as text.
 */
export async function detectedFaults({ grep, atOnce }: FaultsFlags): Promise<string> {
  const rows = rowsWith(grep);
  const detected = { smoke: new Set<Fault>(), standard: new Set<Fault>(), full: new Set<Fault>() };
  const look = async (fault: Fault): Promise<void> => {
    const failed = failedIn(await resultsOf(fault)).map(({ id }) => id);
    const requirements = new Set(failed.map((id) => all.get(id)?.requirement.id));
    if (failed.length > 0) detected.full.add(fault);
    // Each profile has the cases of the one before.
    let isSeen = false;
    for (const profile of ['smoke', 'standard'] as const) {
      const alike = parts[profile].filter(({ requirement }) => requirements.has(requirement.id));
      isSeen ||= failed.some((id) => idsIn[profile].has(id)) || (await detects(alike, fault));
      if (isSeen) detected[profile].add(fault);
    }
    process.stderr.write(
      `${detected.smoke.has(fault)} ${detected.standard.has(fault)} ${failed.length} ${fault.name}\n`,
    );
  };
  await onGoodServer(rows, atOnce, look);
  const missed = rows.filter((row) => detected.full.has(row) && !detected.standard.has(row));
  const counts = { smoke: parts.smoke.length, standard: parts.standard.length, full: all.size };
  return [
    ...profiles.map((profile) => {
      const cases = String(counts[profile]).padStart(6);
      return `${profile.padEnd(9)}${cases} cases  ${detected[profile].size} of ${rows.length} faults\n`;
    }),
    `\n${missed.length} that standard leaves to full:\n`,
    ...missed.map(({ name, fails }) => `  ${name} (${fails.join(', ')})\n`),
  ].join('');
}

/**
 * Runs each fault with the cases of the requirements that the pattern names, and of the resources that its own cases
 * are about. Returns a table as text: the fault, and the requirements among them that fail, with their level.
 */
export async function seenBy({ grep, atOnce, requirements: pattern }: SeenByFlags): Promise<string> {
  const asked = [...all.values()].filter(({ requirement }) => matches(pattern, requirement.id));
  if (asked.length === 0) throw new BadOption(`--requirements: no requirement matches ${pattern}`);
  const rows = rowsWith(grep);
  const seen = new Map<Fault, string>();
  const look = async (fault: Fault): Promise<void> => {
    const about = new Set([...casesOf(fault)].flatMap((id) => all.get(id)?.subject.resource ?? []));
    const ids = idsOf(asked.filter(({ subject }) => about.has(subject.resource)));
    const failed = failedIn(await resultsOf(fault, generous, ids));
    seen.set(fault, [...new Set(failed.map(({ requirement }) => requirement))].sort().join(', '));
  };
  await onGoodServer(rows, atOnce, look);
  const count = rows.filter((row) => seen.get(row) !== '').length;
  const table = rows.map((row) => `| ${row.name} | ${row.fails.length} | ${seen.get(row) || 'none'} |\n`);
  return `| Broken server | Its requirements | Of ${pattern} |\n|---|---|---|\n${table.join('')}\n${count} of ${rows.length}\n`;
}

/** Runs `look` on each fault beside one correct server; faults of cases that run alone come last, one by one. */
async function onGoodServer(
  rows: readonly Fault[],
  atOnce: string,
  look: (fault: Fault) => Promise<void>,
): Promise<void> {
  await startGoodServer();
  try {
    await forEach(
      rows.filter((row) => !isAlone(row)),
      numberOf('at-once', atOnce),
      look,
    );
    await forEach(rows.filter(isAlone), 1, look);
  } finally {
    await stopGoodServer();
  }
}

/** Reports whether one of the first cases fails for a fault, also with a timeout that a busy machine does not exhaust. */
async function detects(cases: readonly Case[], fault: Fault): Promise<boolean> {
  const tried = cases.filter(({ subject }) => isAlone(fault) || !subject.alone).slice(0, most);
  if (tried.length === 0) return false;
  const hurried = new Set(failedIn(await resultsOf(fault, undefined, idsOf(tried))).map(({ id }) => id));
  return hurried.size > 0 && failedIn(await resultsOf(fault, generous, hurried)).length > 0;
}

/** Runs `act` on every row, so many at a time. */
async function forEach<T>(rows: readonly T[], atOnce: number, act: (row: T) => Promise<void>): Promise<void> {
  const left = rows.values();
  const next = async (): Promise<void> => {
    for (const row of left) await act(row);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
