// The stored record of a run on a server, to compare servers: counts, requirements, and proof of deviations.
import { groupBy } from '../../../matrix/api/groupBy.js';
import { defined, nameOfKind } from '../../../matrix/api/index.js';
import { requirementsOf } from '../../../suites/requirements/index.js';
import { type Counts, countVerdicts, type JudgedCase, shareOf } from '../../judge/counts.js';
import { byDeviation } from '../../judge/deviations.js';
import type { Evidence } from '../../judge/evidence.js';
import { decidingExchange } from '../../judge/failureMessage.js';
import type { Verdict } from '../../judge/verdict.js';
import { type LevelWord, levels } from '../../page/words.js';
import { cutTo, visible } from '../../safeText.js';
import { exchangeText } from '../exchangeText.js';

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

export interface ServerRecord {
  readonly format: typeof format;
  readonly name: string;
  readonly serverVersion?: string;
  readonly version: string;
  readonly startedAt: string;
  readonly line: string;
  readonly chapters: Readonly<Record<string, Readonly<Record<LevelWord, Counts>>>>;
  readonly requirements: Readonly<Record<string, RecordedShare>>;
  readonly deviations: readonly RecordedDeviation[];
  /** The counts of the kinds that only the server knows, by `plural.group/version`; absent if the run had none. */
  readonly kinds?: Readonly<Record<string, Counts>>;
}

/**
 * Returns the name of the files of a server's record, without the extension: whatever its target file calls the server, it
 * is a name in a folder.
 */
export const recordFileOf = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '')
    .slice(0, 100)
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^\.+/, '') || 'server';

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
    [...ofKinds].flatMap(([name, members]) => (name === undefined ? [] : [[name, countVerdicts(members)] as const])),
  );
}

function countsOf(members: readonly JudgedCase[]): Record<LevelWord, Counts> {
  const counts = levels.map(
    (level) => [level, countVerdicts(members.filter(({ requirement }) => requirement.row.level === level))] as const,
  );
  return Object.fromEntries(counts) as Record<LevelWord, Counts>;
}

function proved(judged: JudgedCase, cases: number): Omit<RecordedDeviation, 'reason' | 'requirements'> {
  const proof = decidingExchange(judged);
  return {
    cases,
    subject: visible(judged.subject),
    message: cutTo(visible(judged.message ?? ''), 400),
    ...(proof && { exchange: cutTo(exchangeText(proof, kept), 2 * kept) }),
  };
}

/** Parses a record. Returns undefined if the text is not a record of this version of the format. */
export function parseRecord(text: string): ServerRecord | undefined {
  let value: Partial<ServerRecord> | null;
  try {
    value = JSON.parse(text) as Partial<ServerRecord> | null;
  } catch {
    return undefined;
  }
  const isRecord = value?.format === format && typeof value.name === 'string' && typeof value.chapters === 'object';
  return isRecord ? (value as ServerRecord) : undefined;
}
