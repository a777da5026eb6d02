// Whether a subject may be tried on the target: not if the target lacks it, or if the owner has not allowed it.
import type { Operation } from '../../matrix/api/index.js';
import { aliasFor } from '../client/aliases.js';
import { beyondNamespace } from '../objects/oneNamespace.js';
import {
  type Alias,
  absenceFor,
  type CaseVerdict,
  type CheckedRow,
  covers,
  type Subject,
  type Target,
} from '../requirements/index.js';

/** The verdict of a case that is not tried, and the reason. */
export interface Skip {
  readonly verdict: Extract<CaseVerdict, 'not-supported' | 'skipped'>;
  readonly reason: string;
}

/** Returns why the subject is not tried or, given a requirement's row, not checked for it; undefined if it is tried. */
export function skipReason(target: Target, subject: Subject, row?: CheckedRow): Skip | undefined {
  const lack = absenceFor(target.notSupported, subject, row);
  if (lack !== undefined) return { verdict: 'not-supported', reason: lack.reason };
  const beyond = beyondNamespace(target, subject.operation);
  if (beyond !== undefined) return { verdict: 'skipped', reason: beyond };
  if (subject.operation && deletesClusterWide(subject.operation) && !target.disposable) {
    return { verdict: 'skipped', reason: 'the target is not disposable: cluster-wide delete-collections are not sent' };
  }
  if (subject.disposable && !target.disposable) {
    return { verdict: 'skipped', reason: 'the target is not disposable: the largest hostile inputs are not sent' };
  }
  return undefined;
}

/** Returns why a subject is not set up for these requirements: one of them would bring the target down. */
export function danger(
  { dangerous = [] }: Target,
  requirements: readonly string[],
  subject: Subject,
): Skip | undefined {
  const found = dangerous.find((row) => requirements.some((id) => covers(row, id, subject.id)));
  return found && { verdict: 'skipped', reason: `not sent, it would bring the server down: ${found.reason}` };
}

/** Returns the effective target of a subject: the target, or the target under the alias of the subject's resource. */
export function effectiveTarget(target: Target, { operation }: Subject): Target {
  const alias = aliasFor(target.aliases, operation);
  return alias === undefined ? target : underAlias(target, alias);
}

/** Returns the target as it is under an alias: the group and the resource exist, possibly without some operations. */
export function underAlias(target: Target, { lacks = [] }: Alias): Target {
  const rest = target.notSupported.filter(({ capability }) => !/^(group|resource):/.test(capability));
  return { ...target, notSupported: [...rest, ...lacks] };
}

function deletesClusterWide({ verb, resource }: Operation): boolean {
  return verb === 'deleteCollection' && resource?.namespaced === false;
}
