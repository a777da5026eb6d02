// Decides whether a subject may be tried on the target at all: what it lacks, and what its owner has not allowed.
import { type Operation, resourceId } from '../../matrix/api/index.js';
import {
  type Alias,
  type CaseVerdict,
  type CheckedRow,
  covers as covered,
  featuresOf,
  type NotSupported,
  type Subject,
  type Target,
} from '../../matrix/requirements/index.js';
import { aliasFor } from './aliases.js';

type Needed = Pick<Subject, 'operation' | 'mediaType' | 'mechanism' | 'node' | 'within' | 'feature'>;

export interface Barred {
  readonly verdict: Extract<CaseVerdict, 'not-supported' | 'skipped'>;
  readonly reason: string;
}

/** Why the subject is not tried or, where a requirement's row is given, not judged by it; undefined where it is. */
export function gate(target: Target, subject: Subject, row?: CheckedRow): Barred | undefined {
  const lack = lackOf(target, subject, row);
  if (lack !== undefined) return { verdict: 'not-supported', reason: lack.reason };
  if (subject.operation && deletesClusterWide(subject.operation) && !target.disposable) {
    return { verdict: 'skipped', reason: 'the target is not disposable: cluster-wide delete-collections are not sent' };
  }
  if (subject.disposable && !target.disposable) {
    return { verdict: 'skipped', reason: 'the target is not disposable: the largest hostile inputs are not sent' };
  }
  return undefined;
}

/** What the target lacks of what a case needs. */
export function lackOf(target: Target, needed: Needed, row?: CheckedRow): NotSupported | undefined {
  const needs = new Set<string>(featuresOf(needed, row).map((name) => `feature:${name}`));
  return target.notSupported.find((entry) => needs.has(entry.capability) || covers(entry, needed));
}

/** Why a subject is not performed for any of these requirements: one of them would bring the target down. */
export function danger(
  { dangerous = [] }: Target,
  requirements: readonly string[],
  subject: Subject,
): Barred | undefined {
  const found = dangerous.find((row) => requirements.some((id) => covered(row, id, subject.id)));
  return found && { verdict: 'skipped', reason: `not sent, it would bring the server down: ${found.reason}` };
}

/** The target as the cell of a subject meets it: where its alias leads, if it has one. */
export function metBy(target: Target, { operation }: Subject): Target {
  const alias = aliasFor(target.aliases, operation);
  return alias === undefined ? target : underAlias(target, alias);
}

/** The target as it is where an alias leads: the group and the resource are there, and perhaps not all of it. */
export function underAlias(target: Target, { lacks = [] }: Alias): Target {
  const rest = target.notSupported.filter(({ capability }) => !/^(group|resource):/.test(capability));
  return { ...target, notSupported: [...rest, ...lacks] };
}

function covers({ capability }: NotSupported, { operation, mediaType, mechanism, node, within }: Needed): boolean {
  if (within === capability) return true;
  const colon = capability.indexOf(':');
  const value = capability.slice(colon + 1);
  switch (capability.slice(0, colon)) {
    case 'group':
      return operation !== undefined && (operation.groupVersion.group || 'core') === value;
    case 'resource':
      return operation?.resource !== undefined && resourceId(operation.resource) === value;
    case 'operation':
      return (
        operation !== undefined &&
        (value.endsWith('*') ? operation.id.startsWith(value.slice(0, -1)) : operation.id === value)
      );
    case 'mediaType':
      return mediaType === value;
    case 'nodes':
      // who is to be observed has to run
      return node === value || (node === 'observed' && value === 'running');
    case 'mechanism':
      return mechanism === value;
    default:
      return false;
  }
}

function deletesClusterWide({ verb, resource }: Operation): boolean {
  return verb === 'deleteCollection' && resource?.namespaced === false;
}
