// What is kept of a run on a server to hold it beside others: its counts by chapter, without exchanges.
import { currentChapter, type Level } from '../matrix/requirements/index.js';
import { type Counts, count, groupBy, type JudgedCase } from './counts.js';
import type { Evidence } from './evidence.js';
import type { Verdict } from './verdict.js';

/** The version of the format. */
const format = 1;

/** One run on one server. */
export interface ServerRecord {
  readonly format: typeof format;
  readonly name: string;
  readonly serverVersion?: string;
  /** Of the suite. */
  readonly version: string;
  readonly startedAt: string;
  readonly line: string;
  readonly chapters: Readonly<Record<string, Readonly<Record<Level, Counts>>>>;
}

/** The record of a run that began. */
export function recordOf(verdict: Verdict, { run }: Evidence): ServerRecord {
  const cases = verdict.requirements.flatMap((requirement) => requirement.cases);
  const ofLevel = (members: readonly JudgedCase[], level: Level): Counts =>
    count(members.filter(({ requirement }) => requirement.row.level === level));
  const chapters = [...groupBy(cases, ({ requirement }) => requirement.chapter)].map(
    ([chapter, members]) =>
      [chapter, { stated: ofLevel(members, 'stated'), convention: ofLevel(members, 'convention') }] as const,
  );
  const serverVersion = run?.target.serverVersion;
  return {
    format,
    name: run?.target.name ?? 'no target',
    ...(serverVersion === undefined ? {} : { serverVersion }),
    version: run?.version ?? '?',
    startedAt: run?.startedAt ?? '?',
    line: verdict.line,
    chapters: Object.fromEntries(chapters),
  };
}

/** Reads a record back. Returns undefined where the text is none of this format. */
export function parseRecord(text: string): ServerRecord | undefined {
  let value: Partial<ServerRecord> | null;
  try {
    value = JSON.parse(text) as Partial<ServerRecord> | null;
  } catch {
    return undefined;
  }
  const isRecord = value?.format === format && typeof value.name === 'string' && typeof value.chapters === 'object';
  return isRecord ? underCurrentNames(value as ServerRecord) : undefined;
}

const underCurrentNames = (record: ServerRecord): ServerRecord => ({
  ...record,
  chapters: Object.fromEntries(Object.entries(record.chapters).map(([name, counts]) => [currentChapter(name), counts])),
});
