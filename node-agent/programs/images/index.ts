// The images. A few have their own program, by the last part of their names.
import { type Program, pause } from '../../kernel/process.js';
import { findCommand } from '../commands/index.js';
import { httpEcho } from './httpEcho.js';
import { logGenerator } from './logGenerator.js';

/** Waits for a signal. */
const doNothing: Program = async ({ signal }) => {
  await pause(signal);
  return 0;
};

/** Images with their own program, which receives the arguments. */
const programs: ReadonlyMap<string, Program> = new Map([
  ['http-echo', httpEcho],
  ['log-generator', logGenerator],
  ['pause', doNothing],
]);

/** Images that start a shell if no command is given. */
const shells = new Set(['busybox', 'alpine', 'bash', 'debian', 'ubuntu']);

/** The main program of a container. */
export interface Entrypoint {
  readonly argv: readonly string[];
  /** Undefined if the program does not exist. */
  readonly program: Program | undefined;
}

/** Returns the entrypoint of an image with a command and arguments, combined as in container runtimes. */
export function entrypointOf(image: string, command: readonly string[], args: readonly string[]): Entrypoint {
  const [first, ...rest] = command;
  if (first !== undefined) return { argv: [first, ...rest, ...args], program: findCommand(first) };
  const name = imageName(image);
  const program = programs.get(name);
  if (program !== undefined) return { argv: [name, ...args], program };
  const [called] = args;
  if (called !== undefined) return { argv: args, program: findCommand(called) };
  if (shells.has(name)) return { argv: ['sh'], program: findCommand('sh') };
  return { argv: [name], program: doNothing };
}

/** Returns `b` for `registry:5000/a/b:tag@digest`. */
function imageName(image: string): string {
  const [path = ''] = image.split('@');
  return (path.split('/').at(-1) ?? '').split(':')[0] ?? '';
}
