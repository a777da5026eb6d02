// The content of a log: every byte of the requested container, of its current or previous run.

import { defined } from '../../matrix/api/index.js';
import { fail, oneOf, status } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { pods } from '../objects/related.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { mustBeAlone } from '../run/runningPods.js';
import { contentPod, contents, logPath, restartedPod, timedLines, timedPod } from './pods.js';
import { isLog, type LogRead, logName, readExpectedLog, readLog } from './read.js';

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
  if (container === undefined) return await readExpectedLog(context, await timedPod(context), '', whole);
  return await readExpectedLog(context, await contentPod(context), `container=${container}`, contents[container] ?? '');
}

/** Returns a setup that reads a pod's log with the variant as the query; `plain` is not a query. */
const life =
  (log: string) =>
  async ({ variant = '' }: Subject, context: Context): Promise<LogRead> =>
    await readExpectedLog(context, await restartedPod(context), variant === 'plain' ? '' : variant, log);

async function accepted({ variant = '' }: Subject, context: Context): Promise<LogRead> {
  const path = logPath(await timedPod(context), '');
  const reply = await context.client.send({ method: 'GET', path, headers: { accept: variant } });
  return { reply, expected: Buffer.from(whole), node: context.node === undefined ? 'theirs' : 'ours' };
}

export const contentGroups = [
  group({
    subjects: 'logs',
    setup: content,
    checks: { content: isLog },
  }),
  group({
    subjects: 'textLogs',
    setup: content,
    checks: {
      'media-type': (record) => {
        status(record.reply, 200);
        oneOf(record.reply.mediaType, ['text/plain'], `${logName(record)}: media type`);
      },
    },
  }),
  group({
    subjects: 'acceptedLogs',
    setup: accepted,
    checks: { accept: isLog },
  }),
  group({
    subjects: 'prettyLogs',
    setup: async ({ variant = '' }, context) => await readExpectedLog(context, await timedPod(context), variant, whole),
    checks: {
      pretty: ({ reply }) => status(reply, 200),
      'pretty-same': isLog,
    },
  }),
  group({
    subjects: 'unnamedContainerLogs',
    setup: async (_, context) => {
      const { container: _unnamed, ...pod } = await timedPod(context);
      return { pod, log: await readExpectedLog(context, pod, '', whole) };
    },
    checks: {
      'container-default': ({ pod, log }) => {
        mustBeAlone(pod);
        isLog(log);
      },
    },
  }),
  group({
    subjects: 'containerLogs',
    setup: async ({ variant = '' }, context) => {
      const [container, log] = named[variant] ?? fail(`no container for ${variant}`);
      const pod = await contentPod(context);
      const read = (name: string, expected: string) => readExpectedLog(context, pod, `container=${name}`, expected);
      const stored = await context.sandbox.current({ ...pod, resource: pods });
      // Servers before 1.6 do not know the field.
      const hasEarlier = at(stored, 'spec', 'initContainers') !== undefined;
      const earlier = hasEarlier ? await read('earlier', 'before all others\n') : undefined;
      return { log: await read(container, log), ...defined({ earlier }) };
    },
    checks: {
      container: ({ log, earlier }) => {
        isLog(log);
        if (earlier !== undefined) isLog(earlier);
      },
    },
  }),
  group({
    subjects: 'previousLogs',
    setup: life('first life\n'),
    checks: { previous: isLog },
  }),
  group({
    subjects: 'currentLogs',
    setup: life('second life\n'),
    checks: { 'previous-default': isLog },
  }),
  group({
    subjects: 'neverRestartedLogs',
    setup: async ({ variant = '' }, context) => await readLog(context, await timedPod(context), variant),
    checks: {
      'previous-none': (record) => {
        const { reply } = record;
        if (reply.status < 400)
          fail(`${logName(record)}: expected an error, got ${reply.status} ${brief(reply.excerpt())}`);
      },
    },
  }),
];
