// The range of a log: its start, the number of lines, the number of bytes, and the timestamps.

import { fail, status } from '../client/expect.js';
import { brief } from '../client/json.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { contentPod, contents, type TimedPod, timedLines, timedPod } from './pods.js';
import { isLog, type LogRead, logName, readExpectedLog, readLog } from './read.js';

/** Returns the last lines of the five. */
const last = (count: number): string =>
  timedLines
    .slice(timedLines.length - count)
    .map((line) => `${line}\n`)
    .join('');
const whole = last(5);

/** A query for the pod with known times, and the expected log. */
type Case = (pod: TimedPod) => readonly [query: string, log: string];
type Cases = Readonly<Record<string, Case>>;

/** Returns the time in the middle between the third and the fourth line. */
const between = ({ times: [, , third = 0, fourth = 0] }: TimedPod): number => (third + fourth) / 2;
const secondsSince = (time: number): number => Math.round((Date.now() - time) / 1000);
const sinceTime = (time: string): string => `sinceTime=${encodeURIComponent(time)}`;
const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
/** Returns a time with the offset of two hours. */
const eastern = (time: number): string => isoSeconds(time + 7_200_000).replace('Z', '+02:00');
const day = 86_400_000;

const sinceSecondsCases: Cases = {
  'between two lines': (pod) => [`sinceSeconds=${secondsSince(between(pod))}`, last(2)],
  'after the last line': () => ['sinceSeconds=1', ''],
  'a year': () => ['sinceSeconds=31536000', whole],
};

const sinceTimeCases: Cases = {
  'between two lines': (pod) => [sinceTime(isoSeconds(between(pod))), last(2)],
  'at a line': ({ times }) => [sinceTime(isoSeconds(times[3] ?? 0)), last(2)],
  'after the last line': () => [sinceTime(isoSeconds(Date.now())), ''],
  'with an offset': (pod) => [sinceTime(eastern(between(pod))), last(2)],
  'with a fraction': (pod) => [sinceTime(new Date(between(pod) + 1).toISOString()), last(2)],
  tomorrow: () => [sinceTime(isoSeconds(Date.now() + day)), ''],
};

const tailCases: Cases = {
  'from the creation': () => ['', whole],
  'from a sinceTime': (pod) => [sinceTime(isoSeconds(between(pod))), last(2)],
  'fewer lines than since': (pod) => [`tailLines=1&${sinceTime(isoSeconds(between(pod)))}`, last(1)],
  'more lines than since': (pod) => [`tailLines=4&${sinceTime(isoSeconds(between(pod)))}`, last(2)],
};

const fromTable =
  (cases: Cases) =>
  async ({ variant = '' }: Subject, context: Context): Promise<LogRead> => {
    const pod = await timedPod(context);
    const [query, log] = cases[variant]?.(pod) ?? fail(`no case for ${variant}`);
    const asked = Date.now();
    const read = await readExpectedLog(context, pod, query, log);
    // Seconds count from when the request arrives: one that comes late may begin after the next line.
    if (Date.now() - asked > 1_000) context.client.health.lost(`${read.reply.request}: in time for its lines`);
    return read;
  };

/** Returns a setup that uses the variant as the query; `plain` is not a query. */
const queried =
  (log: (query: URLSearchParams) => string) =>
  async ({ variant = '' }: Subject, context: Context): Promise<LogRead> => {
    const query = variant === 'plain' ? '' : variant;
    return await readExpectedLog(context, await timedPod(context), query, log(new URLSearchParams(query)));
  };

const tailed = queried((query) => last(Math.min(5, Number(query.get('tailLines')))));

/** A limit for the log with many lines: more query parameters, the first expected line, and the limit in bytes. */
const limits: Readonly<Record<string, readonly [query: string, from: number, bytes: number]>> = {
  'in the middle of a line': ['', 0, 10_003],
  'of the last lines': ['&tailLines=1000', 19_000, 3001],
  'beyond the end': ['', 0, 1_000_000],
};

async function limited({ variant = '' }: Subject, context: Context) {
  const [query, from, bytes] = limits[variant] ?? fail(`no limit for ${variant}`);
  const lines = String(contents.many).split('\n').slice(from).join('\n');
  const asked = `container=many&limitBytes=${bytes}${query}`;
  return { ...(await readLog(context, await contentPod(context), asked)), lines, bytes };
}

