// What blocked cases say together: one prerequisite that fails for most of them, or one that only sometimes fails.
import { groupBy } from '../../matrix/api/groupBy.js';
import type { RunHeader } from '../../suites/requirements/index.js';
import { countOf } from '../page/words.js';
import { isFailure, type JudgedCase } from './counts.js';
import { exampleOf, exampleText, messageShape } from './failureMessage.js';

/** A prerequisite that fails, and the cases that it blocks. */
export interface CommonPrerequisite {
  /** The request and its response, as the message of a blocked case says them. */
  readonly what: string;
  readonly cases: readonly JudgedCase[];
}

/** The number of cases from which on a prerequisite is common, and its least part of all failures. */
const fewest = 5;
const leastPart = 0.5;

/** Returns the prerequisite that blocks most of the failing cases; undefined if there is no such one. */
export function commonPrerequisite(cases: readonly JudgedCase[]): CommonPrerequisite | undefined {
  const failing = cases.filter((one) => isFailure(one) && !one.missing);
  const blocked = failing.filter(({ verdict }) => verdict === 'blocked');
  const groups = groupBy(blocked, ({ message = '' }) => requestIn(message) ?? messageShape(message));
  const [most = []] = [...groups.values()].sort((a, b) => b.length - a.length);
  const [first] = most;
  if (first === undefined || most.length < fewest || most.length < failing.length * leastPart) return undefined;
  return { what: exampleText(exampleOf(first.subject, first.message)), cases: most };
}

/** Returns the request and the status in the message of a prerequisite, without the names of the run. */
function requestIn(message: string): string | undefined {
  const [, request, status] = /((?:GET|POST|PUT|PATCH|DELETE) \S+) answered (\d+)/.exec(message) ?? [];
  return request && `${request.replace(/\bkac-[\w-]+/g, '…')} ${status}`;
}

/** Chapters in which no case passes unless its object was created. */
const needsObject: ReadonlySet<string> = new Set(['create', 'read', 'list', 'replace', 'patch', 'delete']);
/** The number of kinds and of blocked cases from which on a create that sometimes fails is no accident. */
const [fewestKinds, fewestBlocked] = [2, 5];

/**
 * Returns a note if creates of the same objects succeeded in some cases and failed in others of a run that sends
 * requests in parallel; otherwise nothing.
 */
export function parallelNote(run: RunHeader | undefined, cases: readonly JudgedCase[]): string[] {
  if (run === undefined || isSerial(run)) return [];
  const ofKinds = groupBy(
    cases.filter(({ about }) => about?.operation?.resource !== undefined),
    ({ about }) => about?.resource,
  );
  const mixed = [...ofKinds].flatMap(([kind, members]) => {
    const blocked = members.filter(({ verdict, message = '' }) => verdict === 'blocked' && isOfCreate(kind, message));
    const worked = members.some(
      ({ verdict, requirement }) => verdict === 'passed' && needsObject.has(requirement.chapter),
    );
    return worked && blocked.length > 0 ? [{ kind, blocked: blocked.length }] : [];
  });
  const blocked = mixed.reduce((sum, one) => sum + one.blocked, 0);
  if (mixed.length < fewestKinds || blocked < fewestBlocked) return [];
  return [
    `creates of ${countOf(mixed.length, 'kind')} succeeded in some cases and failed in others (${countOf(blocked, 'case')} blocked): the target may not bear parallel requests; --workers 1 --concurrency 1 shows whether it works without them`,
  ];
}

const isSerial = ({ workers, command = '' }: RunHeader): boolean =>
  workers === 1 && /--concurrency[ =]1\b/.test(command);

/** Reports whether a create of the kind itself failed, and not of its namespace or of another object. */
function isOfCreate(kind: string | undefined, message: string): boolean {
  const plural = kind?.split('/').at(-1);
  const named = [/^create ([\w-]+)/, /POST \S+\/([\w-]+) answered/].map((pattern) => pattern.exec(message)?.[1]);
  return plural !== undefined && named.includes(plural);
}
