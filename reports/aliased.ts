// The cases that ran under another version than their own: reported separately, and scored as not supported.
import type { CaseResult } from '../suites/requirements/index.js';
import { count, isFailure, type JudgedCase, plural } from './counts.js';

/** The cases of aliased resources, with their verdicts under the alias. They never decide conformance. */
export interface Aliased {
  readonly cases: readonly JudgedCase[];
  /** `aliased: N passed, M failed`, and the numbers of other verdicts; empty if nothing ran under an alias. */
  readonly line: string;
}

/** Returns the verdict line and the cases of aliased resources. */
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

/** Returns the result of a case without its alias: its own version is not served, so the case is not supported. */
export function withoutAlias(result: CaseResult): CaseResult {
  const { alias, skip: _, ...own } = result;
  if (alias === undefined) return result;
  return { ...own, verdict: 'not-supported', message: `it ran under ${alias} instead, not scored`, exchanges: [] };
}
