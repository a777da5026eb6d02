// Watches with a timeout, which take their time: a worker runs other subjects meanwhile.

import { equal, fail } from '../client/expect.js';
import { fill } from '../client/paths.js';
import type { StreamEnd } from '../client/streams/stream.js';
import { watching } from '../client/streams/watches.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

const seconds = 1;
/** Milliseconds by which the target's clock may be ahead. */
const tolerance = 50;

/** How long a stream must go on, and how long it is read, in milliseconds. */
interface Times {
  readonly least: number;
  readonly longest: number;
}

/** Watches until the stream ends, or until it was read for long enough. */
async function timed(
  { operation }: OperationSubject,
  timeoutSeconds: number | 'none',
  { client, sandbox }: Context,
  { least, longest }: Times,
) {
  const namespace = operation.resource?.namespaced ? await sandbox.namespace() : undefined;
  const path = fill(operation.path, namespace, sandbox.name());
  return await watching(client, path, { timeoutSeconds }, async (stream) => {
    await stream.ended(longest);
    const { request, status, end } = stream;
    if (isBefore(end, least)) client.health.lost(`${request}: the watch until its time is over`);
    return { request, status, end };
  });
}

/** Reports whether the server ended a stream before it went on for so many milliseconds. */
const isBefore = (end: StreamEnd | undefined, least: number): boolean => end?.how === 'complete' && end.at < least;

/** The milliseconds for which a bounded watch goes on, and for which one without a bound is read. */
const atLeast = seconds * 1000 - tolerance;
const readFor = 2 * seconds * 1000;

export const timeGroups = [
  group({
    subjects: 'boundedWatches',
    setup: (subject, context) =>
      timed(subject, seconds, context, {
        least: atLeast,
        longest: seconds * 1000 + context.client.usualStreamTimeout,
      }),
    checks: {
      bounded: ({ request, status, end }) => {
        equal(status, 200, `${request}: status`);
        if (end === undefined) fail(`${request}: it goes on after its time`);
        if (end.how !== 'complete') fail(`${request}: it is broken off${end.why === undefined ? '' : `: ${end.why}`}`);
        equal(end.rest.length, 0, `${request}: bytes after the last whole event`);
        if (isBefore(end, atLeast)) fail(`${request}: it ends after ${end.at} ms`);
      },
    },
  }),
  group({
    subjects: 'unboundedWatches',
    setup: (subject, context) => timed(subject, 'none', context, { least: readFor, longest: readFor }),
    checks: {
      unbounded: ({ request, status, end }) => {
        equal(status, 200, `${request}: status`);
        if (end !== undefined) fail(`${request}: it ends after ${end.at} ms, where no time was asked for`);
      },
    },
  }),
];
