// The tabs of the page: its views, and the number of cases in those that list cases.

import { retries, verdicts } from '../../judge/counts.js';
import type { Verdict } from '../../judge/verdict.js';
import type { ViewName } from '../../page/filter.js';

export interface Tab {
  readonly id: ViewName;
  readonly title: string;
  /** The number of cases; absent where a view lists something else. */
  readonly count?: number;
}

/** Returns the tabs of a run, without tabs for empty lists. */
export function tabsOf(verdict: Verdict): Tab[] {
  const {
    cases,
    requirements,
    counts,
    staleDeviations,
    staleAbsences,
    leftovers,
    outages,
    notes,
    fixed = [],
  } = verdict;
  const [failed, blocked, deviating, , skipped, notSupported] = verdicts.map(
    (verdict) => counts.required[verdict] + counts.recommended[verdict],
  );
  const empty = requirements.filter((one) => one.cases.length === 0);
  const emptyTitle = empty.some(({ state }) => state === 'untested') ? 'Untested' : 'Not observable';
  const ofTheRun = [staleDeviations, staleAbsences, leftovers, outages, notes, fixed, retries(cases)];
  const lineCount = ofTheRun.reduce((sum, { length }) => sum + length, verdict.aliased.line === '' ? 0 : 1);
  const list = (id: ViewName, title: string, count = 0): Tab[] => (count > 0 ? [{ id, title, count }] : []);
  const other = (id: ViewName, title: string, number: number): Tab[] => (number > 0 ? [{ id, title }] : []);
  return [
    { id: 'matrix', title: 'Overview' },
    { id: 'chapters', title: 'Chapters' },
    { id: 'requirements', title: 'Requirements' },
    { id: 'failures', title: 'Failures', count: (failed ?? 0) + (blocked ?? 0) },
    { id: 'cases', title: 'Cases', count: cases.length },
    ...list('deviations', 'Known deviations', deviating),
    ...list('not-supported', 'Not supported', notSupported),
    ...list('skipped', 'Skipped', skipped),
    ...other('untested', emptyTitle, empty.length),
    ...other('run', 'The run', lineCount),
  ];
}
