// Exec: the effect of each parameter, the end of the process, and the content of the streams.
import { randomBytes } from 'node:crypto';
import { defined } from '../../matrix/api/index.js';
import { equal, fail } from '../client/expect.js';
import { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { mustBeAlone, type RunningPod } from '../run/runningPods.js';
import { argv, made, outputs, pathOn } from './connections.js';
import { inMain, pair, single } from './containers.js';
import { piecesOf, whileMoving } from './moving.js';
import { exitCode, withCommand } from './remoteCommand.js';
import { usual } from './transports.js';

interface ExecResult {
  readonly what: string;
  readonly refusal?: Reply;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exit: number | undefined;
  /** Whether the outputs ended after the exit code; absent if nobody waited for that. */
  readonly isOver?: boolean;
}

interface Command {
  /** Both outputs when absent. */
  readonly query?: string;
  /** The part of the query that chooses the container: `main` when absent. */
  readonly container?: string;
  readonly command: readonly string[];
  readonly input?: Buffer;
  /** Closes the input after the last byte. */
  readonly ends?: true;
  /** Waits for the end of the outputs too. */
  readonly toEnd?: true;
  /** Waits as long as bytes come. */
  readonly isLarge?: true;
}

/** Runs a command to its end, by the subject's method and transport. */
async function ran(
  subject: OperationSubject,
  { client }: Context,
  pod: RunningPod,
  asked: Command,
): Promise<ExecResult> {
  const { operation, variant: transport = usual(operation.method) } = subject;
  const { query = outputs, container = inMain, command: parts, input, ends, toEnd, isLarge } = asked;
  const path = pathOn(operation, pod, [container, query, argv(...parts)].filter(Boolean).join('&'));
  const what = `${operation.method} ${path} over ${transport}`;
  return await withCommand(client, { method: operation.method, path, transport }, async (command) => {
    if (command instanceof Reply)
      return { what, refusal: command, stdout: Buffer.alloc(0), stderr: '', exit: undefined };
    const { stdin, stdout, stderr, error } = command;
    for (const part of input === undefined ? [] : piecesOf(input)) stdin?.sending.write(part);
    if (ends) stdin?.sending.end();
    const hasExited = () => exitCode(error?.bytes) !== undefined;
    if (isLarge)
      await whileMoving(
        client,
        (milliseconds) => command.until(hasExited, milliseconds),
        () => stdout?.bytes.length ?? 0,
      );
    else await command.until(hasExited);
    const isOver = toEnd && (await command.until(() => [stdout, stderr].every((each) => each?.end !== undefined)));
    const seen = { what, stdout: stdout?.bytes ?? Buffer.alloc(0), stderr: stderr?.text ?? '' };
    return { ...seen, exit: exitCode(error?.bytes), ...defined({ isOver }) };
  });
}

const both = ['sh', '-c', 'echo out; echo error >&2'];
const withInput = `stdin=true&${outputs}`;
const line = Buffer.from('a line\n');

/** Arguments that a shell, a limit, a join or a second decoding would change, and how `printf '[%s]'` shows them. */
const odd = ['a b', 'c', '', '$HOME;*', '1+1', '%2B', 'é', 'c', 'two\nlines', 'x'.repeat(5_000)] as const;
const oddShown = odd.map((argument) => `[${argument}]`).join('');

/** The exit code of a command that fails, beyond the numbers of a signed byte. */
const code = 203;

/** Tries all parameters at once, each in its own exec. */
async function calls(subject: OperationSubject, context: Context) {
  const one = await single(context);
  const two = await pair(context);
  const run = (asked: Command, pod = one) => ran(subject, context, pod, asked);
  const [arguments_, plain, stdin, noStdin, apart, defaults, stdoutOff, stderrOff, tty, container, unnamed, failed] =
    await Promise.all([
      run({ command: ['printf', '[%s]', ...odd] }),
      run({ command: ['echo', '$HOME; exit 1 | *'] }),
      run({ query: withInput, command: ['head', '-n', '1'], input: line }),
      run({ command: ['head', '-n', '1'], input: line }),
      run({ command: both }),
      run({ query: '', command: both }),
      run({ query: 'stdout=false&stderr=true', command: both }),
      run({ query: 'stdout=true&stderr=false', command: both }),
      run({ query: 'stdout=true&tty=true', command: both }),
      run({ container: 'container=second', command: ['printenv', 'CONTAINER'] }, two),
      run({ container: '', command: ['printenv', 'CONTAINER'] }),
      run({ command: ['sh', '-c', `exit ${code}`], toEnd: true }),
    ]);
  return {
    one,
    arguments_,
    plain,
    stdin,
    noStdin,
    apart,
    defaults,
    stdoutOff,
    stderrOff,
    tty,
    container,
    unnamed,
    failed,
  };
}

const says = (ran: ExecResult, stdout: string, stderr = ''): void => {
  made(ran);
  equal(ran.stdout.toString('utf8'), stdout, `${ran.what}: stdout`);
  equal(ran.stderr, stderr, `${ran.what}: stderr`);
};

const input = (subject: OperationSubject, context: Context) =>
  single(context).then((pod) =>
    ran(subject, context, pod, { query: withInput, command: ['cat'], input: line, ends: true }),
  );

const size = 3 * 1024 * 1024;

/** Sends many bytes to a command that returns them. */
async function large(subject: OperationSubject, context: Context) {
  const sent = randomBytes(size);
  const command = ['head', '-c', String(size)];
  const pod = await single(context);
  return { sent, got: await ran(subject, context, pod, { query: withInput, command, input: sent, isLarge: true }) };
}

/** Terminal sizes of a client, and the output of `stty size` for each: rows before columns. */
const sizes = [
  { Width: 97, Height: 31, said: '31 97' },
  { Width: 132, Height: 43, said: '43 132' },
] as const;

/** A script that prints each new size of its terminal. */
const watching =
  'old=; while true; do new=$(stty size); if [ "$new" != "$old" ]; then echo "size $new"; old=$new; fi; sleep 0.05; done';

/** Sends each size after the terminal has printed the one before. */
async function resized(
  { operation, variant: transport = usual(operation.method) }: OperationSubject,
  context: Context,
) {
  const { method } = operation;
  const query = `${inMain}&stdin=true&stdout=true&tty=true&${argv('sh', '-c', watching)}`;
  const path = pathOn(operation, await single(context), query);
  const what = `${method} ${path} over ${transport}`;
  return await withCommand(context.client, { method, path, transport }, async (command) => {
    if (command instanceof Reply) return { what, refusal: command, screen: '' };
    for (const { said, ...size } of sizes) {
      command.resize?.sending.write(Buffer.from(`${JSON.stringify(size)}\n`));
      if (!(await command.until(() => command.stdout?.text.includes(`size ${said}`) === true))) break;
    }
    return { what, screen: command.stdout?.text ?? '' };
  });
}

export const execGroups = [
  group({
    subjects: 'execCalls',
    setup: calls,
    checks: {
      'exec-command': ({ arguments_ }) => says(arguments_, oddShown),
      'exec-no-shell': ({ plain }) => says(plain, '$HOME; exit 1 | *\n'),
      'exec-stdin': ({ stdin }) => says(stdin, 'a line\n'),
      'exec-stdin-default': ({ noStdin }) => {
        says(noStdin, '');
        equal(noStdin.exit ?? 'none', 0, `${noStdin.what}: the exit code of a command whose input is over`);
      },
      'exec-stdout-default': ({ defaults }) => {
        made(defaults);
        equal(defaults.stdout.toString('utf8'), 'out\n', `${defaults.what}: stdout`);
      },
      'exec-stdout-off': ({ stdoutOff }) => says(stdoutOff, '', 'error\n'),
      'exec-stderr-default': ({ defaults }) => {
        made(defaults);
        equal(defaults.stderr, 'error\n', `${defaults.what}: stderr`);
      },
      'exec-stderr-off': ({ stderrOff }) => says(stderrOff, 'out\n'),
      'exec-tty': ({ tty }) => says(tty, 'out\r\nerror\r\n'),
      'exec-tty-default': ({ apart }) => says(apart, 'out\n', 'error\n'),
      'exec-container-default': ({ one, unnamed }) => {
        mustBeAlone(one);
        says(unnamed, 'main\n');
      },
      'exec-container': ({ container }) => says(container, 'second\n'),
      'exec-exit-status': ({ failed, plain }) => {
        for (const [ran, expected] of [
          [failed, code],
          [plain, 0],
        ] as const) {
          made(ran);
          equal(ran.exit ?? 'none', expected, `${ran.what}: the exit code`);
        }
        if (!failed.isOver) fail(`${failed.what}: the outputs did not end after the exit code`);
      },
    },
  }),
  group({
    subjects: 'resizedExecs',
    setup: resized,
    checks: {
      'exec-resize': (record) => {
        made(record);
        for (const { said } of sizes) {
          if (!record.screen.includes(`size ${said}`)) {
            fail(
              `${record.what}: the command was not told the size ${said}: ${JSON.stringify(record.screen.slice(-200))}`,
            );
          }
        }
      },
    },
  }),
  group({
    subjects: 'endedInputs',
    setup: input,
    checks: {
      'exec-input-end': (ran) => {
        says(ran, 'a line\n');
        equal(ran.exit ?? 'none', 0, `${ran.what}: the exit code of cat after the end of its input`);
      },
    },
  }),
  group({
    subjects: 'largeExecs',
    setup: large,
    checks: {
      'exec-bytes': ({ sent, got }) => {
        made(got);
        if (!got.stdout.equals(sent)) {
          fail(
            `${got.what}: ${sent.length} bytes were sent, ${got.stdout.length} came back, and they are not the same`,
          );
        }
      },
    },
  }),
];
