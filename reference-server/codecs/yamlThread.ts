// The thread that reads and writes long YAML: started for the first job, replaced when it dies, and bounded.
import { Worker } from 'node:worker_threads';
import { badRequest, StatusError, unavailable } from '../errors.js';
import type { Done, Job } from './yamlWorker.js';

/** Jobs that wait for the one under way; each holds a body. */
const mostWaiting = 100;
/** How often a job is tried again on another thread when the thread dies under it. */
const mostDeaths = 1;
/** No body needs as much: what does is ended with its thread, and the server stays. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** Threads run what is compiled. */
const compiled = import.meta.url.endsWith('.ts') ? '../../dist/reference-server/codecs/' : './';

interface Waiting extends Job {
  deaths: number;
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** One thread for a server. It keeps no process alive. */
export class YamlThread {
  readonly #waiting: Waiting[] = [];
  #current: Waiting | undefined;
  #worker: Worker | undefined;
  #isClosed = false;

  constructor(readonly script = new URL(`${compiled}yamlWorker.js`, import.meta.url)) {}

  /**
   * YAML to JSON, or JSON to YAML. Throws what the codec throws, 503 where too much is waiting, and 500 where the thread
   * dies of it.
   */
  run(kind: Job['kind'], bytes: Uint8Array): Promise<Uint8Array> {
    if (this.#isClosed) return Promise.reject(unavailable('the server is stopping'));
    if (this.#waiting.length >= mostWaiting) return Promise.reject(unavailable('too many long YAML texts are waiting'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, bytes, deaths: 0, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread; what is not done is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const left = [...(this.#current ? [this.#current] : []), ...this.#waiting.splice(0)];
    this.#current = undefined;
    for (const job of left) job.reject(unavailable('the server is stopping'));
    await this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#waiting.shift();
    if (this.#current === undefined) return;
    const { kind, bytes } = this.#current;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ kind, bytes } satisfies Job);
  }

  #start(): Worker {
    // The options of this process, such as the kind of its input, are not for the thread.
    const worker = new Worker(this.script, { resourceLimits, execArgv: [] });
    let fault: Error | undefined;
    worker.unref();
    worker.on('message', (done: Done) => {
      const job = this.#current;
      this.#current = undefined;
      if (job !== undefined) settle(job, done);
      this.#next();
    });
    worker.on('error', (error) => {
      fault = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      this.#retry(fault);
    });
    return worker;
  }

  /** The thread has died: of the job under way, or by itself. */
  #retry(fault: Error | undefined): void {
    const job = this.#current;
    this.#current = undefined;
    if (job !== undefined && job.deaths < mostDeaths) {
      job.deaths += 1;
      this.#waiting.unshift(job);
    } else
      job?.reject(new Error(`the thread that reads and writes YAML ended: ${fault?.message ?? 'without a reason'}`));
    this.#next();
  }
}

function settle({ resolve, reject }: Waiting, done: Done): void {
  if ('bytes' in done) resolve(done.bytes);
  else reject(done.code === 400 ? badRequest(done.message) : new StatusError(done.code, 'InternalError', done.message));
}
