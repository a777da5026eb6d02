// Times that clients send: with offsets and fractions, and texts that are not of RFC 3339.
import { fail, success } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { isRefused } from './fields.js';
import { tryCreate } from './refusals.js';

const newYear = '2020-01-01T00:00:00Z';

/** Times, each with its second; without one if the text is not a time. */
const times: Readonly<Record<string, readonly [given: string, second?: string]>> = {
  '+02:00': ['2020-01-01T02:00:00+02:00', newYear],
  '-09:45': ['2019-12-31T14:15:00-09:45', newYear],
  'a fraction': ['2020-01-01T00:00:00.75Z', newYear],
  'nine digits of a fraction': ['2020-01-01T02:00:00.999999999+02:00', newYear],
  'no offset': ['2020-01-01T00:00:00'],
  'no such day': ['2020-02-30T00:00:00Z'],
};

/** Creates an event at the variant's time. */
export async function createTime(subject: OperationSubject, context: Context) {
  const [given, second] = times[subject.variant ?? ''] ?? fail(`no time for ${subject.id}`);
  const over = { firstTimestamp: given, lastTimestamp: given };
  return { given, second, ...(await tryCreate(context, resourceOf(subject.operation), over)) };
}

/** Throws Failure unless a valid time is kept to the second and an invalid one is refused. */
export function timeIsJudged(record: Awaited<ReturnType<typeof createTime>>): void {
  const { reply, given, second, after } = record;
  if (second === undefined) {
    isRefused(record);
    return;
  }
  success(reply);
  const shown = at(after, 'firstTimestamp');
  if (Math.floor(Date.parse(String(shown)) / 1000) * 1000 !== Date.parse(second))
    fail(`${reply.request}, then read: firstTimestamp is ${brief(shown)}, not ${given}`);
}
