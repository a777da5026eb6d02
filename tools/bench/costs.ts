// What inputs cost that are built to cost: the rows of `reference-server/costs.test.ts`, and their stalls over HTTP.
import { Worker } from 'node:worker_threads';
import { YamlThread } from '../../reference-server/codecs/yamlThread.js';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { applyWorks } from '../../reference-server/later/testing/costs/applies.js';
import { customResourceWorks } from '../../reference-server/later/testing/costs/customResources.js';
import { codecWorks } from '../../reference-server/testing/costs/codecs.js';
import { fieldCheckWorks } from '../../reference-server/testing/costs/fieldChecks.js';
import {
  type Growth,
  growthOf,
  type Request,
  tableOf,
  type Work,
} from '../../reference-server/testing/costs/growth.js';
import { objectWorks } from '../../reference-server/testing/costs/objects.js';
import { patchWorks } from '../../reference-server/testing/costs/patches.js';
import { productWorks } from '../../reference-server/testing/costs/products.js';
import { textualWorks } from '../../reference-server/testing/costs/selectors.js';
import { withStall } from '../../reference-server/testing/costs/stall.js';
import { startDirect } from '../../reference-server/testing/direct.js';
import { numberOf } from './options.js';

export interface CostsFlags {
  readonly kilobytes: string;
  readonly rows: string;
  readonly grep?: string;
}

/** How often a request is sent: the shortest of the longest stalls counts. */
const times = 3;

/** Prints the most expensive rows: first by CPU time, then by the stall of the event loop with each over HTTP. */
export async function printCosts({ kilobytes, rows, grep = '' }: CostsFlags): Promise<void> {
  const bytes = 1024 * numberOf('kilobytes', kilobytes);
  const most = numberOf('rows', rows);
  const thread = new YamlThread();
  const direct = await startDirect();
  const server = await startFullServer();
  const client = new Client(server);
  try {
    const works = [
      ...codecWorks(thread),
      ...customResourceWorks,
      ...fieldCheckWorks(thread),
      ...patchWorks,
      ...applyWorks,
      ...textualWorks,
      ...objectWorks(direct),
      ...productWorks(direct),
    ].filter(({ name }) => name.includes(grep));
    const growths: Growth[] = [];
    for (const work of works) growths.push(await growthOf(work, bytes));
    const dearest = growths.sort((one, other) => (other.costs.at(-1) ?? 0) - (one.costs.at(-1) ?? 0)).slice(0, most);
    process.stdout.write(`${tableOf(dearest, bytes)}\n\n`);
    const stalls = [];
    for (const work of works) if (work.request) stalls.push(await stallOf(work, work.request(bytes), client));
    stalls.sort((one, other) => other.rate - one.rate);
    process.stdout.write('The longest stall of the loop over HTTP, in milliseconds for each MB of the request\n');
    for (const { name, rate, status } of stalls.slice(0, most))
      process.stdout.write(`${rate.toFixed(1).padStart(8)}  ${status}  ${name}\n`);
  } finally {
    await client.close();
    await server.close();
    await direct.stop();
    await thread.close();
  }
}

async function stallOf({ name }: Work, request: Request, client: Client) {
  let least = Number.POSITIVE_INFINITY;
  let status = 0;
  for (let count = 0; count < times; count += 1) {
    const { result, stall } = await withStall(() => client.post(request));
    status = result;
    least = Math.min(least, stall);
  }
  return { name, status, rate: (least * 1024 * 1024) / Buffer.byteLength(request.body) };
}

/** A client on its own thread, so that its work does not stall the server. */
class Client {
  readonly #worker: Worker;

  constructor({ port, caCertificate, token }: RunningServer) {
    const workerData = { port, ca: caCertificate, token };
    this.#worker = new Worker(script, { eval: true, workerData });
  }

  /** Sends a request; answers the status when the response has ended. */
  post(request: Request): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners().once('message', resolve).once('error', reject);
      this.#worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

const script = `
  const { parentPort, workerData: { port, ca, token } } = require('node:worker_threads');
  const { Agent, request } = require('node:https');
  const agent = new Agent({ keepAlive: true, ca });
  parentPort.on('message', ({ path, mediaType, body }) => {
    const headers = { 'content-type': mediaType, authorization: 'Bearer ' + token };
    request({ host: '127.0.0.1', port, agent, method: 'POST', path, headers }, (response) => {
      response.resume().on('end', () => parentPort.postMessage(response.statusCode));
    }).end(body);
  });
`;
