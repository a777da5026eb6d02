// One line on a terminal that is drawn over and over, and leaves nothing behind; elsewhere nothing is drawn.

/** The part of a stream that a line is drawn on. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** Columns and rows as the terminal has them now. */
  getWindowSize?(): readonly number[];
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** The line of one stream. `onResize` is called when the terminal says that its size has changed. */
export class LiveLine {
  /** Whether the stream is a terminal that can draw over a line. */
  readonly draws: boolean;
  /** The characters of the line that is on the terminal. */
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
   * How wide the terminal is: a process outside of the terminal's foreground group is not told of a resize, so the
   * terminal is asked each time. A terminal that does not know its width says 0.
   */
  get columns(): number {
    return this.output.getWindowSize?.()[0] || this.output.columns || 80;
  }

  /** Draws a line over the one before. `length`: its characters, where some of `text` take no room. */
  draw(text: string, length = text.length): void {
    if (!this.draws) return;
    this.output.write(`${this.#eraser()}${text}`);
    this.#drawn = length;
  }

  /** Takes the line away. */
  erase(): void {
    if (this.#drawn > 0) this.output.write(this.#eraser());
    this.#drawn = 0;
  }

  /** Takes the line away and stops. */
  end(): void {
    this.output.off('resize', this.#resized);
    this.erase();
  }

  #resized = (): void => {
    if (this.#drawn > 0) this.onResize();
  };

  /** What takes the line away. A terminal that became narrower has wrapped it: it goes with all of its rows. */
  #eraser(): string {
    if (this.#drawn === 0) return '';
    const above = Math.ceil(this.#drawn / this.columns) - 1;
    return `${above > 0 ? `\x1b[${above}A` : ''}\r\x1b[J`;
  }
}
