// The numbers of cases and of expected requests of a test, passed to the reporter as annotations.
import { type CaseResult, covers, type Deviation, type Level } from '../requirements/index.js';
import type { Run } from './settings.js';

interface Annotation {
  readonly type: string;
  readonly description?: string;
}

const types = {
  cases: 'cases',
  failed: 'failed cases',
  blocked: 'blocked cases',
  requests: 'expected requests',
  unsent: 'expected requests of skipped cases',
} as const;

export function countAnnotation(what: keyof typeof types, number: number): { type: string; description: string } {
  return { type: types[what], description: String(number) };
}

/** Returns the number in a test's annotations; 0 if there is none. */
export function annotatedCount(what: keyof typeof types, annotations: readonly Annotation[]): number {
  const annotation = annotations.find(({ type }) => type === types[what]);
  return Number(annotation?.description ?? 0);
}

/** Returns the failed results, without declared deviations and without requirements that are not scored. */
export function undeclared(results: readonly CaseResult[], deviations: readonly Deviation[]): CaseResult[] {
  const isDeclared = ({ requirement, subject }: CaseResult): boolean =>
    deviations.some((deviation) => covers(deviation, requirement, subject));
  return results.filter(
    (result) =>
      result.alias === undefined &&
      (result.verdict === 'blocked' || (result.verdict === 'failed' && !isDeclared(result))),
  );
}

/** Returns why a failed case does not fail its test, as it does not fail the run; undefined if it does. */
export function whySpared(
  { id }: Pick<CaseResult, 'id'>,
  level: Level,
  { known = [], onlyRequired }: Pick<Run, 'known' | 'onlyRequired'>,
): string | undefined {
  if (known.includes(id)) return 'known';
  return onlyRequired && level === 'recommended' ? 'recommended, does not decide:' : undefined;
}
