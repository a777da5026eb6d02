// Measures whether a cost grows no faster than its input: the minimal CPU time for inputs of n, 2n and 4n bytes.

import { withStall } from './stall.js';

/** Work on an input of a given size. */
export interface Work {
  readonly name: string;
  /**
   * Makes an input of about this many bytes. Returns a function that does the work and returns the length of its
   * result.
   */
  prepare(bytes: number): Run | Promise<Run>;
  /** Returns a request with such an input as its body, if there is one. */
  request?(bytes: number): Request;
}

type Run = () => number | Promise<number>;

/** A POST to a server. */
export interface Request {
  readonly path: string;
  readonly mediaType: string;
  readonly body: string | Uint8Array;
}

export interface Growth {
  readonly name: string;
  /** The bytes of the largest input, 4n. */
  readonly bytes: number;
  /** The CPU time for n, 2n and 4n bytes, in milliseconds. */
  readonly costs: readonly number[];
  /** The longest result, in bytes. */
  readonly answer: number;
  /** How many times longer it is than with a quarter of the input; 1 for a result that is short for its input. */
  readonly growth: number;
  /** The longest stall of the event loop with the largest input, in milliseconds. */
  readonly stall: number;
}

/** The bytes of the largest input of a first measurement. */
export const largest = Number(process.env.COST_KILOBYTES ?? 32) * 1024;

/** The lowest meaningful cost, in milliseconds: below it, other load of the machine dominates. */
const floor = 2;
/**
 * The highest ratio of costs for four times the input. A linear cost with a logarithm has 4.5; eight leaves room for
 * caches and a busy machine; a quadratic cost has sixteen.
 */
const most = 8;
/** The same for the length of a result, which no other load changes. Numbers get longer, too. */
const mostOfLength = 5;

/** Measures work with inputs of `bytes`, half and a quarter of it. A negligible cost is reported as zero. */
export async function growthOf(work: Work, bytes = largest): Promise<Growth> {
  const first = await measure(work, bytes, 1);
  const { name } = work;
  const { answer, cost } = first;
  const isLong = answer > longest(bytes);
  const growth = isLong ? answer / Math.max(1, (await measure(work, bytes / 4, 1)).answer) : 1;
  if (cost <= floor) return { name, bytes, costs: [0, 0, cost], answer, growth, stall: first.stall };
  const quarter = await measure(work, bytes / 4, 3);
  const once = { name, bytes, costs: [quarter.cost, 0, cost], answer, growth, stall: first.stall };
  // Cold code costs more, so a first measurement that does not grow too fast is enough.
  if (!growsTooFast(once)) return once;
  const measured = [quarter];
  for (const size of [bytes / 2, bytes]) measured.push(await measure(work, size, 3));
  const costs = measured.map(({ cost }) => cost);
  return { name, bytes, costs, answer, growth, stall: measured.at(-1)?.stall ?? 0 };
}

/** A result may be small for any request, or twice as long as the request; a longer one must grow with the request. */
const longest = (bytes: number): number => 64 * 1024 + 2 * bytes;

const growsTooFast = ({ costs: [one = 0, , four = 0] }: Pick<Growth, 'costs'>): boolean =>
  four > most * Math.max(one, floor / 2);

/** Returns the faults of a measurement, as sentences. */
export function faultsOf(measured: Growth): string[] {
  const { name, bytes, costs, answer, growth } = measured;
  const [one = 0, , four = 0] = costs;
  return [
    ...(growsTooFast(measured)
      ? [`${name}: four times the input costs ${(four / one).toFixed(1)} times as much (${shown(costs)} ms)`]
      : []),
    ...(growth > mostOfLength
      ? [`${name}: four times the input has a result ${growth.toFixed(1)} times as long (${answer} bytes of ${bytes})`]
      : []),
  ];
}

export function tableOf(growths: readonly Growth[], largestInput = largest): string {
  const width = Math.max(...growths.map(({ name }) => name.length));
  const head = ['n', '2n', '4n', 'ms/MB', 'stall/MB', 'out/in'].map((text) => text.padStart(9)).join('');
  const rows = growths.map(({ name, bytes, costs, stall, answer }) => {
    const rates = [costs.at(-1) ?? 0, stall].map((millis) => ((millis * 1024 * 1024) / bytes).toFixed(1));
    const figures = [
      ...costs.map((cost) => (cost === 0 ? '–' : cost.toFixed(2))),
      ...rates,
      (answer / bytes).toFixed(1),
    ];
    return `${name.padEnd(width)}${figures.map((figure) => figure.padStart(9)).join('')}`;
  });
  return [
    `CPU milliseconds, 4n = ${largestInput} bytes, and more for what seemed to grow too fast; the longest stall of the loop; the result`,
    `${''.padEnd(width)}${head}`,
    ...rows,
  ].join('\n');
}

const shown = (costs: readonly number[]) => costs.map((cost) => cost.toFixed(1)).join(', ');

/** Returns the minimum of several measurements. A long measurement is not repeated. */
async function measure(
  work: Work,
  bytes: number,
  times: number,
): Promise<Pick<Growth, 'answer' | 'stall'> & { cost: number }> {
  // Let the event loop run, so that the process stays responsive.
  await new Promise((resolve) => setImmediate(resolve));
  const run = await work.prepare(bytes);
  let [cost, stall] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let answer = 0;
  const enough = performance.now() + 500;
  for (let count = 0; count < times && (count === 0 || performance.now() < enough); count += 1) {
    const before = process.cpuUsage();
    const done = await withStall(run);
    const { user, system } = process.cpuUsage(before);
    answer = Math.max(answer, done.result);
    cost = Math.min(cost, (user + system) / 1000);
    stall = Math.min(stall, done.stall);
  }
  return { cost, answer, stall };
}
