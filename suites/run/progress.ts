// The progress of a run: one line that is redrawn on a terminal, or a line a minute on other outputs.
import { LiveLine, type Output } from './liveLine.js';
import { noCases, type RunTally } from './tally.js';

/** Milliseconds between two updates of the line, and between two lines where nothing can be redrawn. */
const every = { terminal: 250, elsewhere: 60_000 } as const;
const red = ['\x1b[31m', '\x1b[39m'] as const;

/** Returns the line, cut to fewer than `columns` columns: the least important parts are dropped first. */
export function progressLine(
  { total, done, failed, blocked, part }: RunTally,
  milliseconds: number,
  columns = 80,
): string {
  if (total === 0) return 'starting'.slice(0, Math.max(0, columns - 1));
  const count = (number: number): string => number.toLocaleString('en-US');
  const rate = milliseconds > 0 ? (done * 1000) / milliseconds : 0;
  const left = rate > 0 && done < total ? `, ${clock((milliseconds / 1000) * (1 / part - 1))} left` : '';
  const parts = [
    columns < 40 ? `${count(done)}/${count(total)}` : `${count(done)} of ${count(total)} cases`,
    `, ${count(failed)} failed${blocked > 0 ? `, ${count(blocked)} blocked` : ''}`,
    left,
    rate > 0 ? `, ${count(Math.round(rate))}/s` : '',
  ];
  // Drops parts from the end. Shorter than the width, because a full line wraps on some terminals.
  while (parts.length > 1 && parts.join('').length >= columns) parts.pop();
  return parts.join('').slice(0, Math.max(0, columns - 1));
}

/** Returns seconds as a clock shows them: `0:07`, `12:30`, `1:02:03`. */
function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const pad = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** Shows the progress until it is ended. */
export class Progress {
  #started = Date.now();
  readonly #line: LiveLine;
  readonly #coloured: boolean;
  readonly #timer: NodeJS.Timeout;
  #tally: RunTally = noCases;

  constructor(
    readonly output: Output,
    environment: NodeJS.ProcessEnv = process.env,
  ) {
    this.#line = new LiveLine(output, () => this.#draw(), environment);
    const { draws } = this.#line;
    this.#coloured = draws && !environment.NO_COLOR;
    const show = draws ? this.#draw : this.#tell;
    this.#timer = setInterval(show, draws ? every.terminal : every.elsewhere).unref();
  }

  /** Stores the newest numbers; the next update shows them. */
  update(tally: RunTally): void {
    if (this.#tally.total === 0) this.#started = Date.now();
    this.#tally = tally;
  }

  /** Writes a line that stays. */
  note(text: string): void {
    this.#line.erase();
    this.output.write(`${text}\n`);
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.#line.end();
  }

  #draw = (): void => {
    const line = progressLine(this.#tally, Date.now() - this.#started, this.#line.columns);
    const alarms = this.#tally.failed > 0 && this.#coloured;
    const shown = alarms ? line.replace(/(?<![\d,])[\d,]+ failed/, (text) => red.join(text)) : line;
    this.#line.draw(shown, line.length);
  };

  #tell = (): void => {
    const { total, done } = this.#tally;
    if (done < total) this.output.write(`${progressLine(this.#tally, Date.now() - this.#started, 200)}\n`);
  };
}
