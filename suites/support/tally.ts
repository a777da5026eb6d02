// What a test tells the reporter of its cells: how many it has, and how many of them failed. The words are annotations.
import { type CaseResult, covers, type Deviation } from '../../matrix/requirements/index.js';

interface Annotation {
  readonly type: string;
  readonly description?: string;
}

const types = { cells: 'cells', failed: 'failed cells' } as const;

/** The annotation with the number of cells, or of failed ones. */
export function tellNumber(what: keyof typeof types, number: number): { type: string; description: string } {
  return { type: types[what], description: String(number) };
}

/** The number that a test told; 0 where it told none. */
export function toldNumber(what: keyof typeof types, annotations: readonly Annotation[]): number {
  const told = annotations.find(({ type }) => type === types[what]);
  return Number(told?.description ?? 0);
}

/** The results that are failures, without those that the target's file declares or that are not scored. */
export function undeclared(results: readonly CaseResult[], deviations: readonly Deviation[]): CaseResult[] {
  const isDeclared = ({ requirement, subject }: CaseResult): boolean =>
    deviations.some((deviation) => covers(deviation, requirement, subject));
  return results.filter(
    (result) =>
      result.alias === undefined &&
      (result.verdict === 'blocked' || (result.verdict === 'failed' && !isDeclared(result))),
  );
}