/** The allowed difference, in bytes, for a limit that the document calls approximate. */
const slack = 64;

async function timed({ variant = '' }: Subject, context: Context) {
  const pod = await timedPod(context);
  const count = Number(new URLSearchParams(variant).get('tailLines') ?? 5);
  return { ...(await readLog(context, pod, variant)), times: pod.times.slice(-count), count };
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

export const windowGroups = [
  group({
    subjects: 'sinceSecondsLogs',
    setup: fromTable(sinceSecondsCases),
    checks: { 'since-seconds': isLog },
  }),
  group({
    subjects: 'sinceSecondsBeforeStart',
    setup: fromTable(sinceSecondsCases),
    checks: { 'since-seconds-clamped': isLog },
  }),
  group({
    subjects: 'sinceSecondsOfFuture',
    setup: async ({ variant = '' }, context) => await readLog(context, await timedPod(context), variant),
    checks: {
      'since-seconds-future': (record) => {
        const { reply } = record;
        const refused = reply.status >= 400 && reply.status <= 499;
        if (!refused && (reply.status !== 200 || reply.bytes.length > 0)) {
          fail(`${logName(record)}: expected no line, or a client error, got ${reply.status} ${reply.excerpt()}`);
        }
      },
    },
  }),
  group({
    subjects: 'sinceTimeLogs',
    setup: fromTable(sinceTimeCases),
    checks: { 'since-time': isLog },
  }),
  group({
    subjects: 'sinceTimeBeforeStart',
    setup: queried(() => whole),
    checks: { 'since-time-clamped': isLog },
  }),
  group({
    subjects: 'sinceTimeOfFuture',
    setup: fromTable(sinceTimeCases),
    checks: { 'since-time-future': isLog },
  }),
  group({
    subjects: 'timedLogs',
    setup: timed,
    checks: {
      timestamps: (record) => {
        const { reply, times, count } = record;
        status(reply, 200);
        const lines = reply.bytes.toString().split('\n').slice(0, -1);
        const expected = timedLines.slice(-count);
        if (lines.length !== count) fail(`${logName(record)}: expected ${count} lines, got ${brief(lines)}`);
        for (const [index, line] of lines.entries()) {
          const [, time = '', text] = /^(\S+) (.*)$/.exec(line) ?? [];
          const isRight = rfc3339.test(time) && Date.parse(time) === times[index] && text === expected[index];
          if (!isRight) {
            const wanted = `${new Date(times[index] ?? 0).toISOString()} ${expected[index]}`;
            fail(`${logName(record)}: line ${index + 1}: expected ${wanted}, got ${brief(line)}`);
          }
        }
      },
    },
  }),
  group({
    subjects: 'untimedLogs',
    setup: queried(() => whole),
    checks: { 'timestamps-default': isLog },
  }),
  group({
    subjects: 'tailedLogs',
    setup: tailed,
    checks: { 'tail-lines': isLog },
  }),
  group({
    subjects: 'untailedLogs',
    setup: fromTable(tailCases),
    checks: { 'tail-lines-omitted': isLog },
  }),
  group({
    subjects: 'emptyTails',
    setup: tailed,
    checks: { 'tail-lines-zero': isLog },
  }),
  group({
    subjects: 'longTails',
    setup: tailed,
    checks: { 'tail-lines-beyond': isLog },
  }),
  group({
    subjects: 'tailsSince',
    setup: fromTable(tailCases),
    checks: { 'tail-and-since': isLog },
  }),
  group({
    subjects: 'limitedLogs',
    setup: limited,
    checks: {
      'limit-bytes': (record) => {
        const { reply, lines, bytes } = record;
        status(reply, 200);
        const came = reply.bytes.toString('latin1');
        if (!lines.startsWith(came))
          fail(`${logName(record)}: the log is not the start of those lines: ${brief(came)}`);
        const wanted = Math.min(bytes, lines.length);
        if (Math.abs(came.length - wanted) > slack) {
          fail(`${logName(record)}: expected about ${wanted} bytes, got ${came.length}`);
        }
      },
    },
  }),
  group({
    subjects: 'largestNumbers',
    setup: async ({ variant = '' }, context) =>
      await readExpectedLog(context, await timedPod(context), `${variant}=2147483647`, whole),
    checks: { int32: isLog },
  }),
];
