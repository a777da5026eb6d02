// What the images are: a few with a behaviour of their own, by the last part of their names.
import { findCommand } from '../commands/index.js';
import { type Process, type Program, pause } from '../program.js';
import { httpEcho } from './httpEcho.js';
import { logGenerator } from './logGenerator.js';

/** Does nothing until it is ended. */
const doNothing: Program = async ({ signal }: Process) => {
  await pause(signal);
  return 0;
};

/** Images with a program of their own, which gets the arguments. */
const entrypoints: ReadonlyMap<string, Program> = new Map([
  ['http-echo', httpEcho],
  ['log-generator', logGenerator],
  ['pause', doNothing],
]);

/** Images that start a shell where no command is given. */
const shells = new Set(['busybox', 'alpine', 'bash', 'debian', 'ubuntu']);

/** What a container runs. */
export interface Start {
  readonly argv: readonly string[];
  /** Undefined when there is no such program. */
  readonly program: Program | undefined;
}

/** `registry:5000/a/b:tag@digest` is `b`. */
function lastPart(image: string): string {
  const [path = ''] = image.split('@');
  return (path.split('/').at(-1) ?? '').split(':')[0] ?? '';
}

/** The program of an image, a command and arguments, put together as container runtimes do. */
export function startOf(image: string, command: readonly string[], args: readonly string[]): Start {
  const [first, ...rest] = command;
  if (first !== undefined) return { argv: [first, ...rest, ...args], program: findCommand(first) };
  const name = lastPart(image);
  const own = entrypoints.get(name);
  if (own !== undefined) return { argv: [name, ...args], program: own };
  const [called] = args;
  if (called !== undefined) return { argv: args, program: findCommand(called) };
  if (shells.has(name)) return { argv: ['sh'], program: findCommand('sh') };
  return { argv: [name], program: doNothing };
}
