// The images: the main program of a container, by the last part of the image's name.
import { parseTime } from '../api/time.js';
import { type Program, ProgramError, pause } from '../kernel/process.js';
import { writeText } from '../kernel/streams.js';
import { agnhost } from './agnhost.js';
import { findCommand } from './commands.js';
import { httpEcho } from './httpEcho.js';
import { apache, nginx, updateDemo } from './webServers.js';

export interface Entrypoint {
  readonly argv: readonly string[];
  /** Undefined if the program does not exist. */
  readonly program: Program | undefined;
}

const waitForSignal: Program = async ({ signal }) => {
  await pause(signal);
  return 0;
};

/** A program of root that may be run by all: it says as whom it runs. */
const noNewPrivileges: Program = async ({ sandbox: { user }, stdout }) => {
  await writeText(stdout, `Effective uid: ${user.mayEscalate ? 0 : user.uid}\n`);
  return 0;
};

/**
 * Runs `log-generator TIME=LINE…`. A time is RFC 3339, or seconds from the start (`-90s`, `+2.5s`). Past lines are
 * written at once with their time; future lines are written at their time. With `--wait`, the program continues after
 * the last line.
 */
const logGenerator: Program = async ({ argv, signal, sandbox }) => {
  const started = Date.now();
  const args = argv.slice(1);
  for (const { time, line } of args.filter((text) => text !== '--wait').map((text) => parseLine(text, started))) {
    if (time > Date.now()) await pause(signal, time - Date.now());
    sandbox.backdate(time, Buffer.from(`${line}\n`));
  }
  if (args.includes('--wait')) await pause(signal);
  return 0;
};

/** Parses `TIME=LINE`. `time` is in milliseconds since 1970. Throws ProgramError or RangeError. */
function parseLine(text: string, started: number): { readonly time: number; readonly line: string } {
  const at = text.indexOf('=');
  const [time, line] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 0) throw new ProgramError(`"${text}" is not a line; write it as TIME=LINE`, 2);
  const [, seconds] = /^([+-]\d+(?:\.\d+)?)s$/.exec(time) ?? [];
  if (seconds !== undefined) return { time: started + Number(seconds) * 1000, line };
  return { time: Number(parseTime(time)) / 1e6, line };
}

/** Images with their own program, which receives the arguments. */
const programs: ReadonlyMap<string, Program> = new Map([
  ['agnhost', agnhost],
  ['http-echo', httpEcho],
  ['httpd', apache],
  ['kitten', updateDemo('kitten.jpg')],
  ['log-generator', logGenerator],
  ['nautilus', updateDemo('nautilus.jpg')],
  ['nginx', nginx],
  ['nonewprivs', noNewPrivileges],
  ['pause', waitForSignal],
]);

/** The files of the program of an image, by which a command can call it. The first one starts. */
const ownCommands: ReadonlyMap<string, readonly string[]> = new Map([
  ['agnhost', ['/agnhost', '/agnhost-2', 'agnhost']],
  ['httpd', ['httpd-foreground', '/usr/local/bin/httpd-foreground']],
  ['nginx', ['nginx', '/usr/sbin/nginx']],
]);

const webServers = new Set(['httpd', 'nginx']);

/** Images that start a shell if no command is given. */
const shells = new Set(['busybox', 'alpine', 'bash', 'debian', 'ubuntu']);

/** Returns `b` of `registry:5000/a/b:tag@digest`. */
const nameOf = (image: string): string => /([^/:@]*)(?::[^/@]*)?(?:@.*)?$/.exec(image)?.[1] ?? '';

/** Returns the program of an image that a command calls, or undefined. */
export function programOfImage(image: string, called: string): Program | undefined {
  const name = nameOf(image);
  return ownCommands.get(name)?.includes(called) ? programs.get(name) : undefined;
}

/** Combines the command and the arguments with those of the image, as container runtimes do. */
export function entrypointOf(image: string, command: readonly string[], args: readonly string[]): Entrypoint {
  const name = nameOf(image);
  const own = ownCommands.get(name);
  // The entrypoint of a web server runs its arguments as a command.
  if (command.length === 0 && args.length > 0 && webServers.has(name)) return entrypointOf(image, args, []);
  const [first] = command;
  if (first !== undefined) {
    return { argv: [...command, ...args], program: programOfImage(image, first) ?? findCommand(first) };
  }
  const program = programs.get(name);
  if (program !== undefined) return { argv: [own?.[0] ?? name, ...args], program };
  const [called] = args;
  if (called !== undefined) return { argv: args, program: findCommand(called) };
  if (shells.has(name)) return { argv: ['sh'], program: findCommand('sh') };
  return { argv: [name], program: waitForSignal };
}
