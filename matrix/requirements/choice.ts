// The choice of a run: the cases that it runs.
import { defined } from '../api/index.js';
import { allCases, type Case } from './cases.js';
import { idsWith } from './pattern.js';
import { type Profile, profileOf } from './profiles.js';
import { readsOnly } from './readOnly.js';
import { type Shard, shardOf } from './shards.js';

/**
 * The passed cases whose exchanges are kept: one of each requirement, all of them and whole, or none. The exchanges of
 * other cases are always kept.
 */
export const evidenceChoices = ['sample', 'all', 'failures'] as const;
export type EvidenceChoice = (typeof evidenceChoices)[number];

/** The settings that select cases; empty for all cases. A case is chosen if every field selects it. */
export interface Choice {
  /** Only these chapters. */
  readonly chapters?: readonly string[];
  /** Only cases whose id contains this pattern. */
  readonly grep?: string;
  /** `full` when absent. */
  readonly profile?: Profile;
  /** Only cases that send nothing but GETs. */
  readonly readOnly?: true;
  /** Only the cases of this shard, of those that the other fields select. */
  readonly shard?: Shard;
}

/** Returns the chosen cases, in their order. */
export function choose(
  { chapters, grep, profile, readOnly, shard }: Choice,
  all: readonly Case[] = allCases(),
): readonly Case[] {
  const named = isNamedBy({ ...(chapters && { chapters }), ...defined({ grep }) }, () => all);
  const narrowed = profileOf(profile ?? 'full', all).filter((one) => named(one.id) && (!readOnly || readsOnly(one)));
  return shard === undefined ? narrowed : shardOf(shard, narrowed);
}

/** Reports whether the case of an id is chosen. */
export type Chosen = (id: string) => boolean;

/** The ids of the last choice: a process asks for one choice, in several places. */
let last: { readonly choice: string; readonly ids: ReadonlySet<string> } | undefined;

/** Returns a function that reports whether the case of an id is chosen. */
export function chosenBy(choice: Choice): Chosen {
  const { profile, readOnly, shard } = choice;
  if (profile === undefined && readOnly === undefined && shard === undefined) return isNamedBy(choice, allCases);
  const key = JSON.stringify(choice);
  if (last?.choice !== key) last = { choice: key, ids: new Set(choose(choice).map(({ id }) => id)) };
  const { ids } = last;
  return (id) => ids.has(id);
}

function isNamedBy({ chapters, grep }: Choice, all: () => readonly Case[]): Chosen {
  const isGrepped = grep === undefined ? () => true : idsWith(grep, () => all().map(({ id }) => id));
  return (id) => (chapters === undefined || chapters.includes(id.slice(0, id.indexOf('.')))) && isGrepped(id);
}

/** Returns the choice in the header of a run; older headers have only a `grep`. */
export function choiceOf({ choice, grep }: { readonly choice?: Choice; readonly grep?: string }): Choice {
  return choice ?? (grep === undefined ? {} : { grep });
}
