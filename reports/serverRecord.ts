// The stored record of a run on a server, to compare servers: counts, requirements, and proof of deviations.
import { defined, nameOfKind } from '../matrix/api/index.js';
import { currentChapter, requirementsOf } from '../suites/requirements/index.js';
import { shareOf } from './comparedRequirements.js';
import { type Counts, count, groupBy, type JudgedCase } from './counts.js';
import { byDeviation } from './deviations.js';
import type { Evidence } from './evidence.js';
import { verdictToday } from './olderWords.js';
import { type LevelWord, levels } from './page/words.js';
import { exchangeText } from './render/exchangeText.js';
import { proofOf } from './render/proof.js';
import { cutTo, visible } from './render/visible.js';
import type { Verdict } from './verdict.js';

/** The version of the format. Version 1 had only the counts of chapters, in older words. */
const format = 2;

/** The longest exchange in a record, in characters. */
const kept = 2_000;

/** The numbers of passed, judged and unjudged cases of a requirement. */
export type RecordedShare = readonly [passed: number, judged: number, unjudged: number];

/** A known deviation with its proof. */
export interface RecordedDeviation {
  readonly reason: string;
  readonly requirements: readonly string[];
  readonly cases: number;
  /** One case of the requirement. */
  readonly subject: string;
  readonly message: string;
  readonly exchange?: string;
}

/** One run on one server. */
export interface ServerRecord {
  readonly format: typeof format;
  readonly name: string;
  readonly serverVersion?: string;
  /** The version of the suite. */
  readonly version: string;
  readonly startedAt: string;
  readonly line: string;
  readonly chapters: Readonly<Record<string, Readonly<Record<LevelWord, Counts>>>>;
  /** The shares by requirement id; empty in records of version 1. */
  readonly requirements: Readonly<Record<string, RecordedShare>>;
  readonly deviations: readonly RecordedDeviation[];
  /** The counts of the kinds that only the server knows, by `plural.group/version`; absent if the run had none. */
  readonly kinds?: Readonly<Record<string, Counts>>;
}

/** Returns the record of a run that has started. */
export function recordOf(verdict: Verdict, { run }: Evidence): ServerRecord {
  const cases = verdict.requirements.flatMap((requirement) => requirement.cases);
  const chapters = [...groupBy(cases, ({ requirement }) => requirement.chapter)].map(
    ([chapter, members]) => [chapter, countsOf(members)] as const,
  );
  const shares = verdict.requirements.flatMap(({ requirement, cases: members }) => {
    const share = shareOf(members);
    return share === undefined
      ? []
      : [[requirement.id, [share.passed, share.judged, members.length - share.judged]] as const];
  });
  const serverVersion = run?.target.serverVersion;
  return {
    format,
    name: run?.target.name ?? 'no target',
    ...defined({ serverVersion }),
    version: run?.version ?? '?',
    startedAt: run?.startedAt ?? '?',
    line: verdict.line,
    chapters: Object.fromEntries(chapters),
    requirements: Object.fromEntries(shares),
    ...(verdict.kinds && { kinds: countsOfKinds(verdict.kinds.cases) }),
    deviations: [...byDeviation(cases)].flatMap(([deviation, members]) => {
      const [first] = members;
      return first
        ? [{ reason: deviation.reason, requirements: requirementsOf(deviation), ...proved(first, members.length) }]
        : [];
    }),
  };
}

function countsOfKinds(cases: readonly JudgedCase[]): Record<string, Counts> {
  const ofKinds = groupBy(cases, ({ about }) => {
    const { resource, groupVersion } = about?.operation ?? {};
    if (resource === undefined || groupVersion === undefined) return undefined;
    return `${nameOfKind({ plural: resource.plural, group: groupVersion.group })}/${groupVersion.version}`;
  });
  return Object.fromEntries(
    [...ofKinds].flatMap(([name, members]) => (name === undefined ? [] : [[name, count(members)] as const])),
  );
}

function countsOf(members: readonly JudgedCase[]): Record<LevelWord, Counts> {
  const counts = levels.map(
    ({ id, word }) => [word, count(members.filter(({ requirement }) => requirement.row.level === id))] as const,
  );
  return Object.fromEntries(counts) as Record<LevelWord, Counts>;
}

function proved(judged: JudgedCase, cases: number): Omit<RecordedDeviation, 'reason' | 'requirements'> {
  const proof = proofOf(judged);
  return {
    cases,
    subject: visible(judged.subject),
    message: cutTo(visible(judged.message ?? ''), 400),
    ...(proof && { exchange: cutTo(exchangeText(proof, kept), 2 * kept) }),
  };
}

/** Parses a record, also of version 1. Returns undefined if the text is not a record. */
export function parseRecord(text: string): ServerRecord | undefined {
  let value: Record<string, unknown> | null;
  try {
    value = JSON.parse(text) as Record<string, unknown> | null;
  } catch {
    return undefined;
  }
  if (value === null || typeof value.name !== 'string') return undefined;
  if (typeof value.chapters !== 'object' || value.chapters === null) return undefined;
  if (value.format === format) return value as unknown as ServerRecord;
  return value.format === 1 ? fromFirst(value as unknown as FirstRecord) : undefined;
}

type FirstCounts = Readonly<Record<'required' | 'recommended', Readonly<Record<string, number>>>>;
type FirstRecord = Omit<ServerRecord, 'chapters' | 'format'> & {
  readonly chapters: Readonly<Record<string, FirstCounts>>;
};

function fromFirst(record: FirstRecord): ServerRecord {
  const chapters = Object.entries(record.chapters).map(([name, { required, recommended }]) => [
    currentChapter(name),
    { required: countsToday(required), recommended: countsToday(recommended) },
  ]);
  return { ...record, format, chapters: Object.fromEntries(chapters), requirements: {}, deviations: [] };
}

function countsToday(counts: Readonly<Record<string, number>> = {}): Counts {
  const today: Record<string, number> = { ...count([]) };
  for (const [verdict, number] of Object.entries(counts)) {
    const word = verdictToday(verdict);
    today[word] = (today[word] ?? 0) + number;
  }
  return today as Counts;
}
