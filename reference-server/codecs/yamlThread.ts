// The thread that reads and writes long YAML: it starts with the first job, is replaced after a crash, and has limits.
import { Worker } from 'node:worker_threads';
import { badRequest, unavailable } from '../errors.js';
import { StatusError } from '../statusError.js';
import { doInTurns } from '../turns.js';
import type { Codec } from './codec.js';
import type { RepeatedFields } from './fieldPaths.js';

import { parseLongJson } from './longJson.js';
import { yaml } from './yaml.js';
import type { Done, Job } from './yamlWorker.js';

/** The most waiting jobs; each of them holds a body. */
const mostWaiting = 100;
/** The number of retries after a job's thread has died. */
const mostDeaths = 1;
/** More memory than any body needs. A job that exceeds it ends the thread, not the server. */
const resourceLimits = { maxOldGenerationSizeMb: 1024 };

/** Threads run compiled files. */
const compiled = import.meta.url.endsWith('.ts') ? '../../dist/reference-server/codecs/' : './';

interface Waiting extends Job {
  readonly duplicates: RepeatedFields | undefined;
  deaths: number;
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** The YAML thread of a server. It does not keep the process alive. */
export class YamlThread {
  readonly #waiting: Waiting[] = [];
  #current: Waiting | undefined;
  #worker: Worker | undefined;
  #isClosed = false;

  constructor(readonly script = new URL(`${compiled}yamlWorker.js`, import.meta.url)) {}

  /**
   * Converts YAML to JSON, or JSON to YAML. Rejects with the errors of the codec, 503 if too many jobs wait, and an
   * Error if the thread dies repeatedly. Collects repeated keys in `duplicates`, if given.
   */
  run(kind: Job['kind'], bytes: Uint8Array, duplicates?: RepeatedFields): Promise<Uint8Array> {
    if (this.#isClosed) return Promise.reject(unavailable('the server is stopping'));
    if (this.#waiting.length >= mostWaiting) return Promise.reject(unavailable('too many long YAML texts are waiting'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ kind, bytes, duplicates, deaths: 0, resolve, reject });
      this.#next();
    });
  }

  /** Ends the thread and refuses unfinished jobs. */
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
    const { kind, bytes, duplicates } = this.#current;
    this.#worker ??= this.#start();
    this.#worker.postMessage({ kind, bytes, repeats: duplicates !== undefined } satisfies Job);
  }

  #start(): Worker {
    // Options of this process, such as its input type, do not apply to the thread.
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

  /** Retries or rejects the current job after the thread has died. */
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

function settle({ resolve, reject, duplicates }: Waiting, done: Done): void {
  if ('bytes' in done) {
    duplicates?.addAll(done.duplicates ?? []);
    resolve(done.bytes);
  } else
    reject(done.code === 400 ? badRequest(done.message) : new StatusError(done.code, 'InternalError', done.message));
}

/** The YAML codec of a server, which handles long texts in a thread. */
export function createYaml(thread: YamlThread): Codec {
  return {
    ...yaml,
    decodeInTurns: async (bytes, _expected, duplicates) => {
      const text = Buffer.from(await thread.run('decode', bytes, duplicates)).toString();
      const parsed = await doInTurns(parseLongJson(text));
      if ('fault' in parsed) throw badRequest(`yaml parse error: ${parsed.fault.what}`);
      return parsed.value;
    },
    encodeInTurns: (bytes) => thread.run('encode', bytes),
  };
}
