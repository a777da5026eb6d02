// Gets at a fixed rate from a separate thread, so that other work of the client does not count as the server's time.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Access, Client } from '../client.js';

/** The durations of gets since the last call, in milliseconds. */
export interface Waits {
  readonly count: number;
  readonly mean: number;
  readonly worst: number;
  /** The longest delay of a timer of the thread: the machine delays every process as much. */
  readonly late: number;
}

export function waitsText({ count, mean, worst, late }: Waits): string {
  return `${count} gets, mean ${mean.toFixed(1)} ms, worst ${worst.toFixed(0)} ms (a timer ${late.toFixed(0)} ms late)`;
}

interface Task extends Access {
  readonly paths: readonly string[];
}

/** Milliseconds between two gets. */
const interval = 20;

export class Probe {
  readonly #worker: Worker;

  constructor(access: Access, paths: readonly string[]) {
    const task: Task = { ...access, paths };
    this.#worker = new Worker(new URL(import.meta.url), { workerData: task });
  }

  /** Returns the waits since the last call. Throws the error that ended the thread. */
  async waits(): Promise<Waits> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage('waits');
    const [waits] = (await answered) as [Waits];
    return waits;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Reads one object after the other. A get that is late does not hold up the next. */
async function probe({ paths, ...access }: Task): Promise<void> {
  const client = new Client(access, 64);
  let waits: number[] = [];
  let late = 0;
  parentPort?.on('message', () => {
    const sum = waits.reduce((total, wait) => total + wait, 0);
    parentPort?.postMessage({ count: waits.length, mean: sum / waits.length, worst: Math.max(0, ...waits), late });
    waits = [];
    late = 0;
  });
  for (let count = 0; ; count += 1) {
    const started = performance.now();
    void client.send('GET', paths[count % paths.length] ?? '').then(() => waits.push(performance.now() - started));
    await sleep(interval);
    late = Math.max(late, performance.now() - started - interval);
  }
}

if (!isMainThread) await probe(workerData as Task);
