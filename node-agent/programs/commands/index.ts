// The commands of every container.
import { posix } from 'node:path';
import type { Program } from '../../kernel/process.js';
import { ls, mkdir, rm, test, touch } from './files.js';
import { cat, head, tail, wc } from './filters.js';
import { makeShell } from './sh.js';
import { tar } from './tar.js';
import { date, echo, env, fail, hostname, id, printenv, printf, pwd, seq, sleep, stty, succeed } from './text.js';

const sh = makeShell(findCommand);

const commands: ReadonlyMap<string, Program> = new Map([
  ...Object.entries({ cat, date, echo, env, hostname, head, id, ls, mkdir, printenv, printf, pwd, rm, seq, sh, sleep }),
  ...Object.entries({ stty, tail, tar, test, touch, wc, '[': test, true: succeed, false: fail, bash: sh, ash: sh }),
]);

/** The directories of commands. */
const folders = new Set(['.', '/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin']);

/** Returns the command with a name, or at a path in a directory of commands, or undefined. */
export function findCommand(name: string): Program | undefined {
  if (name.startsWith('./') || !folders.has(posix.dirname(name))) return undefined;
  return commands.get(posix.basename(name));
}
