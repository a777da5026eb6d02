// The subjects of kinds that only the target knows: those of the table's sets, made from the rows of these kinds.
import { type FoundKind, type FoundTraits, type Operation, tableOfKinds } from '../../api/index.js';
import { authenticationSetsOf } from '../authentication.js';
import { type Subject, tableOf } from '../build.js';
import { deleteOptionsSetsOf } from '../deleteOptions.js';
import { generalSetsOf } from '../general.js';
import { historiesSetsOf } from '../histories.js';
import type { SubjectSet } from '../index.js';
import { openapiSetsOf } from '../openapi.js';
import { parametersSetsOf } from '../parameters.js';
import { patchSetsOf } from '../patch.js';
import { selectorsSetsOf } from '../selectors.js';
import { subresourcesSetsOf } from '../subresources.js';
import { surfaceSetsOf } from '../surface.js';
import { versionsSetsOf } from '../versions.js';
import { watchSetsOf } from '../watch.js';
import { type NeededVerbs, neededTraits, storing, walkedSets } from './sets.js';

export type FoundSubjects = Partial<Record<SubjectSet, readonly Subject[]>>;

export function subjectsOfKinds(kinds: readonly FoundKind[]): FoundSubjects {
  const table = tableOf(tableOfKinds(kinds).operations);
  const sets: FoundSubjects = {
    ...generalSetsOf(table),
    ...patchSetsOf(table),
    ...parametersSetsOf(table),
    ...selectorsSetsOf(table),
    ...subresourcesSetsOf(table),
    ...surfaceSetsOf(table),
    ...versionsSetsOf(table),
    ...watchSetsOf(table),
    ...historiesSetsOf(table),
    ...deleteOptionsSetsOf(table),
    ...authenticationSetsOf(table),
    ...openapiSetsOf(table),
  };
  const own = new Set<Operation | undefined>(table.operations);
  const entries = Object.entries(walkedSets).map(([name, needs]) => {
    const subjects = sets[name as SubjectSet] ?? [];
    const trait = neededTraits[name as SubjectSet];
    const has = ({ operation }: Subject): boolean => {
      const { verb, resource } = operation ?? {};
      const writesStatus = verb === 'replaceStatus' || verb === 'patchStatus';
      if (writesStatus && needs !== 'nothing' && resource?.found?.status === undefined) return false;
      return trait === undefined || resource?.found?.[trait] !== undefined;
    };
    const isWalked = (subject: Subject): boolean =>
      own.has(subject.operation) && has(subject) && canBeSent(subject, needs);
    return [name, subjects.filter(isWalked)] as const;
  });
  return Object.fromEntries(entries);
}

function canBeSent({ operation }: Subject, needs: NeededVerbs): boolean {
  const { resource } = operation ?? {};
  if (resource === undefined || needs === 'nothing') return true;
  const has = (verb: (typeof storing)[number] | NeededVerbs[number]): boolean =>
    resource.stated.some((own) => own === verb);
  if (needs === 'create') return has('create') && (isTransient(resource.stated) || storing.every(has));
  return storing.every(has) && needs.every(has);
}

/** Reports whether objects of a kind are answered and never stored, as reviews are. */
const isTransient = (verbs: readonly string[]): boolean => verbs.length === 1 && verbs[0] === 'create';

/** Reports whether the run may send nothing but GETs about a subject. */
export function isReadOnly({ operation }: Subject): boolean {
  const traits: FoundTraits | undefined = operation?.resource?.found;
  return traits?.readOnly !== undefined;
}
