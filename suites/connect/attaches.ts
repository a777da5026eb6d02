// Attach: the effect of each parameter on the streams of a running process.

import { equal, fail } from '../client/expect.js';
import { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { mustBeAlone, type RunningPod } from '../run/runningPods.js';
import { made, outputs, pathOn } from './connections.js';
import { counter, inMain, pair, terminal } from './containers.js';
import { type RemoteCommand, withCommand } from './remoteCommand.js';
import { usual } from './transports.js';

/** The outcome of an attach; `token` is the line that was sent. */
interface Attached {
  readonly what: string;
  readonly refusal?: Reply;
  readonly token: string;
  readonly stdout: string;
  readonly stderr: string;
}

interface How {
  /** The beginning of the line that ends the wait. */
  readonly awaits?: RegExp;
  /** The part of the query that chooses the container: `main` when absent. */
  readonly container?: string;
  /** Milliseconds of the wait; the usual timeout when absent. */
  readonly timeout?: number;
  readonly meanwhile?: Typing;
}

/** Milliseconds to wait for the outputs that are on by default: some servers never send them. */
const longestDefaults = 5_000;

type Typing = (command: RemoteCommand, token: string) => Promise<unknown>;

/** Attaches with the query, sends a line, and waits until an output line with the token matches `awaits`. */
async function attached(
  { operation }: OperationSubject,
  { client, sandbox }: Context,
  pod: RunningPod,
  query: string,
  { awaits, container = inMain, meanwhile, timeout }: How = {},
): Promise<Attached> {
  const { method } = operation;
  const transport = usual(method);
  const path = pathOn(operation, pod, [container, query].filter(Boolean).join('&'));
  const what = `${method} ${path} over ${transport}`;
  const token = sandbox.name();
  return await withCommand(client, { method, path, transport }, async (command) => {
    if (command instanceof Reply) return { what, token, refusal: command, stdout: '', stderr: '' };
    command.stdin?.sending.write(Buffer.from(`${token}\n`));
    const said = () => `${command.stdout?.text ?? ''}${command.stderr?.text ?? ''}`;
    const lines = (text: string) =>
      text.split('\n').filter((line) => line.endsWith(token) || line.endsWith(`${token}\r`));
    if (meanwhile !== undefined) await meanwhile(command, token);
    else {
      const came = await command.until(() => lines(said()).some((line) => awaits?.test(line) ?? true), timeout);
      if (!came && timeout !== undefined) client.health.lost(`${what}: the outputs that are on by default`);
    }
    return { what, token, stdout: command.stdout?.text ?? '', stderr: command.stderr?.text ?? '' };
  });
}

/** Tries the parameters one after the other, because the attaches share a process. */
async function calls(subject: OperationSubject, context: Context) {
  const process = await counter(context);
  const attach = (query: string, pod = process, how: How = {}) => attached(subject, context, pod, query, how);
  const error = { awaits: /^error / };
  const whole = `stdin=true&${outputs}`;
  const plain = await attach(whole, process, error);
  const timeout = Math.min(longestDefaults, context.sandbox.timeout);
  const defaults = await attach('stdin=true', process, { ...error, timeout });
  const stdoutOff = await attach('stdin=true&stdout=false&stderr=true', process, error);
  const stderrOff = await attach('stdin=true&stdout=true&stderr=false', process, {
    // the process repeats the first line on both streams before it repeats the second
    meanwhile: async (command: RemoteCommand, token: string) => {
      const count = () => command.stdout?.text.split(token).length ?? 0;
      await command.until(() => count() > 1);
      command.stdin?.sending.write(Buffer.from(`${token}\n`));
      await command.until(() => count() > 2);
    },
  });
  const tty = await attach('stdin=true&stdout=true&tty=true', await terminal(context), error);
  const container = await attach(whole, await pair(context), { container: 'container=second' });
  const unnamed = await attach(whole, process, { ...error, container: '' });
  let typed: Attached | undefined;
  const silent = await attach(outputs, process, {
    meanwhile: async (command: RemoteCommand) => {
      const other = await attach(whole, process, error);
      typed = other;
      await command.until(() => command.stdout?.text.includes(other.token) === true);
    },
  });
  return { process, plain, defaults, stdoutOff, stderrOff, tty, container, unnamed, silent, later: typed ?? silent };
}

/** Returns the number that the process gave to the line; undefined if the line did not come. */
const counted = (text: string, name: string, token: string): number | undefined => {
  const [, count] = new RegExp(`^${name} (\\d+) ${token}\\r?$`, 'm').exec(text) ?? [];
  return count === undefined ? undefined : Number(count);
};

function came(attached: Attached, where: 'stdout' | 'stderr', name: string): void {
  made(attached);
  const { what, token } = attached;
  const text = attached[where];
  if (counted(text, name, token) === undefined) {
    fail(`${what}: the process said "${name} … ${token}", ${where} is ${JSON.stringify(text.slice(-300))}`);
  }
}

export const attachGroups = [
  group({
    subjects: 'attachCalls',
    setup: calls,
    checks: {
      'attach-stdin': ({ plain }) => came(plain, 'stdout', 'main'),
      'attach-stdin-default': ({ silent, later }) => {
        made(silent);
        if (!silent.stdout.includes(later.token)) fail(`${silent.what}: nothing came of what the process said`);
        if (silent.stdout.includes(silent.token)) fail(`${silent.what}: what was sent reached the process`);
      },
      'attach-stdout-default': ({ defaults }) => came(defaults, 'stdout', 'main'),
      'attach-stdout-off': ({ stdoutOff }) => {
        came(stdoutOff, 'stderr', 'error');
        equal(stdoutOff.stdout, '', `${stdoutOff.what}: stdout`);
      },
      'attach-stderr-default': ({ defaults }) => came(defaults, 'stderr', 'error'),
      'attach-stderr-off': ({ stderrOff }) => {
        came(stderrOff, 'stdout', 'main');
        equal(stderrOff.stderr, '', `${stderrOff.what}: stderr`);
      },
      'attach-tty': ({ tty }) => {
        came(tty, 'stdout', 'main');
        came(tty, 'stdout', 'error');
      },
      'attach-tty-default': ({ plain }) => {
        made(plain);
        if (plain.stdout.includes('error ') || plain.stdout.includes('\r'))
          fail(`${plain.what}: the streams are a terminal's`);
      },
      'attach-container-default': ({ process, unnamed }) => {
        mustBeAlone(process);
        came(unnamed, 'stdout', 'main');
      },
      'attach-container': ({ container }) => came(container, 'stdout', 'second'),
      'attach-left': ({ plain, later }) => {
        made(later);
        const counts = [plain, later].map(({ stderr, token }) => counted(stderr, 'error', token) ?? 0) as [
          number,
          number,
        ];
        if (!(counts[0] > 0 && counts[1] > counts[0])) {
          fail(`${later.what}: the process counted ${counts[0]} lines, and ${counts[1]} after the client had gone`);
        }
      },
    },
  }),
];
