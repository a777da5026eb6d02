// One line on a terminal that is redrawn and finally erased. On other outputs nothing is drawn.

/** The part of a stream that a line needs. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Returns the current columns and rows of the terminal. */
  getWindowSize?(): readonly number[];
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** The line of one stream. `onResize` is called when the size of the terminal changes. */
export class LiveLine {
  /** Whether the stream is a terminal that can redraw a line. */
  readonly draws: boolean;
  /** The number of characters of the line on the terminal. */
  #drawn = 0;

  constructor(
    readonly output: Output,
    readonly onResize: () => void = () => undefined,
    environment: NodeJS.ProcessEnv = process.env,
  ) {
    this.draws = output.isTTY === true && environment.TERM !== 'dumb';
    if (this.draws) output.on('resize', this.#resized);
  }

  /**
   * The width of the terminal. A process outside the terminal's foreground group gets no signal for a resize, so each
   * call asks the terminal. A terminal of unknown width says 0.
   */
  get columns(): number {
    return this.output.getWindowSize?.()[0] || this.output.columns || 80;
  }

  /** Replaces the line. `length`: the number of visible characters, if some of `text` are invisible. */
  draw(text: string, length = text.length): void {
    if (!this.draws) return;
    this.output.write(`${this.#eraser()}${text}`);
    this.#drawn = length;
  }

  erase(): void {
    if (this.#drawn > 0) this.output.write(this.#eraser());
    this.#drawn = 0;
  }

  end(): void {
    this.output.off('resize', this.#resized);
    this.erase();
  }

  #resized = (): void => {
    if (this.#drawn > 0) this.onResize();
  };

  /** Returns the sequence that erases the line, with all rows over which a narrower terminal has wrapped it. */
  #eraser(): string {
    if (this.#drawn === 0) return '';
    const above = Math.ceil(this.#drawn / this.columns) - 1;
    return `${above > 0 ? `\x1b[${above}A` : ''}\r\x1b[J`;
  }
}
