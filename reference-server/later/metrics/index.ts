// `/metrics`: requests, watches, stored objects and the process, with the names and labels of kube-apiserver 1.36.
import type { ServerResponse } from 'node:http';
import { type Operation, pageOf, type Resource } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { ApiResponse } from '../../edge/locals.js';
import type { Observer } from '../../edge/observers.js';
import type { Lifetimes } from '../../edge/servedRequest.js';
import type { Answer } from '../../request.js';
import type { Storage } from '../../storage/storage.js';
import { storedCounts } from '../storedCounts.js';
import { RequestMetrics } from './requests.js';
import { type Family, mediaType, textOf } from './text.js';

const page: Operation = pageOf('/metrics', ['json'], true);

/** What the server serves now. */
interface Served {
  readonly resources: readonly Resource[];
  /** Whether an operation is one of the table. */
  has(operation: Operation): boolean;
}

export const metrics: Addon = {
  serve({ cluster, surface, observers, lifetimes }) {
    if (cluster === undefined) return {};
    const made = new Metrics(surface, cluster.storage, lifetimes);
    observers.add(made);
    surface.add({ operations: [page], listed: [page.path], handler: () => made.answer() });
    return {};
  },
};

class Metrics implements Observer {
  readonly #served: Served;
  readonly #storage: Pick<Storage, 'list'>;
  readonly #lifetimes: Pick<Lifetimes, 'waiting'>;
  readonly #requests: RequestMetrics;
  readonly #events = new Map<Resource, number>();
  readonly #leave: (this: ServerResponse) => void;

  constructor(served: Served, storage: Pick<Storage, 'list'>, lifetimes: Pick<Lifetimes, 'waiting'>) {
    this.#served = served;
    this.#storage = storage;
    this.#lifetimes = lifetimes;
    const requests = new RequestMetrics((operation) => served.has(operation));
    this.#requests = requests;
    this.#leave = function (this: ServerResponse) {
      requests.end(this as ApiResponse);
    };
  }

  began(response: ApiResponse): void {
    this.#requests.begin(response);
    // Upgraded connections end by their signals.
    if (response.locals.upgrade === undefined) response.on('close', this.#leave);
  }

  sent(resource: Resource, count: number): void {
    this.#events.set(resource, (this.#events.get(resource) ?? 0) + count);
  }

  /** Answers a request for the page. */
  async answer(): Promise<Answer> {
    const waiting = this.#lifetimes.waiting as Iterable<ApiResponse>;
    const objects = await this.#objects();
    const families = [...this.#requests.families(waiting), this.#watchEvents(), objects, ...ofProcess()];
    return { status: 200, raw: textOf(families), mediaType };
  }

  #watchEvents(): Family {
    return {
      name: 'apiserver_watch_events_total',
      help: 'Number of events sent in watch clients.',
      type: 'counter',
      samples: [...this.#events].map(
        ([
          {
            plural,
            groupVersion: { group, version },
          },
          count,
        ]) => {
          return ['', { group, resource: plural, version }, count] as const;
        },
      ),
    };
  }

  async #objects(): Promise<Family> {
    const counts = await storedCounts(this.#served.resources, this.#storage);
    return {
      name: 'apiserver_storage_objects',
      help: 'Number of stored objects at the time of last check split by kind.',
      type: 'gauge',
      samples: counts.map(
        ([
          {
            plural,
            groupVersion: { group },
          },
          count,
        ]) => {
          return ['', { resource: group === '' ? plural : `${plural}.${group}` }, count] as const;
        },
      ),
    };
  }
}

/** The families of every process, as the client libraries of Prometheus name them. */
function* ofProcess(): Iterable<Family> {
  const { user, system } = process.cpuUsage();
  const family = (name: string, type: Family['type'], help: string, value: number): Family => {
    return { name, type, help, samples: [['', {}, value]] };
  };
  const seconds = 'Total user and system CPU time spent in seconds.';
  yield family('process_cpu_seconds_total', 'counter', seconds, (user + system) / 1e6);
  yield family('process_resident_memory_bytes', 'gauge', 'Resident memory size in bytes.', process.memoryUsage.rss());
  const start = performance.timeOrigin / 1000;
  yield family('process_start_time_seconds', 'gauge', 'Start time of the process since unix epoch in seconds.', start);
}
