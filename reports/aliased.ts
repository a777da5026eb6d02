// What ran under another version than its own: told on a line of its own, and scored as what it is, not supported.
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
  const { passed, 'known-deviation': deviating, skipped } = count(cases);
  const failed = cases.filter(isFailure).length;
  const more = [
    ...(deviating > 0 ? [plural(deviating, 'known deviation')] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return { cases, line: [`aliased: ${passed} passed`, `${failed} failed`, ...more].join(', ') };
}

/** What a case that ran under an alias counts as: its own version is not served. */
export function withoutAlias(result: CaseResult): CaseResult {
  const { alias, skip: _, ...own } = result;
  if (alias === undefined) return result;
  return { ...own, verdict: 'not-supported', message: `it ran under ${alias} instead, not scored`, exchanges: [] };
}
