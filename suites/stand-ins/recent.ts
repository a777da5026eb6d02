// The newest of what a target sends: the target chooses how much that is.

/** The maximum number of things that are kept, and of the characters in them. */
const most = { things: 20_000, characters: 64 * 1024 * 1024 } as const;

/** Keeps things in the order in which they come, and drops the oldest where they are too many. */
export class Recent<T> {
  readonly #kept: { readonly thing: T; readonly characters: number }[] = [];
  #characters = 0;

  /** The things that are kept, the oldest first. */
  get all(): readonly T[] {
    return this.#kept.map(({ thing }) => thing);
  }

  /** Adds a thing of so many characters. */
  add(thing: T, characters: number): void {
    this.#kept.push({ thing, characters });
    this.#characters += characters;
    while (this.#kept.length > most.things || this.#characters > most.characters)
      this.#characters -= this.#kept.shift()?.characters ?? 0;
  }
}
