// The log generator: each argument is a log line with its time.
import { parseTime } from '../../api/time.js';
import { type Program, ProgramError, pause } from '../../kernel/process.js';

/**
 * Runs `log-generator TIME=LINE…`. A time is RFC 3339, or seconds from the start (`-90s`, `+2.5s`). Past lines are
 * written at once with their time; future lines are written at their time. With `--wait`, the program continues after
 * the last line.
 */
export const logGenerator: Program = async ({ argv, signal, container }) => {
  const started = Date.now();
  const [, ...args] = argv;
  const lines = args.filter((text) => text !== '--wait').map((text) => readLine(text, started));
  for (const { time, line } of lines) {
    if (time > Date.now()) await pause(signal, time - Date.now());
    container.backdate(time, Buffer.from(`${line}\n`));
  }
  if (args.includes('--wait')) await pause(signal);
  return 0;
};

/** Parses an argument. `time` is in milliseconds since 1970. */
function readLine(text: string, started: number): { readonly time: number; readonly line: string } {
  const at = text.indexOf('=');
  const [when, line] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 0) throw new ProgramError(`"${text}" is no line; write it as TIME=LINE`, 2);
  const [, seconds] = /^([+-]\d+(?:\.\d+)?)s$/.exec(when) ?? [];
  if (seconds !== undefined) return { time: started + Number(seconds) * 1000, line };
  return { time: Number(parseTime(when)) / 1e6, line };
}
