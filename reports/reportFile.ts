// Reads report.json as evidence that can be judged again: everything except exchanges.
import { readFile } from 'node:fs/promises';
import type { CaseResult, EvidenceLine } from '../suites/requirements/index.js';
import { type Evidence, EvidenceError } from './evidence.js';
import { checkLine, isRecord } from './evidenceLine.js';
import { verdictToday } from './olderWords.js';
import { reportVersion } from './render/json.js';
import { firstLine } from './render/visible.js';

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
  // Version 1 had other words, which `checkLine` translates.
  if (report.reportVersion !== reportVersion && report.reportVersion !== 1) {
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
  const verdict = verdictToday(String(reported.verdict)) === 'known-deviation' ? 'failed' : reported.verdict;
  const line = lineOf('case', { ...reported, verdict, exchanges: [] });
  return line.type === 'case' ? line : undefined;
}

function lineOf(type: EvidenceLine['type'], fields: unknown): EvidenceLine {
  if (!isRecord(fields)) throw new Error(`its ${type} is not an object`);
  return checkLine({ ...fields, type });
}
