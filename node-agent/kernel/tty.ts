// A terminal: its size, and the line discipline between a client's keyboard and a program.
import { type Output, writeText } from './streams.js';

/** The size of a terminal. It is 0 by 0 until a client has sent a size. */
export class Tty {
  columns = 0;
  rows = 0;

  resize(columns: number, rows: number): void {
    this.columns = columns;
    this.rows = rows;
  }
}

const endOfText = 0x03;
const endOfTransmission = 0x04;
const backspace = 0x7f;
const carriageReturn = 0x0d;
const newline = 0x0a;
/** The most bytes of a line; further bytes are ignored until its newline. */
const maxLine = 65_536;

interface LineDiscipline {
  /** The output of the terminal to the client. */
  readonly screen: Output;
  /** The input of the terminal to the program. */
  readonly program: Output;
  /** Called for Ctrl-D on an empty line. */
  end(): void;
  /** Called for Ctrl-C. */
  interrupt(): void;
}

/**
 * Connects a client and a program like a terminal: edits and echoes lines, and makes a newline of the program start a
 * new line. The client types on `keyboard`; the program writes to `output`.
 */
export function connectTerminal({ screen, program, end, interrupt }: LineDiscipline): {
  readonly keyboard: Output;
  readonly output: Output;
} {
  let line: number[] = [];
  const output: Output = {
    write: (chunk) => screen.write(chunk.includes(newline) ? Buffer.from([...withReturns(chunk)]) : chunk),
  };
  const type = async (byte: number): Promise<void> => {
    if (byte === endOfText) {
      line = [];
      await writeText(screen, '^C\r\n');
      interrupt();
    } else if (byte === endOfTransmission) {
      if (line.length === 0) end();
      else await send();
    } else if (byte === backspace) {
      if (line.pop() !== undefined) await writeText(screen, '\b \b');
    } else if (byte === newline || byte === carriageReturn) {
      line.push(newline);
      await writeText(screen, '\r\n');
      await send();
    } else if (line.length < maxLine) {
      line.push(byte);
      await screen.write(Buffer.of(byte));
    }
  };
  const send = async (): Promise<void> => {
    const typed = Buffer.from(line);
    line = [];
    await program.write(typed);
  };
  const write = async (chunk: Buffer): Promise<void> => {
    for (const byte of chunk) await type(byte);
  };
  return { keyboard: { write }, output };
}

function* withReturns(chunk: Buffer): Generator<number, void, void> {
  for (const byte of chunk) {
    if (byte === newline) yield carriageReturn;
    yield byte;
  }
}
