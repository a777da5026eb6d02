// The notes of passed cases, one line for each thing that they are about.
import type { CaseResult } from '../suites/requirements/index.js';

/** Returns the combined notes: `Pod has more than the suite knows: metadata.managedFields, spec.priority`. */
export function notedLines(cases: Iterable<Pick<CaseResult, 'note'>>): string[] {
  const noted = new Map<string, Set<string>>();
  for (const { note = '' } of cases) {
    const end = note.indexOf(': ');
    if (end < 0) continue;
    const about = note.slice(0, end);
    const known = noted.get(about) ?? new Set<string>();
    for (const what of note.slice(end + 2).split(', ')) known.add(what);
    noted.set(about, known);
  }
  return [...noted]
    .sort()
    .map(([about, what]) => `${about} has more than the suite knows: ${[...what].sort().join(', ')}`);
}
