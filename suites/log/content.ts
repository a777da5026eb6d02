// The content of a log: every byte of the requested container, of its current or previous run.
import type { Subject } from '../../matrix/requirements/index.js';
import { fail, oneOf, status } from '../support/http/expect.js';
import { brief } from '../support/http/json.js';
import type { Context } from '../support/run/worker.js';
import { contentPod, contents, restartedPod, timedLines, timedPod } from './pods.js';
import { isLog, type LogRead, nameOf, read, readLog } from './read.js';

const whole = `${timedLines.join('\n')}\n`;

/** The container with such a log. The plain lines are those of the pod with known times. */
const saidBy: Readonly<Record<string, string>> = {
  'no line': 'silent',
  'empty lines': 'blank',
  'a line without end': 'unended',
  'a long line': 'long',
  'many lines': 'many',
  'bytes that are no text': 'binary',
  'standard output and error': 'both',
};

const named: Readonly<Record<string, readonly [container: string, log: string]>> = {
  'the first': ['silent', ''],
  'the second': ['blank', '\n\na\n\n'],
};

async function content({ variant = '' }: Subject, context: Context): Promise<LogRead> {
  const container = saidBy[variant];
  if (container === undefined) return await read(context, await timedPod(context), '', whole);
  return await read(context, await contentPod(context), `container=${container}`, contents[container] ?? '');
}

/** Returns a setup that reads a pod's log with the variant as the query; `plain` is no query. */
const life =
  (log: string) =>
  async ({ variant = '' }: Subject, context: Context): Promise<LogRead> =>
    await read(context, await restartedPod(context), variant === 'plain' ? '' : variant, log);

async function accepted({ variant = '' }: Subject, context: Context): Promise<LogRead> {
  const { path } = await timedPod(context);
  const reply = await context.client.send({ method: 'GET', path, headers: { accept: variant } });
  return { reply, expected: Buffer.from(whole), node: context.node === undefined ? 'theirs' : 'ours' };
}

export const contentSetups = {
  logs: content,
  textLogs: content,
  acceptedLogs: accepted,
  prettyLogs: async ({ variant = '' }: Subject, context: Context) =>
    await read(context, await timedPod(context), variant, whole),
  unnamedContainerLogs: async (_: Subject, context: Context) => await read(context, await timedPod(context), '', whole),
  containerLogs: async ({ variant = '' }: Subject, context: Context) => {
    const [container, log] = named[variant] ?? fail(`no container for ${variant}`);
    return await read(context, await contentPod(context), `container=${container}`, log);
  },
  previousLogs: life('first life\n'),
  currentLogs: life('second life\n'),
  neverRestartedLogs: async ({ variant = '' }: Subject, context: Context) =>
    await readLog(context, await timedPod(context), variant),
};

export const contentChecks = {
  content: isLog,
  'media-type': (record: LogRead) => {
    status(record.reply, 200);
    oneOf(record.reply.mediaType, ['text/plain'], `${nameOf(record)}: media type`);
  },
  accept: isLog,
  pretty: ({ reply }: LogRead) => status(reply, 200),
  'pretty-same': isLog,
  'container-default': isLog,
  container: isLog,
  previous: isLog,
  'previous-default': isLog,
  'previous-none': (record: Pick<LogRead, 'reply' | 'node'>) => {
    const { reply } = record;
    if (reply.status < 400) fail(`${nameOf(record)}: expected an error, got ${reply.status} ${brief(reply.excerpt())}`);
  },
};
