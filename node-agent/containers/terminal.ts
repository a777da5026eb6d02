// A terminal between a client and a program: lines are edited and echoed, a newline goes to the start of the line.
import type { Output } from '../programs/streams.js';

const endOfText = 0x03;
const endOfTransmission = 0x04;
const backspace = 0x7f;
const carriageReturn = 0x0d;
const newline = 0x0a;
const maxLine = 65_536;

interface Ends {
  /** What the client sees. */
  readonly screen: Output;
  /** What the program reads. */
  readonly program: Output;
  /** Ctrl-D on an empty line. */
  end(): void;
  /** Ctrl-C. */
  interrupt(): void;
}

/** `keyboard` takes what the client types; `output` is for the program. */
export function makeTerminal({ screen, program, end, interrupt }: Ends): { keyboard: Output; output: Output } {
  let line: number[] = [];
  const output: Output = {
    write: (chunk) => screen.write(chunk.includes(newline) ? Buffer.from([...returned(chunk)]) : chunk),
  };
  const type = async (byte: number): Promise<void> => {
    if (byte === endOfText) {
      line = [];
      await screen.write(Buffer.from('^C\r\n'));
      interrupt();
    } else if (byte === endOfTransmission) {
      if (line.length === 0) end();
      else await send();
    } else if (byte === backspace) {
      if (line.pop() !== undefined) await screen.write(Buffer.from('\b \b'));
    } else if (byte === newline || byte === carriageReturn) {
      line.push(newline);
      await screen.write(Buffer.from('\r\n'));
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

function* returned(chunk: Buffer): Generator<number, void, void> {
  for (const byte of chunk) {
    if (byte === newline) yield carriageReturn;
    yield byte;
  }
}
