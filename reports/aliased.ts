// What ran under another version than its own: told on a line of its own, and scored as what it is, not offered.
import type { CaseResult } from '../matrix/requirements/index.js';
import { count, isFailure, type JudgedCase, plural } from './counts.js';

/** The cases of aliased resources, with the verdicts that they had there. They never decide conformance. */
export interface Aliased {
  readonly cases: readonly JudgedCase[];
  /** `aliased: N passed, M failed`, and what else there was; empty where nothing ran under an alias. */
  readonly line: string;
}

/** The aliased cases among those that were judged. */
export function aliasedOf(cases: readonly JudgedCase[]): Aliased {
  if (cases.length === 0) return { cases, line: '' };
  const { passed, deviation, 'not-run': notRun, 'not-reached': notReached } = count(cases);
  const failed = cases.filter(isFailure).length;
  const more = [
    ...(deviation > 0 ? [plural(deviation, 'deviation')] : []),
    ...(notRun > 0 ? [`${notRun} not run`] : []),
    ...(notReached > 0 ? [`${notReached} not reached`] : []),
  ];
  return { cases, line: [`aliased: ${passed} passed`, `${failed} failed`, ...more].join(', ') };
}

/** What a case that ran under an alias counts as: its own version is not served. */
export function withoutAlias(result: CaseResult): CaseResult {
  const { alias, ...own } = result;
  if (alias === undefined) return result;
  return { ...own, verdict: 'not-offered', message: `it ran under ${alias} instead, not scored`, exchanges: [] };
}
