// Whether a cost grows no faster than its input: CPU time for inputs of n, 2n and 4n bytes, the least of several.

import { withStall } from './stall.js';

/** Something that is done with an input made for it. */
export interface Work {
  readonly name: string;
  /** Makes an input of about so many bytes, and answers what is done with it: that answers the length of its answer. */
  prepare(bytes: number): Run | Promise<Run>;
  /** The request that has such an input as its body, where there is one. */
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
  /** 4n: the bytes of the largest input. */
  readonly bytes: number;
  /** Of n, 2n and 4n bytes, in milliseconds of CPU. */
  readonly costs: readonly number[];
  /** The longest answer, in bytes. */
  readonly answer: number;
  /** The longest stall of the event loop with the largest input, in milliseconds. */
  readonly stall: number;
}

/** The bytes of the largest input, where nothing is suspected. */
export const largest = Number(process.env.COST_KILOBYTES ?? 128) * 1024;

/** A cost that counts, in milliseconds: below it, what the machine does otherwise is larger. */
const floor = 2;
/**
 * How much more four times the input may cost. Four times and a logarithm is 4.5; eight leaves room for caches and for
 * a busy machine, and what grows with the square comes to sixteen.
 */
const most = 8;

/** Measures work with inputs of so many bytes, half and a quarter of them; what costs next to nothing is told as zero. */
export async function growthOf(work: Work, bytes = largest): Promise<Growth> {
  const first = await measure(work, bytes, 1);
  const { name } = work;
  const { answer, cost } = first;
  if (cost <= floor) return { name, bytes, costs: [0, 0, cost], answer, stall: first.stall };
  const measured = [];
  for (const size of [bytes / 4, bytes / 2, bytes]) measured.push(await measure(work, size, 3));
  return { name, bytes, costs: measured.map(({ cost }) => cost), answer, stall: measured.at(-1)?.stall ?? 0 };
}

/** What is wrong with it, in words. */
export function faultsOf({ name, bytes, costs, answer }: Growth): string[] {
  const [one = 0, , four = 0] = costs;
  return [
    ...(four > most * Math.max(one, floor / 2)
      ? [`${name}: four times the input costs ${(four / one).toFixed(1)} times as much (${shown(costs)} ms)`]
      : []),
    // What is small for any request, or twice as long as the request.
    ...(answer > 64 * 1024 + 2 * bytes ? [`${name}: an answer of ${answer} bytes to a request of ${bytes}`] : []),
  ];
}

/** The costs of works as a table. */
export function tableOf(growths: readonly Growth[], largestInput = largest): string {
  const width = Math.max(...growths.map(({ name }) => name.length));
  const head = ['n', '2n', '4n', 'ms/MB', 'stall/MB'].map((text) => text.padStart(9)).join('');
  const rows = growths.map(({ name, bytes, costs, stall }) => {
    const rates = [costs.at(-1) ?? 0, stall].map((millis) => ((millis * 1024 * 1024) / bytes).toFixed(1));
    const figures = [...costs.map((cost) => (cost === 0 ? '–' : cost.toFixed(2))), ...rates];
    return `${name.padEnd(width)}${figures.map((figure) => figure.padStart(9)).join('')}`;
  });
  return [
    `CPU milliseconds, 4n = ${largestInput} bytes, and more for what seemed to grow too fast; the longest stall of the loop`,
    `${''.padEnd(width)}${head}`,
    ...rows,
  ].join('\n');
}

const shown = (costs: readonly number[]) => costs.map((cost) => cost.toFixed(1)).join(', ');

/** The least of so many times. One that takes long is not done again for nothing. */
async function measure(
  work: Work,
  bytes: number,
  times: number,
): Promise<Pick<Growth, 'answer' | 'stall'> & { cost: number }> {
  // Whoever waits for this process hears of it.
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
