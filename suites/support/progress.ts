// The progress of a run: one line that is drawn again and again on a terminal, a line a minute elsewhere.

/** How far a run is, in cases. */
export interface Tally {
  readonly total: number;
  readonly done: number;
  /** Undeclared failures so far. */
  readonly failed: number;
}

/** The part of a stream that progress is written to. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** Milliseconds: how often the line is drawn, and how often one is written where nothing can be drawn. */
const every = { terminal: 250, elsewhere: 60_000 } as const;
const red = ['\x1b[31m', '\x1b[39m'] as const;

/** The line, cut to less than a number of columns: what matters least goes first. */
export function progressLine({ total, done, failed }: Tally, milliseconds: number, columns = 80): string {
  if (total === 0) return 'starting'.slice(0, Math.max(0, columns - 1));
  const count = (number: number): string => number.toLocaleString('en-US');
  const rate = milliseconds > 0 ? (done * 1000) / milliseconds : 0;
  const left = rate > 0 && done < total ? `, ${clock((total - done) / rate)} left` : '';
  const parts = [
    columns < 40 ? `${count(done)}/${count(total)}` : `${count(done)} of ${count(total)} cases`,
    `, ${count(failed)} failed`,
    left,
    rate > 0 ? `, ${count(Math.round(rate))}/s` : '',
  ];
  // From the end, because a line that fills the last column wraps on some terminals.
  while (parts.length > 1 && parts.join('').length >= columns) parts.pop();
  return parts.join('').slice(0, Math.max(0, columns - 1));
}

/** Seconds as a clock has them: `0:07`, `12:30`, `1:02:03`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** Shows the progress until it is ended. */
export class Progress {
  #started = Date.now();
  readonly #draws: boolean;
  readonly #coloured: boolean;
  readonly #timer: NodeJS.Timeout;
  #tally: Tally = { total: 0, done: 0, failed: 0 };
  /** The characters of the line that stands on the terminal. */
  #drawn = 0;

  constructor(
    readonly output: Output,
    environment: NodeJS.ProcessEnv = process.env,
  ) {
    this.#draws = output.isTTY === true && environment.TERM !== 'dumb';
    this.#coloured = this.#draws && !environment.NO_COLOR;
    if (this.#draws) output.on('resize', this.#resized);
    const show = this.#draws ? this.#draw : this.#tell;
    this.#timer = setInterval(show, this.#draws ? every.terminal : every.elsewhere).unref();
  }

  /** A terminal that does not know how wide it is says 0. */
  get #columns(): number {
    return this.output.columns || 80;
  }

  /** Takes the newest numbers; they are shown when it is time. */
  update(tally: Tally): void {
    if (this.#tally.total === 0) this.#started = Date.now();
    this.#tally = tally;
  }

  /** Writes a line that stays. */
  note(text: string): void {
    this.#erase();
    this.output.write(`${text}\n`);
    if (this.#draws) this.#draw();
  }

  /** Takes the line away and stops. */
  end(): void {
    clearInterval(this.#timer);
    this.output.off('resize', this.#resized);
    this.#erase();
  }

  #draw = (): void => {
    const line = progressLine(this.#tally, Date.now() - this.#started, this.#columns);
    const alarms = this.#tally.failed > 0 && this.#coloured;
    const shown = alarms ? line.replace(/[\d,]+ failed/, (text) => red.join(text)) : line;
    this.output.write(`${this.#eraser()}${shown}`);
    this.#drawn = line.length;
  };

  #tell = (): void => {
    const { total, done } = this.#tally;
    if (done < total) this.output.write(`${progressLine(this.#tally, Date.now() - this.#started, 200)}\n`);
  };

  #resized = (): void => {
    if (this.#drawn > 0) this.#draw();
  };

  #erase(): void {
    if (this.#drawn > 0) this.output.write(this.#eraser());
    this.#drawn = 0;
  }

  /** What takes the line away. A terminal that became narrower has wrapped it: it goes with all of its rows. */
  #eraser(): string {
    if (this.#drawn === 0) return '';
    const above = Math.ceil(this.#drawn / this.#columns) - 1;
    return `${above > 0 ? `\x1b[${above}A` : ''}\r\x1b[J`;
  }
}
