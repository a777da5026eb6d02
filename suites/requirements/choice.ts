// The choice of a run: the cases that it runs.
import { defined, type FoundKind, nameOfKind } from '../../matrix/api/index.js';
import { sendsOnlyGets } from '../../matrix/subjects/readOnly.js';
import { allCases, type Case } from './cases.js';
import { idsWith, matchesWhole } from './pattern.js';
import { type Profile, profileOf } from './profiles.js';
import { type Shard, shardOf } from './shards.js';
import { isChecked } from './types.js';

/**
 * The passed cases whose exchanges are kept: one of each requirement, all of them and whole, or none. The exchanges of
 * other cases are always kept.
 */
export const evidenceChoices = ['sample', 'all', 'failures'] as const;
export type EvidenceChoice = (typeof evidenceChoices)[number];

/** The settings that select cases; empty for all cases. A case is chosen if every field selects it. */
export interface Choice {
  readonly chapters?: readonly string[];
  /** Only cases whose id contains this pattern. */
  readonly grep?: string;
  /** Only the cases with these ids. */
  readonly only?: readonly string[];
  /** `full` when absent. */
  readonly profile?: Profile;
  /** Only cases that send nothing but GETs. */
  readonly readOnly?: true;
  /** Also the cases of every kind that only the target knows. */
  readonly everyKind?: true;
  /** Only cases of the kinds whose name, `plural.group`, matches one of these patterns. */
  readonly kinds?: readonly string[];
  /** Only the cases of this shard, of those that the other fields select. */
  readonly shard?: Shard;
}

/** Returns the chosen cases, in their order. */
export function choose(
  { chapters, grep, only, profile, readOnly, kinds, shard }: Choice,
  all: readonly Case[] = allCases(),
): readonly Case[] {
  const named = isNamedBy({ ...(chapters && { chapters }), ...defined({ grep }) }, () => all);
  const ofKinds = kinds === undefined ? all : all.filter((one) => isOfKinds(one, kinds));
  const ids = only && new Set(only);
  const narrowed = profileOf(profile ?? 'full', ofKinds).filter(
    (one) => named(one.id) && (!readOnly || readsOnly(one)) && ids?.has(one.id) !== false,
  );
  return shard === undefined ? narrowed : shardOf(shard, narrowed);
}

/** Reports whether the setup of a case sends only GETs. */
export const readsOnly = ({ requirement: { row }, subject }: Case): boolean =>
  isChecked(row) && sendsOnlyGets(row.subjects, subject);

/** Reports whether a kind has one of these names: patterns of `plural.group`. */
export function isNamed(kind: Pick<FoundKind, 'plural' | 'group'>, names: readonly string[]): boolean {
  return names.some((name) => matchesWhole(name, nameOfKind(kind)));
}

/** Reports whether a case is about one of the named kinds, or about a version of a group that only the target knows. */
function isOfKinds({ subject: { operation } }: Case, names: readonly string[]): boolean {
  if (operation === undefined) return false;
  const { resource, groupVersion } = operation;
  if (resource === undefined) return groupVersion.found === true;
  return isNamed({ plural: resource.plural, group: groupVersion.group }, names);
}

export type Chosen = (id: string) => boolean;

/** The ids of the last choice: a process asks for one choice, in several places. */
let last: { readonly choice: string; readonly ids: ReadonlySet<string> } | undefined;

/** Returns a function that reports whether the case of an id is chosen. `found`: the kinds that only the target knows. */
export function chosenBy(choice: Choice, found: readonly FoundKind[] = []): Chosen {
  const { only, profile, readOnly, kinds, shard } = choice;
  const all = (): readonly Case[] => allCases(found);
  const isSimple = [only, profile, readOnly, kinds, shard].every((part) => part === undefined);
  // Not every subject of a found kind has a case: a kind may be only read.
  if (isSimple && found.length === 0) return isNamedBy(choice, all);
  const key = JSON.stringify([choice, found.length]);
  if (last?.choice !== key) last = { choice: key, ids: new Set(choose(choice, all()).map(({ id }) => id)) };
  const { ids } = last;
  return (id) => ids.has(id);
}

function isNamedBy({ chapters, grep }: Choice, all: () => readonly Case[]): Chosen {
  const isGrepped = grep === undefined ? () => true : idsWith(grep, () => all().map(({ id }) => id));
  return (id) => (chapters === undefined || chapters.includes(id.slice(0, id.indexOf('.')))) && isGrepped(id);
}
