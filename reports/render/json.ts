// The report as JSON, for programs: reports/schema/report.schema.json says what is in it.
import type { RunFooter, RunHeader, SkipReason } from '../../matrix/requirements/index.js';
import { type Counts, count, groupBy, type JudgedCase, type JudgedVerdict, type State } from '../counts.js';
import type { Evidence } from '../evidence.js';
import { notedLines } from '../noted.js';
import { type LevelWord, levelWord } from '../page/words.js';
import { runChecks } from '../runChecks.js';
import type { RequirementVerdict, Verdict } from '../verdict.js';

/** Raised when a reader of the previous version would misread the file; new fields alone do not raise it. */
export const reportVersion = 2;

/** One case as report.json has it. */
interface ReportedCase {
  readonly id: string;
  readonly requirement: string;
  readonly subject: string;
  readonly verdict: JudgedVerdict;
  /** Why it was skipped. */
  readonly skip?: SkipReason;
  readonly message?: string;
  /** Why the case may fail: the reason of the deviation that covers it. */
  readonly reason?: string;
  readonly missing?: true;
  /** It failed in the earlier run too that this one is compared with. */
  readonly known?: true;
  readonly milliseconds?: number;
  /** The exchanges in evidence.jsonl that prove it; not of passed cases. */
  readonly exchanges?: readonly string[];
}

/** One requirement as report.json has it. */
interface ReportedRequirement {
  readonly id: string;
  readonly chapter: string;
  readonly level: LevelWord;
  readonly source: readonly string[];
  readonly text: string;
  readonly state: State;
  readonly counts: Counts;
}

/** The whole file. */
export interface ReportFile {
  readonly reportVersion: number;
  readonly verdict: {
    readonly outcome: Verdict['outcome'];
    readonly line: string;
    readonly exitCode: Verdict['exitCode'];
    readonly reasons: readonly string[];
    readonly recommended: Verdict['recommended'];
  };
  readonly counts: Readonly<Record<LevelWord, Counts>>;
  /** As the evidence has it; absent where it has no header. */
  readonly run?: Omit<RunHeader, 'type'>;
  /** Absent where the run was killed. */
  readonly end?: Omit<RunFooter, 'type'>;
  readonly checks: readonly { readonly name: string; readonly problems: readonly string[] }[];
  readonly notes: readonly string[];
  readonly chapters: readonly { readonly name: string; readonly counts: Counts }[];
  readonly requirements: readonly ReportedRequirement[];
  readonly cases: readonly ReportedCase[];
}

/** The whole run as JSON, each requirement and each case on a line of its own. */
export function renderJson(verdict: Verdict, evidence: Evidence): string {
  const file = reportOf(verdict, evidence);
  const fields = Object.entries(file).map(([name, value]) => `  ${JSON.stringify(name)}: ${field(value)}`);
  return `{\n${fields.join(',\n')}\n}\n`;
}

function reportOf(verdict: Verdict, { run, end, notes, cases: results }: Evidence): ReportFile {
  const { outcome, line, exitCode, reasons, recommended, counts, requirements, cases } = verdict;
  const chapters = groupBy(requirements, ({ requirement }) => requirement.chapter);
  return {
    reportVersion,
    verdict: { outcome, line, exitCode, reasons, recommended },
    counts: { required: counts.stated, recommended: counts.convention },
    ...(run && { run: withoutType(run) }),
    ...(end && { end: withoutType(end) }),
    checks: runChecks(verdict),
    notes: [...notes, ...notedLines(results.values())],
    chapters: [...chapters].map(([name, members]) => ({ name, counts: count(members.flatMap((one) => one.cases)) })),
    requirements: requirements.map(reportedRequirement),
    cases: cases.map(reportedCase),
  };
}

function reportedRequirement({ requirement, state, counts }: RequirementVerdict): ReportedRequirement {
  const { id, chapter, row } = requirement;
  return { id, chapter, level: levelWord(row.level), source: row.source, text: row.text, state, counts };
}

function reportedCase(judged: JudgedCase): ReportedCase {
  const { id, requirement, subject, verdict, skip, message, deviation, missing, known, timing, exchanges } = judged;
  return {
    id,
    requirement: requirement.id,
    subject,
    verdict,
    ...(skip && { skip }),
    ...(message !== undefined && { message }),
    ...(deviation && { reason: deviation.reason }),
    ...(missing && { missing }),
    ...(known && { known }),
    ...(timing && Number.isFinite(timing.milliseconds) && { milliseconds: Math.round(timing.milliseconds) }),
    ...(verdict !== 'passed' && exchanges.length > 0 && { exchanges: exchanges.map((exchange) => exchange.id) }),
  };
}

function withoutType<T extends { readonly type: string }>({ type: _, ...rest }: T): Omit<T, 'type'> {
  return rest;
}

function field(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  return `[\n${value.map((element) => `    ${JSON.stringify(element)}`).join(',\n')}\n  ]`;
}
