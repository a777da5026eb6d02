// The choice of a run: which of all cases it runs.
import { allCases, type Case } from './cases.js';
import { profileOf } from './profiles.js';
import { readsOnly } from './readOnly.js';
import { shardOf } from './shards.js';

/** `smoke`: a request for each operation; `standard`: the matrix; `full`: every combination. */
export const profiles = ['smoke', 'standard', 'full'] as const;
export type Profile = (typeof profiles)[number];

/**
 * Which passed cases show their exchange: one of each requirement, all of them and whole, or none. Cases that did not
 * pass always do.
 */
export const evidenceChoices = ['sample', 'all', 'failures'] as const;
export type EvidenceChoice = (typeof evidenceChoices)[number];

/** One of several parts that together run what is chosen. `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** What a run was told to run; empty for all cases. A case is chosen where every field chooses it. */
export interface Choice {
  /** Only these chapters. */
  readonly chapters?: readonly string[];
  /** Only cases whose id contains this text. */
  readonly grep?: string;
  /** `full` when absent. */
  readonly profile?: Profile;
  /** Only cases that send nothing but GETs. */
  readonly readOnly?: true;
  /** Only the cases of this shard of what the other fields choose. */
  readonly shard?: Shard;
}

/** The chosen cases, in their order. */
export function choose(
  { chapters, grep, profile, readOnly, shard }: Choice,
  all: readonly Case[] = allCases(),
): readonly Case[] {
  const named = isNamedBy({ ...(chapters && { chapters }), ...(grep !== undefined && { grep }) });
  const narrowed = profileOf(profile ?? 'full', all).filter((one) => named(one.id) && (!readOnly || readsOnly(one)));
  return shard === undefined ? narrowed : shardOf(shard, narrowed);
}

/** Whether the case of an id is chosen. */
export type Chosen = (id: string) => boolean;

/** Tells of ids whether they are chosen. */
export function chosenBy(choice: Choice): Chosen {
  const { profile, readOnly, shard } = choice;
  if (profile === undefined && readOnly === undefined && shard === undefined) return isNamedBy(choice);
  const ids = new Set(choose(choice).map(({ id }) => id));
  return (id) => ids.has(id);
}

const isNamedBy =
  ({ chapters, grep }: Choice): Chosen =>
  (id) =>
    (chapters === undefined || chapters.includes(id.slice(0, id.indexOf('.')))) &&
    (grep === undefined || id.includes(grep));

/** The choice that the header of a run records; older headers have only a `grep`. */
export function choiceOf({ choice, grep }: { readonly choice?: Choice; readonly grep?: string }): Choice {
  return choice ?? (grep === undefined ? {} : { grep });
}
