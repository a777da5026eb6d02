// stty: tells the size of the terminal.
import { Failure, type Program } from '../program.js';

/** `stty size`: rows and columns. */
export const stty: Program = async ({ argv, screen, stdout }) => {
  if (argv.length !== 2 || argv[1] !== 'size') throw new Failure('only stty size is there', 2);
  if (screen === undefined) throw new Failure('standard input: Not a tty');
  await stdout.write(Buffer.from(`${screen.rows} ${screen.columns}\n`));
  return 0;
};
