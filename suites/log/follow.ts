// Following a log: lines as they are written, until the container or the client ends.

import { defined } from '../../matrix/api/index.js';
import { equal, fail, Prerequisite, status } from '../client/expect.js';
import { brief } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Stream } from '../client/streams/stream.js';
import { inTime } from '../objects/eventually.js';
import { pods } from '../objects/related.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { type LogPod, logPath, startTicking, tickingPod, timedLines, timedPod } from './pods.js';
import { readLog } from './read.js';

/** The number of lines that must follow the existing ones. */
const more = 3;

/** What clients in Go send with every request. */
const takesGzip = { 'accept-encoding': 'gzip' };

const follow = <T>({ client }: Context, pod: LogPod, query: string, read: (stream: Stream) => Promise<T>) =>
  client.stream({ method: 'GET', path: logPath(pod, `follow=true${query}`), of: 'lines', headers: takesGzip }, read);

const textOf = ({ events }: Stream): string[] => events.map(({ bytes }) => bytes.toString());

/** Returns the number of a tick, with or without a timestamp. */
const tickOf = (line: string | undefined): number => Number(/(?:^|\s)tick (\d+)$/.exec(line ?? '')?.[1]);

/** Returns the number of the last tick that was written. */
async function lastTick(context: Context, pod: LogPod): Promise<number> {
  const { reply } = await readLog(context, pod, 'tailLines=1');
  const tick = tickOf(reply.bytes.toString().trimEnd());
  if (!(tick > 0)) throw new Prerequisite(`${reply.request}: no line is there: ${reply.status} ${reply.excerpt()}`);
  return tick;
}

/** Waits until the last line is not the first one, and returns its number. */
async function laterTick(context: Context, pod: LogPod): Promise<number> {
  const tick = await inTime(context, async () => {
    const last = await lastTick(context, pod);
    return last > 1 ? last : undefined;
  });
  if (tick === undefined) throw new Prerequisite(`${logPath(pod, '')}: no second line is there`);
  return tick;
}

async function followed({ variant = '' }: Subject, context: Context) {
  const pod = await tickingPod(context);
  const query = variant === 'plain' ? '' : `&${variant}`;
  const before = variant.includes('tailLines') ? await laterTick(context, pod) : undefined;
  return await follow(context, pod, query, async (stream) => {
    await stream.until((lines) => lines.length > 0);
    // Read after the answer has begun: an answer that only has what was there has none of the lines that follow.
    const there = await lastTick(context, pod);
    const came = await stream.until((lines) => tickOf(lines.at(-1)?.bytes.toString()) >= there + more);
    const { request, refusal, end } = stream;
    return { request, refusal, came, lines: textOf(stream), end, ...defined({ before }) };
  });
}

/** Bytes that a log which goes on reaches within a second. */
const limit = 40;

async function ended({ variant = '' }: Subject, context: Context) {
  const isLimited = variant === 'a limit of bytes';
  const isDeleted = variant === 'a container that ends';
  const pod = await (isLimited ? tickingPod(context) : isDeleted ? startTicking(context) : timedPod(context));
  return await follow(context, pod, isLimited ? `&tailLines=1&limitBytes=${limit}` : '', async (stream) => {
    if (isDeleted) {
      await stream.until((lines) => lines.length > 0);
      const path = pathTo(pods, 'delete', pod.namespace, pod.name);
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', gracePeriodSeconds: 1 };
      await context.sandbox.attempt('delete the pod', 'DELETE', path, options);
    }
    const end = await stream.ended();
    return {
      request: stream.request,
      status: stream.status,
      end: end?.how,
      lines: textOf(stream),
      isWhole: !isLimited && !isDeleted,
    };
  });
}

async function left(_: Subject, context: Context) {
  const pod = await tickingPod(context);
  const { node } = context;
  if (node === undefined) throw new Prerequisite('no node of ours');
  const last = async () => (await node.received(`/${pod.name}/`)).at(-1);
  const seen = await follow(context, pod, '', async (stream) => {
    await stream.until((lines) => lines.length > 0);
    return { request: stream.request, status: stream.status, during: await last() };
  });
  const after = await inTime(context, async () => ((await last())?.ended ? true : undefined));
  return { ...seen, after: after === true };
}

export const followGroups = [
  group({
    subjects: 'followedLogs',
    setup: followed,
    checks: {
      follow: ({ request, refusal, came, lines, end, before = 1 }, { variant = '' }) => {
        if (refusal !== undefined) status(refusal, 200);
        if (!came)
          fail(`${request}: new lines did not come: ${end?.how ?? 'still open'} after ${brief(lines.slice(-3))}`);
        const first = tickOf(lines[0]);
        if (first < before) fail(`${request}: expected the last line, tick ${before} or later, got ${brief(lines[0])}`);
        const gap = lines.findIndex((line, index) => tickOf(line) !== first + index);
        if (gap >= 0) fail(`${request}: line ${gap + 1}: expected tick ${first + gap}, got ${brief(lines[gap])}`);
        const bare = lines.find((line) => /^\d{4}-\d\d-\d\dT\S+ tick/.test(line) !== variant.includes('timestamps'));
        if (bare !== undefined) fail(`${request}: the time before a line: got ${brief(bare)}`);
      },
    },
  }),
  group({
    subjects: 'unfollowedLogs',
    setup: async ({ variant = '' }, context) =>
      await readLog(context, await tickingPod(context), variant === 'plain' ? '' : variant),
    checks: {
      'follow-default': ({ reply }) => {
        status(reply, 200);
        if (!(tickOf(reply.bytes.toString().trimEnd().split('\n').at(-1)) > 0)) {
          fail(`${reply.request}: expected the lines that are there, got ${brief(reply.excerpt())}`);
        }
      },
    },
  }),
  group({
    subjects: 'endedLogs',
    setup: ended,
    checks: {
      'follow-ends': ({ request, status, end, lines, isWhole }) => {
        equal(status, 200, `${request}: status`);
        equal(end ?? 'still open', 'complete', `${request}: the end of the log`);
        if (isWhole) equal(lines.join(), timedLines.join(), `${request}: the lines`);
      },
    },
  }),
  group({
    subjects: 'leftLogs',
    setup: left,
    checks: {
      'follow-left': ({ request, status, during, after }) => {
        equal(status, 200, `${request}: status`);
        equal(
          during?.ended ?? 'absent',
          false,
          `${request}: at the node, the request has ended while the client reads`,
        );
        equal(after, true, `${request}: at the node, the request has ended once the client has left`);
      },
    },
  }),
];
