// report.json: the report for programs, described by reports/schema/report.schema.json, and read again as evidence.

import { readFile } from 'node:fs/promises';
import { groupBy } from '../../matrix/api/groupBy.js';
import { defined } from '../../matrix/api/index.js';
import type { CaseResult, EvidenceLine, RunFooter, RunHeader, SkipReason } from '../../suites/requirements/index.js';
import { type Counts, countVerdicts, type JudgedCase, type JudgedVerdict, type State } from '../judge/counts.js';
import { type Evidence, EvidenceError } from '../judge/evidence.js';
import { checkLine, isRecord } from '../judge/evidenceLine.js';
import { type KindState, type OtherKind, otherKinds } from '../judge/otherKinds.js';
import type { RequirementVerdict, Verdict } from '../judge/verdict.js';
import type { LevelWord } from '../page/words.js';
import { firstLine } from '../safeText.js';

/** Increased when a reader of the previous version would misread the file; new fields alone do not increase it. */
const reportVersion = 2;

interface ReportedCase {
  readonly id: string;
  readonly requirement: string;
  readonly subject: string;
  readonly verdict: JudgedVerdict;
  /** The kind of reason for a skipped case. */
  readonly skip?: SkipReason;
  readonly message?: string;
  /** Why a passed case failed when it was tried first. */
  readonly retried?: string;
  /** The reason of the deviation that covers the case. */
  readonly reason?: string;
  readonly missing?: true;
  /** Set if the case failed in the baseline too. */
  readonly known?: true;
  readonly milliseconds?: number;
  /** The exchanges in evidence.jsonl.gz that prove the verdict; absent for passed cases. */
  readonly exchanges?: readonly string[];
}

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

export interface ReportFile {
  readonly reportVersion: number;
  readonly verdict: {
    readonly outcome: Verdict['outcome'];
    readonly line: string;
    readonly exitCode: Verdict['exitCode'];
    /** The number of known failures of a run that has no others. */
    readonly nothingNew?: number;
    readonly failing: Verdict['failing'];
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

function reportOf(verdict: Verdict, { run, end, notes }: Evidence): ReportFile {
  const { outcome, line, exitCode, nothingNew, failing, reasons, recommended, counts, requirements, cases } = verdict;
  const chapters = groupBy(requirements, ({ requirement }) => requirement.chapter);
  return {
    reportVersion,
    verdict: { outcome, line, exitCode, ...defined({ nothingNew }), failing, reasons, recommended },
    counts: { required: counts.required, recommended: counts.recommended },
    ...(run && { run: withoutType(run) }),
    ...(end && { end: withoutType(end) }),
    checks: verdict.checks,
    notes: [...notes, ...verdict.beyond],
    chapters: [...chapters].map(([name, members]) => ({
      name,
      counts: countVerdicts(members.flatMap((one) => one.cases)),
    })),
    ...(verdict.kinds && { kinds: otherKinds(verdict).map(reportedKind) }),
    requirements: requirements.map(reportedRequirement),
    cases: cases.map(reportedCase),
  };
}

function reportedRequirement({ requirement, state, counts }: RequirementVerdict): ReportedRequirement {
  const { id, chapter, row } = requirement;
  return { id, chapter, level: row.level, rule: row.rule, text: row.text, state, counts };
}

function reportedKind({ name, version, state, note, counts }: OtherKind): ReportedKind {
  return { name, version, state, ...(note !== '' && { note }), counts };
}

function reportedCase(judged: JudgedCase): ReportedCase {
  const { id, requirement, subject, verdict, skip, message, retried, deviation, missing, known, timing, exchanges } =
    judged;
  return {
    id,
    requirement: requirement.id,
    subject,
    verdict,
    ...(skip && { skip }),
    ...defined({ message, retried }),
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

/** Returns the evidence of a report.json, without exchanges. Throws an `EvidenceError` that names the fault. */
export async function readReport(file: string): Promise<Evidence> {
  const text = await readFile(file, 'utf8');
  try {
    return evidenceOf(JSON.parse(text));
  } catch (error) {
    const why = firstLine(error instanceof Error ? error.message : String(error));
    throw new EvidenceError(`${file}: not a report.json: ${why}`);
  }
}

function evidenceOf(report: unknown): Evidence {
  if (!isRecord(report)) throw new Error('it is not an object');
  if (report.reportVersion !== reportVersion) {
    throw new Error(`its reportVersion is ${JSON.stringify(report.reportVersion)}, not ${reportVersion}`);
  }
  const run = report.run === undefined ? undefined : lineOf('run', report.run);
  const end = report.end === undefined ? undefined : lineOf('end', report.end);
  if (!Array.isArray(report.cases)) throw new Error('it has no cases');
  const cases = report.cases.flatMap((reported) => caseOf(reported) ?? []);
  return {
    ...(run?.type === 'run' && { run }),
    ...(end?.type === 'end' && { end }),
    cases: new Map(cases.map((result) => [result.id, result])),
    exchanges: new Map(),
    timings: new Map(),
    notes: [],
  };
}

/** Returns the result of a case; undefined for a case that the run never reached. */
function caseOf(reported: unknown): CaseResult | undefined {
  if (!isRecord(reported)) throw new Error('a case is not an object');
  if (reported.missing === true) return undefined;
  const verdict = reported.verdict === 'known-deviation' ? 'failed' : reported.verdict;
  const line = lineOf('case', { ...reported, verdict, exchanges: [] });
  return line.type === 'case' ? line : undefined;
}

function lineOf(type: EvidenceLine['type'], fields: unknown): EvidenceLine {
  if (!isRecord(fields)) throw new Error(`its ${type} is not an object`);
  return checkLine({ ...fields, type });
}
