// What a run does of some groups: the subjects of each set and resource, one after the other.
import { groupBy } from '../../matrix/api/groupBy.js';
import { type Chosen, caseId, type Subject } from '../requirements/index.js';
import type { Work } from './concurrent.js';
import { expectedRequests } from './expectedRequests.js';
import type { Group } from './group.js';

/** The subjects of one set, which are of one resource. */
export interface ResourceWork extends Work {
  readonly resource: string;
}

/**
 * Returns the work of all groups, that on the same resource one after the other: some work mostly waits, and other work
 * is done meanwhile.
 */
export function worksOf(groups: readonly Group[], isChosen: Chosen): ResourceWork[] {
  const works = groups.flatMap((group) => {
    const isTried = (subject: Subject): boolean => group.checks.some(({ id }) => isChosen(caseId(id, subject)));
    const byResource = groupBy(group.subjects.filter(isTried), ({ resource }) => resource);
    return [...byResource].map(([resource, subjects]): ResourceWork => ({ resource, group, subjects }));
  });
  return [...groupBy(works, ({ resource }) => resource).values()].flat();
}

/**
 * The expected requests of the work that one worker runs in its order. Fewer would make the worker wait more often for
 * the last of them, more would leave other workers idle at the end.
 */
const mostRequests = 1000;

/** Divides the work of a chapter into parts for the workers. */
export function partsOf(works: readonly ResourceWork[]): ResourceWork[][] {
  const parts: ResourceWork[][] = [];
  let sum = Number.POSITIVE_INFINITY;
  for (const work of works) {
    const requests = expectedRequests(work.group.chapter, work.subjects);
    sum += requests;
    if (sum > mostRequests) {
      parts.push([]);
      sum = requests;
    }
    parts.at(-1)?.push(work);
  }
  return parts;
}

/** Reports whether the work affects all workers, so that it comes last. */
export const isAlone = ({ subjects }: Work): boolean => subjects.some(({ alone }) => alone === true);

/** Returns the number of chosen cases. */
export function countCases({ subjects, group: { checks } }: Work, isChosen: Chosen): number {
  const ofSubject = (subject: Subject): number => checks.filter(({ id }) => isChosen(caseId(id, subject))).length;
  return subjects.reduce((sum, subject) => sum + ofSubject(subject), 0);
}

/** Returns the expected requests of the subjects that sent none. */
export const unsentOf = ({ group, subjects }: Work, silent: number): number =>
  (expectedRequests(group.chapter, subjects) * silent) / subjects.length;
