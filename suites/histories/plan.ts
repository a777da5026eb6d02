// The plan of a history: what each client does, drawn from a seed.
import { type Random, randomOf } from '../objects/random.js';

/** The operations of a client, and how often each is drawn. `hold` adds a finalizer, and `release` removes it. */
const weights = {
  create: 4,
  generate: 1,
  read: 4,
  list: 3,
  select: 2,
  pages: 1,
  'list-exact': 1,
  'list-stale': 1,
  replace: 4,
  overwrite: 1,
  merge: 3,
  json: 1,
  strategic: 1,
  status: 2,
  scale: 2,
  delete: 2,
  'delete-if': 1,
  hold: 1,
  release: 1,
  'delete-selected': 1,
} as const;

export type What = keyof typeof weights;

export type Side = 'left' | 'right';

/** One operation of a client, before the client knows names and versions. */
export interface Step {
  readonly what: What;
  /** Chooses the object among those that the client knows. */
  readonly object: number;
  /** The value of the label by which selectors choose. */
  readonly side: Side;
  /** Whether a write also changes what the kind is about, such as its spec. */
  readonly changed: boolean;
  /** Chooses a number of replicas, or an earlier version. */
  readonly pick: number;
}

/** The paths of a watch, by the verbs of their operations. */
export type WatchForm = 'list' | 'listAll' | 'watchList' | 'watchAll' | 'watchOne';

/** A watch that a client opens before the step of this index. */
export interface PlannedWatch {
  readonly before: number;
  readonly form: WatchForm;
  readonly selected: boolean;
  /** Whether it has no version, and so begins with what is there. */
  readonly fromBeginning: boolean;
  /** Chooses the version to watch from, among the known ones. */
  readonly pick: number;
  /** Connections are closed after this number of bytes, and the watch goes on from the last version. */
  readonly cutAfter: number;
}

export interface ClientPlan {
  readonly steps: readonly Step[];
  readonly watches: readonly PlannedWatch[];
}

/** What the clients of a history do, each one step after the other. */
export type Plan = readonly ClientPlan[];

/** How large a history is. */
export interface Size {
  readonly clients: number;
  readonly steps: number;
}

export const usualSize: Size = { clients: 3, steps: 10 };

const drawn = Object.entries(weights).flatMap(([what, weight]) => Array<What>(weight).fill(what as What));

/**
 * Returns the plan of a seed, with a watch of each form, and two more of the list: through a selector, and from the
 * beginning. The plan of a smaller size has the first steps of the first clients.
 */
export function planOf(seed: number, { clients, steps }: Size, forms: readonly WatchForm[]): Plan {
  const random = randomOf(seed * 31 - 1);
  const watches = [
    watchOf(random, 'list', { selected: true }),
    watchOf(random, 'list', { fromBeginning: true }),
    ...forms.map((form) => watchOf(random, form, {})),
  ];
  return Array.from({ length: clients }, (_, index): ClientPlan => {
    const random = randomOf(seed * 31 + index);
    return {
      steps: Array.from({ length: steps }, () => stepOf(random)),
      watches: watches.filter((_, place) => place % clients === index),
    };
  });
}

const stepOf = (random: Random): Step => ({
  what: random.of(drawn),
  object: random.below(1000),
  side: random.of(['left', 'right']),
  changed: random.chance(0.5),
  pick: random.below(1000),
});

const watchOf = (random: Random, form: WatchForm, how: Partial<PlannedWatch>): PlannedWatch => ({
  before: 1 + random.below(4),
  form,
  selected: false,
  fromBeginning: false,
  pick: random.below(1000),
  ...how,
  cutAfter: 1 + random.below(4000),
});

/** Returns the seed of the nth history of a subject. */
export function seedOf(seed: number, subject: string, index: number): number {
  let mixed = seed + index * 7919;
  for (const character of subject) mixed = Math.imul(mixed ^ character.charCodeAt(0), 16777619) >>> 0;
  return mixed;
}
