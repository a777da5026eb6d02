// What goes wrong in the parts of the server that work by themselves, for those who ask how they are.

/** The failures that last: each is noted when something fails and forgotten when the same thing works again. */
export class Health {
  readonly #failures = new Map<string, string>();

  failed(what: string, error: unknown): void {
    this.#failures.set(what, error instanceof Error ? error.message : String(error));
  }

  works(what: string): void {
    this.#failures.delete(what);
  }

  /** Rejects with the first failure and the number of the others. */
  async probe(): Promise<void> {
    const [first] = this.#failures;
    if (first === undefined) return;
    const [what, why] = first;
    const others = this.#failures.size - 1;
    throw new Error(`${what}: ${why}${others > 0 ? ` (and ${others} more)` : ''}`);
  }
}
