// Watches with a timeout, which take their time: a worker runs other subjects meanwhile.

import { resourceId } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { equal, fail } from '../client/expect.js';
import { brief } from '../client/json.js';
import { fill } from '../client/paths.js';
import type { Stream, StreamEnd } from '../client/streams/stream.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { change } from './forms.js';

const seconds = 1;
/** The time of a watch while events come, and the milliseconds between them. */
const busySeconds = 2;
const betweenEvents = 500;
/** A server counts the time of all kinds in one place: the watches of one kind are enough. */
const busyKind = 'core/configmaps';
/** Milliseconds by which the target's clock may be ahead. */
const tolerance = 50;

/** How long a stream must go on, and how long it is read, in milliseconds. */
interface Times {
  readonly least: number;
  readonly longest: number;
}

/** Watches until the stream ends, or until `read` is done with it: by default, after it was read for long enough. */
async function timed(
  path: string,
  timeoutSeconds: number | 'none',
  client: Client,
  { least, longest }: Times,
  read: (stream: Stream) => Promise<unknown> = (stream) => stream.ended(longest),
) {
  return await watching(client, path, { timeoutSeconds }, async (stream) => {
    await read(stream);
    const { request, status, end } = stream;
    const error = eventsOf(stream).find(({ type }) => type === 'ERROR');
    if (isBefore(end, least)) client.health.lost(`${request}: the watch until its time is over`);
    return { request, status, end, error, least };
  });
}

type Timed = Awaited<ReturnType<typeof timed>>;

async function pathOf({ operation }: OperationSubject, sandbox: Sandbox): Promise<string> {
  const namespace = operation.resource?.namespaced ? await sandbox.namespace() : undefined;
  return fill(operation.path, namespace, sandbox.name());
}

/** The times of a watch that the server must end. */
const bounded = (seconds: number, client: Client): Times => ({
  least: seconds * 1000 - tolerance,
  longest: seconds * 1000 + client.usualStreamTimeout,
});

/** Watches one kind for its time while events come. Undefined for other kinds, and where a run only reads. */
async function timedBusy({ operation: { resource, path } }: OperationSubject, { client, sandbox }: Context) {
  if (resource === undefined || resourceId(resource) !== busyKind || client.target.readOnly) return undefined;
  const made = await sandbox.make(resource);
  const times = bounded(busySeconds, client);
  return timed(fill(path, made.namespace, made.name), busySeconds, client, times, async (stream) => {
    const until = Date.now() + times.longest;
    for (let count = 1; Date.now() < until && (await stream.ended(betweenEvents)) === undefined; count += 1)
      await change(sandbox, made, { data: { count: String(count) } });
  });
}

/** Reports whether the server ended a stream before it went on for so many milliseconds. */
const isBefore = (end: StreamEnd | undefined, least: number): boolean => end?.how === 'complete' && end.at < least;

/** Throws Failure if a stream has ended while it was read. */
function goesOn({ request, status, end }: Timed): void {
  equal(status, 200, `${request}: status`);
  if (end !== undefined) fail(`${request}: it ends after ${end.at} ms, where no such time was asked for`);
}

/** Throws Failure unless a stream ended cleanly, and not too early. */
function endsInTime({ request, status, end, error, least }: Timed): void {
  equal(status, 200, `${request}: status`);
  if (error !== undefined) fail(`${request}: it ends with an ERROR: ${brief(error.object)}`);
  if (end === undefined) fail(`${request}: it goes on after its time`);
  if (end.how !== 'complete') fail(`${request}: it is broken off${end.why === undefined ? '' : `: ${end.why}`}`);
  equal(end.rest.length, 0, `${request}: bytes after the last whole event`);
  if (isBefore(end, least)) fail(`${request}: it ends after ${end.at} ms`);
}

/** The longest time that a watch can have. */
const longestSeconds = 2 ** 31 - 1;

/** Watches one kind for the longest time, and reads for as long as another one is bounded. Undefined for other kinds. */
async function timedLongest(subject: OperationSubject, { client, sandbox }: Context) {
  const { resource } = subject.operation;
  if (resource === undefined || resourceId(resource) !== busyKind) return undefined;
  const { least } = bounded(seconds, client);
  return timed(await pathOf(subject, sandbox), longestSeconds, client, { least, longest: least });
}

export const timeGroups = [
  group({
    subjects: 'boundedWatches',
    setup: async (subject, context) => {
      const { client, sandbox } = context;
      return {
        quiet: await timed(await pathOf(subject, sandbox), seconds, client, bounded(seconds, client)),
        busy: await timedBusy(subject, context),
        longest: await timedLongest(subject, context),
      };
    },
    checks: {
      bounded: ({ quiet, busy, longest }) => {
        endsInTime(quiet);
        if (busy !== undefined) endsInTime(busy);
        if (longest !== undefined) goesOn(longest);
      },
    },
  }),
  group({
    subjects: 'unboundedWatches',
    // The server's own limit may be as short as one second.
    setup: async (subject, { client, sandbox }) => {
      const { least } = bounded(seconds, client);
      return timed(await pathOf(subject, sandbox), 'none', client, { least, longest: least });
    },
    checks: {
      unbounded: (watched) => goesOn(watched),
    },
  }),
];
