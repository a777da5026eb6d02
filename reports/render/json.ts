// The report as JSON for programs, described by reports/schema/report.schema.json.
import { defined } from '../../matrix/api/index.js';
import type { RunFooter, RunHeader, SkipReason } from '../../suites/requirements/index.js';
import { type Counts, count, groupBy, type JudgedCase, type JudgedVerdict, type State } from '../counts.js';
import type { Evidence } from '../evidence.js';
import { notedLines } from '../noted.js';
import { type KindState, type OtherKind, otherKinds } from '../otherKinds.js';
import { type LevelWord, levelWord } from '../page/words.js';
import { runChecks } from '../runChecks.js';
import type { RequirementVerdict, Verdict } from '../verdict.js';

/** Increased when a reader of the previous version would misread the file; new fields alone do not increase it. */
export const reportVersion = 2;

/** One case in report.json. */
interface ReportedCase {
  readonly id: string;
  readonly requirement: string;
  readonly subject: string;
  readonly verdict: JudgedVerdict;
  /** The kind of reason for a skipped case. */
  readonly skip?: SkipReason;
  readonly message?: string;
  /** The reason of the deviation that covers the case. */
  readonly reason?: string;
  readonly missing?: true;
  /** Set if the case failed in the baseline too. */
  readonly known?: true;
  readonly milliseconds?: number;
  /** The exchanges in evidence.jsonl that prove the verdict; absent for passed cases. */
  readonly exchanges?: readonly string[];
}

/** One requirement in report.json. */
interface ReportedRequirement {
  readonly id: string;
  readonly chapter: string;
  readonly level: LevelWord;
  /** The number of its rule of the interface, such as `4.2`. */
  readonly rule: string;
  readonly text: string;
  readonly state: State;
  readonly counts: Counts;
}

/** One kind that the interface lacks. */
interface ReportedKind {
  /** `plural.group`. */
  readonly name: string;
  readonly version: string;
  readonly state: KindState;
  /** Why the run made no objects of it. */
  readonly note?: string;
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
  /** The header of the evidence; absent if there is none. */
  readonly run?: Omit<RunHeader, 'type'>;
  /** Absent if the run was killed. */
  readonly end?: Omit<RunFooter, 'type'>;
  readonly checks: readonly { readonly name: string; readonly problems: readonly string[] }[];
  readonly notes: readonly string[];
  readonly chapters: readonly { readonly name: string; readonly counts: Counts }[];
  /** The kinds that the interface lacks; absent if the run did not ask for them. */
  readonly kinds?: readonly ReportedKind[];
  readonly requirements: readonly ReportedRequirement[];
  readonly cases: readonly ReportedCase[];
}

/** Returns the whole run as JSON, each requirement and each case on a line of its own. */
export function renderJson(verdict: Verdict, evidence: Evidence): string {
  const fields = Object.entries(reportOf(verdict, evidence));
  const lines: string[] = ['{'];
  for (const [index, [name, value]] of fields.entries()) {
    const end = index === fields.length - 1 ? '' : ',';
    if (Array.isArray(value) && value.length > 0) {
      lines.push(`  ${JSON.stringify(name)}: [`);
      for (const [at, element] of value.entries())
        lines.push(`    ${JSON.stringify(element)}${at === value.length - 1 ? '' : ','}`);
      lines.push(`  ]${end}`);
    } else lines.push(`  ${JSON.stringify(name)}: ${JSON.stringify(value)}${end}`);
  }
  return `${lines.join('\n')}\n}\n`;
}

function reportOf(verdict: Verdict, { run, end, notes, cases: results }: Evidence): ReportFile {
  const { outcome, line, exitCode, reasons, recommended, counts, requirements, cases } = verdict;
  const chapters = groupBy(requirements, ({ requirement }) => requirement.chapter);
  return {
    reportVersion,
    verdict: { outcome, line, exitCode, reasons, recommended },
    counts: { required: counts.required, recommended: counts.recommended },
    ...(run && { run: withoutType(run) }),
    ...(end && { end: withoutType(end) }),
    checks: runChecks(verdict),
    notes: [...notes, ...notedLines(results.values())],
    chapters: [...chapters].map(([name, members]) => ({ name, counts: count(members.flatMap((one) => one.cases)) })),
    ...(verdict.kinds && { kinds: otherKinds(verdict).map(reportedKind) }),
    requirements: requirements.map(reportedRequirement),
    cases: cases.map(reportedCase),
  };
}

function reportedRequirement({ requirement, state, counts }: RequirementVerdict): ReportedRequirement {
  const { id, chapter, row } = requirement;
  return { id, chapter, level: levelWord(row.level), rule: row.rule, text: row.text, state, counts };
}

function reportedKind({ name, version, state, note, counts }: OtherKind): ReportedKind {
  return { name, version, state, ...(note !== '' && { note }), counts };
}

function reportedCase(judged: JudgedCase): ReportedCase {
  const { id, requirement, subject, verdict, skip, message, deviation, missing, known, timing, exchanges } = judged;
  return {
    id,
    requirement: requirement.id,
    subject,
    verdict,
    ...(skip && { skip }),
    ...defined({ message }),
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
