// How much of a log comes: from when, how many lines, how many bytes, and with which times.
import type { Subject } from '../../matrix/requirements/index.js';
import { fail, status } from '../support/expect.js';
import { brief } from '../support/json.js';
import type { Context } from '../support/worker.js';
import { contentPod, contents, type TimedPod, timedLines, timedPod } from './pods.js';
import { isLog, type LogRead, nameOf, read, readLog } from './read.js';

/** The last so many of the five lines. */
const last = (count: number): string =>
  timedLines
    .slice(timedLines.length - count)
    .map((line) => `${line}\n`)
    .join('');
const whole = last(5);

/** A query on the pod with the times, and the log that it should give. */
type Case = (pod: TimedPod) => readonly [query: string, log: string];
type Cases = Readonly<Record<string, Case>>;

/** Between the third line and the fourth. */
const between = ({ times: [, , third = 0, fourth = 0] }: TimedPod): number => (third + fourth) / 2;
const secondsSince = (time: number): number => Math.round((Date.now() - time) / 1000);
const sinceTime = (time: string): string => `sinceTime=${encodeURIComponent(time)}`;
const isoSeconds = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`;
/** The same moment as clocks two hours east of Greenwich show it. */
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
    return await read(context, pod, query, log);
  };

/** The variant is the query; `plain` is none. */
const queried =
  (log: (query: URLSearchParams) => string) =>
  async ({ variant = '' }: Subject, context: Context): Promise<LogRead> => {
    const query = variant === 'plain' ? '' : variant;
    return await read(context, await timedPod(context), query, log(new URLSearchParams(query)));
  };

const tailed = queried((query) => last(Math.min(5, Number(query.get('tailLines')))));

/** A limit within the many lines: which of them it is about, and the bytes that it lets through. */
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

/** How far a count may be off that the document calls approximate. */
const slack = 64;

async function timed({ variant = '' }: Subject, context: Context) {
  const pod = await timedPod(context);
  const count = Number(new URLSearchParams(variant).get('tailLines') ?? 5);
  return { ...(await readLog(context, pod, variant)), times: pod.times.slice(-count), count };
}

const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

export const windowPerformers = {
  sinceSecondsLogs: fromTable(sinceSecondsCases),
  sinceSecondsBeforeStart: fromTable(sinceSecondsCases),
  sinceSecondsOfFuture: async ({ variant = '' }: Subject, context: Context) =>
    await readLog(context, await timedPod(context), variant),
  sinceTimeLogs: fromTable(sinceTimeCases),
  sinceTimeBeforeStart: queried(() => whole),
  sinceTimeOfFuture: fromTable(sinceTimeCases),
  timedLogs: timed,
  untimedLogs: queried(() => whole),
  tailedLogs: tailed,
  untailedLogs: fromTable(tailCases),
  emptyTails: tailed,
  longTails: tailed,
  tailsSince: fromTable(tailCases),
  limitedLogs: limited,
  largestNumbers: async ({ variant = '' }: Subject, context: Context) =>
    await read(context, await timedPod(context), `${variant}=2147483647`, whole),
};

type Recorded<S extends keyof typeof windowPerformers> = Awaited<ReturnType<(typeof windowPerformers)[S]>>;

export const windowChecks = {
  'since-seconds': isLog,
  'since-seconds-clamped': isLog,
  'since-seconds-future': (record: Recorded<'sinceSecondsOfFuture'>) => {
    const { reply } = record;
    const refused = reply.status >= 400 && reply.status <= 499;
    if (!refused && (reply.status !== 200 || reply.bytes.length > 0)) {
      fail(`${nameOf(record)}: expected no line, or a client error, got ${reply.status} ${reply.excerpt()}`);
    }
  },
  'since-time': isLog,
  'since-time-clamped': isLog,
  'since-time-future': isLog,
  timestamps: (record: Recorded<'timedLogs'>) => {
    const { reply, times, count } = record;
    status(reply, 200);
    const lines = reply.bytes.toString().split('\n').slice(0, -1);
    const expected = timedLines.slice(-count);
    if (lines.length !== count) fail(`${nameOf(record)}: expected ${count} lines, got ${brief(lines)}`);
    for (const [index, line] of lines.entries()) {
      const [, time = '', text] = /^(\S+) (.*)$/.exec(line) ?? [];
      const isRight = rfc3339.test(time) && Date.parse(time) === times[index] && text === expected[index];
      if (!isRight) {
        const wanted = `${new Date(times[index] ?? 0).toISOString()} ${expected[index]}`;
        fail(`${nameOf(record)}: line ${index + 1}: expected ${wanted}, got ${brief(line)}`);
      }
    }
  },
  'timestamps-default': isLog,
  'tail-lines': isLog,
  'tail-lines-omitted': isLog,
  'tail-lines-zero': isLog,
  'tail-lines-beyond': isLog,
  'tail-and-since': isLog,
  'limit-bytes': (record: Recorded<'limitedLogs'>) => {
    const { reply, lines, bytes } = record;
    status(reply, 200);
    const came = reply.bytes.toString('latin1');
    if (!lines.startsWith(came)) fail(`${nameOf(record)}: the log is not the start of those lines: ${brief(came)}`);
    const wanted = Math.min(bytes, lines.length);
    if (Math.abs(came.length - wanted) > slack) {
      fail(`${nameOf(record)}: expected about ${wanted} bytes, got ${came.length}`);
    }
  },
  int32: isLog,
};
