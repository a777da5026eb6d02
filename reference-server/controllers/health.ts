// The failures of the server's background work, for its health checks.

/** Current failures: `failed` records one, and `works` with the same key removes it. */
export class Health {
  readonly #failures = new Map<string, string>();

  failed(what: string, error: unknown): void {
    this.#failures.set(what, error instanceof Error ? error.message : String(error));
  }

  works(what: string): void {
    this.#failures.delete(what);
  }

  /** Forgets all failures: the work is no longer that of this server. */
  clear(): void {
    this.#failures.clear();
  }

  /** Rejects with the first failure and the number of other failures, if there are any. */
  async probe(): Promise<void> {
    const [first] = this.#failures;
    if (first === undefined) return;
    const [what, why] = first;
    const others = this.#failures.size - 1;
    throw new Error(`${what}: ${why}${others > 0 ? ` (and ${others} more)` : ''}`);
  }
}
