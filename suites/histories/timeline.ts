// The states of one place in the order of the server, and the part of the order in which a request took effect.
import { isEnding, type JsonObject } from '../client/json.js';
import { addTo, type Shape } from './model.js';
import type { Side } from './plan.js';
import { bare, type Change, type Entry, nameOf, type Ordered, sideIn, versionOf } from './record.js';

/** The first and the last state that may have been current while a request was under way. */
export interface Window {
  readonly first: number;
  readonly last: number;
}

export class Timeline {
  readonly start: ReadonlyMap<string, JsonObject>;
  /** The fields that the objects were seen with. */
  readonly shape: Shape = new Map();
  readonly #byName = new Map<string, Change[]>();
  /** The known effects: a request, and the state that the order has after it. */
  readonly #known: { readonly sent: number; readonly answered: number; readonly index: number }[] = [];
  /** What requests saw: they make nothing, so they say nothing about earlier requests. */
  readonly #seen: { readonly answered: number; readonly index: number }[] = [];

  constructor(readonly ordered: Ordered) {
    this.start = new Map(ordered.start.map((object) => [nameOf(object), bare(object)]));
    for (const object of [...ordered.start, ...ordered.changes.map((change) => change.object)])
      addTo(this.shape, object);
    for (const change of ordered.changes) {
      const own = this.#byName.get(change.name);
      if (own === undefined) this.#byName.set(change.name, [change]);
      else own.push(change);
    }
  }

  get last(): number {
    return this.ordered.changes.length;
  }

  of(name: string): readonly Change[] {
    return this.#byName.get(name) ?? [];
  }

  /** Returns the object of a name in a state; undefined if there is none. */
  at(name: string, index: number): JsonObject | undefined {
    const change = this.of(name).findLast((one) => one.index <= index);
    if (change === undefined) return this.start.get(name);
    return change.type === 'DELETED' ? undefined : bare(change.object);
  }

  /** Returns the objects of a state, those of a side only. */
  state(index: number, side?: Side): ReadonlyMap<string, JsonObject> {
    const names = new Set([...this.start.keys(), ...this.#byName.keys()]);
    const there = new Map<string, JsonObject>();
    for (const name of names) {
      const object = this.at(name, index);
      if (object !== undefined && (side === undefined || sideIn(object) === side)) there.set(name, object);
    }
    return there;
  }

  /** Returns the index of the state in which an object came to have a version; undefined if there is none. */
  indexOf(name: string, version: string): number | undefined {
    const change = this.of(name).find((one) => one.type !== 'DELETED' && one.version === version);
    if (change !== undefined) return change.index;
    return versionOf(this.start.get(name)) === version ? 0 : undefined;
  }

  /** Returns the index of the state of a version of the place or of any object in it. */
  indexOfVersion(version: string): number | undefined {
    const isAtStart = version === this.ordered.version || this.ordered.start.some((one) => versionOf(one) === version);
    if (isAtStart) return 0;
    return this.ordered.changes.find((one) => one.type !== 'DELETED' && one.version === version)?.index;
  }

  /** Notes that a request is known to have seen a state. */
  see({ answered }: Pick<Entry, 'answered'>, index: number): void {
    this.#seen.push({ answered, index });
  }

  /** Notes that a write is known to have made a state. */
  know({ sent, answered }: Pick<Entry, 'sent' | 'answered'>, index: number): void {
    this.#known.push({ sent, answered, index });
  }

  /** Returns the states that may have been current during a request, by what is known of earlier and later writes. */
  window({ sent, answered, status }: Pick<Entry, 'sent' | 'answered' | 'status'>): Window {
    // a server that failed may still complete the write
    const until = status === undefined || status >= 500 ? Number.POSITIVE_INFINITY : answered;
    let [first, last] = [0, this.last];
    for (const known of this.#known) {
      if (known.answered < sent) first = Math.max(first, known.index);
      if (known.sent > until) last = Math.min(last, known.index - 1);
    }
    for (const seen of this.#seen) if (seen.answered < sent) first = Math.max(first, seen.index);
    return { first, last: Math.max(first, last) };
  }

  /** Returns the changes of a name in a window. The change that leads to its first state is before it. */
  changesIn(name: string, { first, last }: Window): readonly Change[] {
    return this.of(name).filter(({ index }) => index > first && index <= last);
  }

  /** Returns each state of a name in a window, one for each change. */
  statesIn(name: string, window: Window): readonly (JsonObject | undefined)[] {
    return [this.at(name, window.first), ...this.changesIn(name, window).map(({ index }) => this.at(name, index))];
  }
}

/** Reports whether an object is there and no delete of it has begun. */
export const isAlive = (object: JsonObject | undefined): object is JsonObject =>
  object !== undefined && !isEnding(object);
