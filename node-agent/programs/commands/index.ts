// The commands that every container has.
import { posix } from 'node:path';
import type { Program } from '../program.js';
import { ls, mkdir, rm, test, touch } from './files.js';
import { cat, head, tail, wc } from './filters.js';
import { makeShell } from './sh.js';
import { stty } from './stty.js';
import { tar } from './tar.js';
import { date, echo, env, fail, hostname, id, printenv, printf, pwd, seq, sleep, succeed } from './text.js';

const sh = makeShell(findCommand);

const commands: ReadonlyMap<string, Program> = new Map([
  ...Object.entries({ cat, date, echo, env, hostname, head, id, ls, mkdir, printenv, printf, pwd, rm, seq, sh, sleep }),
  ...Object.entries({ stty, tail, tar, test, touch, wc, '[': test, true: succeed, false: fail, bash: sh, ash: sh }),
]);

const folders = new Set(['.', '/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin']);

/** The command of a name, or of a path to where commands are; undefined where there is none. */
export function findCommand(name: string): Program | undefined {
  if (name.startsWith('./') || !folders.has(posix.dirname(name))) return undefined;
  return commands.get(posix.basename(name));
}
