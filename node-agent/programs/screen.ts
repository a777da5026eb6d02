// The screen of a terminal: how large it is, and how often that has changed.

/** The size is 0 by 0 until a client has told one. */
export class Screen {
  #size = { columns: 0, rows: 0 };
  #changes = 0;

  get columns(): number {
    return this.#size.columns;
  }

  get rows(): number {
    return this.#size.rows;
  }

  /** Grows with each new size (SIGWINCH). */
  get changes(): number {
    return this.#changes;
  }

  resize(columns: number, rows: number): void {
    if (columns === this.columns && rows === this.rows) return;
    this.#size = { columns, rows };
    this.#changes += 1;
  }
}
