// `/metrics`: requests, watches, stored objects and the process, with the names and labels of kube-apiserver 1.36.
import { type Operation, pageOf, type Resource } from '../../../matrix/api/index.js';
import type { ApiResponse } from '../../edge/locals.js';
import type { Answer, Handler } from '../../request.js';
import type { Storage } from '../../storage/storage.js';
import { prefixOf, storageResource } from '../../versions/addresses.js';
import { RequestMetrics } from './requests.js';
import { type Family, mediaType, textOf } from './text.js';

const page: Operation = pageOf('/metrics', ['json'], true);

/** What the server serves now. */
interface Served {
  readonly resources: readonly Resource[];
}

/** The metrics of a server. */
export class Metrics {
  readonly requests: RequestMetrics;
  readonly operations = [page];
  readonly #events = new Map<Resource, number>();

  /**
   * `waiting` returns the responses of requests that go on until somebody ends them. `isServed` reports whether an
   * operation is one of the table.
   */
  constructor(
    readonly waiting: () => Iterable<ApiResponse>,
    isServed: (operation: Operation) => boolean,
  ) {
    this.requests = new RequestMetrics(isServed);
  }

  /** Counts events that a watch of a resource sends. */
  readonly sent = (resource: Resource, count: number): void => {
    this.#events.set(resource, (this.#events.get(resource) ?? 0) + count);
  };

  /** Returns a handler of the page that leaves other pages to another handler. */
  orElse(served: Served, storage: Pick<Storage, 'list'>, other: Handler): Handler {
    return (request) => (request.operation === page ? this.#answer(served, storage) : other(request));
  }

  async #answer(served: Served, storage: Pick<Storage, 'list'>): Promise<Answer> {
    const objects = await this.#objects(served, storage);
    const families = [...this.requests.families(this.waiting()), this.#watchEvents(), objects, ...ofProcess()];
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

  async #objects({ resources }: Served, storage: Pick<Storage, 'list'>): Promise<Family> {
    const stored = new Set(resources.map(storageResource));
    const counts = [...stored].map(async (resource) => {
      const { plural, groupVersion } = shownAs(resource, resources);
      const { entries, remaining } = await storage.list(prefixOf(resource), { limit: 1 });
      const name = groupVersion.group === '' ? plural : `${plural}.${groupVersion.group}`;
      return ['', { resource: name }, entries.length + remaining] as const;
    });
    return {
      name: 'apiserver_storage_objects',
      help: 'Number of stored objects at the time of last check split by kind.',
      type: 'gauge',
      samples: await Promise.all(counts),
    };
  }
}

/** The resource under whose group present servers count the objects. */
function shownAs(stored: Resource, resources: readonly Resource[]): Resource {
  return resources.find((other) => other.modern === true && storageResource(other) === stored) ?? stored;
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
