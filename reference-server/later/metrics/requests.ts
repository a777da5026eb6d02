// Counts requests and their durations, by operation. The labels are made when the metrics are read.
import { type Operation, subresourceOf, type Verb } from '../../../matrix/api/index.js';
import type { ApiResponse, Locals } from '../../edge/locals.js';
import { isSet } from '../../query/parameters.js';
import type { Family, Labels } from './text.js';

/** The upper bounds of the buckets of durations, in seconds, as kube-apiserver 1.36 has them. */
const bounds = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
] as const;

const connections = new Set<string>([
  'attach',
  'exec',
  'portforward',
  'proxy',
  'proxyPath',
  'legacyProxy',
  'legacyProxyPath',
]);
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The requests with the same labels except the code. */
class Series {
  readonly codes = new Map<number, number>();
  readonly buckets = new Uint32Array(bounds.length + 1);
  sum = 0;

  constructor(
    readonly labels: Labels,
    readonly isLong: boolean,
  ) {}

  observe(code: number, seconds: number): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1);
    this.sum += seconds;
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] as number)) bucket += 1;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
  }
}

/** The requests of one operation: as it is, as a watch, and as dry runs of both. */
type OfOperation = (Series | undefined)[];

export class RequestMetrics {
  readonly #ofOperation = new WeakMap<Operation, OfOperation>();
  /** The series by their labels: a resource that is made again has operations of its own. */
  readonly #series = new Map<string, Series>();
  /** Requests without a known operation, by method: their paths are without number. */
  readonly #others = new Map<string, Series>();
  readonly #underWay = { readOnly: 0, mutating: 0 };

  /** `isServed` reports whether an operation has series of its own. */
  constructor(readonly isServed: (operation: Operation) => boolean) {}

  /** Counts a request that has arrived. */
  begin({ req, locals }: ApiResponse): void {
    locals.began = performance.now();
    this.#underWay[kindOf(req.method)] += 1;
  }

  /** Counts the end of a request. */
  end({ req: { method }, locals, headersSent, statusCode }: ApiResponse): void {
    const { began } = locals;
    if (began === undefined) return;
    this.#underWay[kindOf(method)] -= 1;
    // A connection that ends without a response has the code 0.
    this.#seriesOf(locals, method).observe(headersSent ? statusCode : 0, (performance.now() - began) / 1000);
  }

  /** `waiting` are the responses of requests that go on until somebody ends them. */
  *families(waiting: Iterable<ApiResponse>): Iterable<Family> {
    const all = [...this.#all()].filter(({ codes }) => codes.size > 0);
    yield {
      name: 'apiserver_request_total',
      help: 'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      type: 'counter',
      samples: all.flatMap(({ labels, codes }) =>
        [...codes].map(([code, count]) => ['', { code: String(code), ...labels }, count] as const),
      ),
    };
    yield {
      name: 'apiserver_request_duration_seconds',
      help: 'Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
      type: 'histogram',
      samples: all.flatMap(histogram),
    };
    const open = [...waiting].map(({ locals, req: { method } }) => this.#seriesOf(locals, method));
    const long = open.filter(({ isLong }) => isLong);
    const readOnly = this.#underWay.readOnly - long.length;
    yield {
      name: 'apiserver_current_inflight_requests',
      help: 'Number of requests that are being handled, without long-running ones, per request kind.',
      type: 'gauge',
      samples: [
        ['', { request_kind: 'mutating' }, this.#underWay.mutating],
        ['', { request_kind: 'readOnly' }, Math.max(0, readOnly)],
      ],
    };
    const active = new Map<Series, number>();
    for (const series of long) active.set(series, (active.get(series) ?? 0) + 1);
    yield {
      name: 'apiserver_longrunning_requests',
      help: 'Gauge of all active long-running apiserver requests broken out by verb, group, version, resource, scope and component.',
      type: 'gauge',
      samples: [...active].map(
        ([
          {
            labels: { dry_run: _dryRun, ...labels },
          },
          count,
        ]) => ['', labels, count] as const,
      ),
    };
  }

  *#all(): Iterable<Series> {
    yield* this.#series.values();
    yield* this.#others.values();
  }

  #seriesOf({ operation, verb, query }: Partial<Locals>, method: string): Series {
    if (operation === undefined || verb === undefined || !this.isServed(operation)) return this.#other(method);
    let series = this.#ofOperation.get(operation);
    if (series === undefined) {
      series = [];
      this.#ofOperation.set(operation, series);
    }
    const isWatch = verb.startsWith('watch');
    const isDry = query !== undefined && query.size > 0 && query.has('dryRun') && isSet(query.get('dryRun'));
    const index = (isWatch ? 1 : 0) + (isDry ? 2 : 0);
    series[index] ??= this.#withLabels(labelsOf(operation, isWatch, isDry), isWatch || connections.has(verb));
    return series[index];
  }

  #withLabels(labels: Labels, isLong: boolean): Series {
    const key = JSON.stringify(labels);
    const series = this.#series.get(key) ?? new Series(labels, isLong);
    this.#series.set(key, series);
    return series;
  }

  #other(method: string): Series {
    const verb = methods.has(method) ? method : 'other';
    let series = this.#others.get(verb);
    if (series === undefined) {
      const empty = { group: '', resource: '', scope: '', subresource: '', verb, version: '' };
      series = new Series({ component: '', dry_run: '', ...empty }, false);
      this.#others.set(verb, series);
    }
    return series;
  }
}

const kindOf = (method: string): 'readOnly' | 'mutating' =>
  method === 'GET' || method === 'HEAD' ? 'readOnly' : 'mutating';

function labelsOf({ verb, method, path, resource }: Operation, isWatch: boolean, isDry: boolean): Labels {
  if (verb === 'discover' || resource === undefined) {
    const empty = { group: '', resource: '', scope: '' };
    return { component: '', dry_run: '', ...empty, subresource: path, verb: method, version: '' };
  }
  const { group, version } = resource.groupVersion;
  return {
    component: 'apiserver',
    dry_run: isDry ? 'All' : '',
    group,
    resource: resource.plural,
    scope: scopeOf(verb, path),
    subresource: subresourceOf(verb) ?? '',
    verb: verbOf(verb, method, isWatch),
    version,
  };
}

function scopeOf(verb: Verb, path: string): string {
  if (path.includes('{name}') || verb === 'create') return 'resource';
  return path.includes('{namespace}') ? 'namespace' : 'cluster';
}

function verbOf(verb: Verb, method: string, isWatch: boolean): string {
  if (isWatch) return 'WATCH';
  if (verb === 'list' || verb === 'listAll') return 'LIST';
  if (verb === 'deleteCollection') return 'DELETECOLLECTION';
  return connections.has(verb) ? 'CONNECT' : method;
}

function histogram({ labels, buckets, sum }: Series): (readonly [string, Labels, number])[] {
  let count = 0;
  const samples = [...buckets].map((own, index) => {
    count += own;
    return ['_bucket', { ...labels, le: index < bounds.length ? String(bounds[index]) : '+Inf' }, count] as const;
  });
  return [...samples, ['_sum', labels, sum], ['_count', labels, count]];
}
