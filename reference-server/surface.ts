// What a server with its options serves: its table, and the resources that are made while it runs.
import {
  apiVersionOf,
  type GroupVersion,
  type Operation,
  operations as ofInterface,
  type Resource,
  type Verb,
} from '../matrix/api/index.js';
import { discoveryOf, expand, expandOperations } from '../matrix/api/operations.js';
import { watches } from '../matrix/api/resources/resource.js';
import { createDiscovery, type Discovery, groupPage, missing } from './discovery/discovery.js';
import { Hints } from './discovery/hints.js';
import { isExcluded } from './features/features.js';
import type { CompleteOptions } from './options.js';
import type { Handler } from './request.js';
import { Resolver, type Route } from './resolver/resolver.js';

/** Pages beside those of discovery. */
export interface Pages {
  readonly operations: readonly Operation[];
  /** The paths for the list of all paths. */
  readonly listed: readonly string[];
  readonly handler: Handler;
}

/** Calls a listener now and after each change, with the resources that are no longer served and those that are new. */
interface MadeResources {
  onChange(listener: (removed: readonly Resource[], added: readonly Resource[]) => void): void;
}

/**
 * The surface of a running server. Discovery is made again when a client asks after a change; the paths of the table
 * never change, so requests to them cost the same whatever is made.
 */
export class Surface {
  readonly #table: readonly Resource[];
  readonly #operations: readonly Operation[];
  readonly #kubeVersion: string;
  readonly #fixed: Resolver;
  readonly #made = new Resolver([]);
  readonly #known = new WeakSet<Operation>();
  readonly #pages = new WeakMap<Operation, Handler>();
  readonly #listed: string[] = [];
  readonly #all = new Set<Resource>();
  /** How many of them each page of a group or of a group version has. */
  readonly #uses = new Map<string, number>();
  readonly #hints: Hints;
  #discovery: Discovery | undefined;
  #served: readonly Operation[] | undefined;

  /** `made` are the resources that are made while the server runs. */
  constructor(options: CompleteOptions, made?: MadeResources) {
    const { resources, operations } = surfaceOf(options);
    this.#table = resources;
    this.#operations = operations;
    this.#kubeVersion = options.kubeVersion;
    this.#hints = new Hints(resources);
    const all = [...operations, ...this.discovery.operations];
    this.#fixed = new Resolver(all);
    for (const operation of all) this.#known.add(operation);
    made?.onChange((removed, added) => this.#change(removed, added));
  }

  /** Everything that is served now. */
  get resources(): readonly Resource[] {
    return this.#all.size === 0 ? this.#table : [...this.#table, ...this.#all];
  }

  /** The operations on what is served now, and its pages of discovery. The list is another one after a change. */
  get operations(): readonly Operation[] {
    if (this.#served === undefined) {
      const made = [...this.#all];
      const versions = new Set(made.map(({ groupVersion }) => groupVersion));
      this.#served = [...this.#operations, ...[...versions].map(discoveryOf), ...expandOperations(made)];
    }
    return this.#served;
  }

  /** The pages of discovery for what is served now. */
  get discovery(): Discovery {
    this.#discovery ??= createDiscovery(this.resources, this.#kubeVersion, this.#listed);
    return this.#discovery;
  }

  /** Reports whether an operation is one of the table, and not one that stands for an unknown path. */
  has(operation: Operation): boolean {
    return this.#known.has(operation);
  }

  add({ operations, listed, handler }: Pages): void {
    this.#fixed.add(operations);
    this.#listed.push(...listed);
    this.#discovery = undefined;
    for (const operation of operations) {
      this.#known.add(operation);
      this.#pages.set(operation, handler);
    }
  }

  /** Removes pages that were added. Requests in progress keep their route. */
  remove({ operations, listed }: Pages): void {
    this.#fixed.remove(operations);
    for (const path of listed) this.#listed.splice(this.#listed.indexOf(path), 1);
    this.#discovery = undefined;
  }

  /** The handler of discovery, and of the added pages. */
  readonly handler: Handler = (request) => (this.#pages.get(request.operation) ?? this.discovery.handler)(request);

  /** Finds the operation of a request, as `Resolver.resolve` does. */
  resolve(method: string, pathname: string): Route | undefined {
    return this.#fixed.resolve(method, pathname) ?? this.#made.resolve(method, pathname);
  }

  /** Returns the route for a path without an operation. Throws 404 below `/api` and `/apis`. */
  missing(pathname: string): Route {
    return missing(pathname, this.#hints);
  }

  /** A change costs no more than what changes: a server may have many resources. */
  #change(removed: readonly Resource[], added: readonly Resource[]): void {
    for (const resource of removed) this.#all.delete(resource);
    for (const resource of added) this.#all.add(resource);
    this.#hints.change(removed, added);
    this.#made.remove(expandWatched(removed));
    this.#made.remove(removed.flatMap((resource) => pagesOf(resource).filter(({ path }) => this.#use(path, -1) === 0)));
    const operations = [...expandWatched(added), ...added.flatMap(pagesOf)];
    for (const resource of added) for (const { path } of pagesOf(resource)) this.#use(path, 1);
    this.#made.add(operations);
    for (const operation of operations) this.#known.add(operation);
    this.#discovery = undefined;
    this.#served = undefined;
  }

  /** Counts the resources that need a page. Returns their number. */
  #use(path: string, more: number): number {
    const uses = (this.#uses.get(path) ?? 0) + more;
    if (uses === 0) this.#uses.delete(path);
    else this.#uses.set(path, uses);
    return uses;
  }
}

/** Returns the pages of the group and of the group version of a resource. */
const pagesOf = ({ groupVersion }: Resource): readonly Operation[] => [
  groupPage(groupVersion.group),
  discoveryOf(groupVersion),
];

/** Returns the resources and the operations that a server with these options has. */
export function surfaceOf(options: CompleteOptions): {
  readonly resources: readonly Resource[];
  readonly operations: readonly Operation[];
} {
  const isServed = servedBy(options);
  const resources = options.resources.filter((resource) => isServed({ groupVersion: resource.groupVersion, resource }));
  const groupVersions = new Set(resources.map(({ groupVersion }) => groupVersion));
  const operations = operationsOf(options).filter((one) => isServed(one) && groupVersions.has(one.groupVersion));
  return { resources: resources.map((resource) => withLaterVerbs(resource, options)), operations };
}

/** Returns the operations of a table, served or not. */
function operationsOf({ resources, laterVerbs }: CompleteOptions): readonly Operation[] {
  const known = new Set(ofInterface.map(({ groupVersion }) => groupVersion));
  const own = new Set(ofInterface.map(({ resource }) => resource));
  const registered = resources.filter((resource) => !own.has(resource));
  const added = new Set(registered.map(({ groupVersion }) => groupVersion).filter((one) => !known.has(one)));
  return [
    ...ofInterface,
    ...[...added].map(discoveryOf),
    ...expandWatched(registered),
    ...resources.flatMap((resource) =>
      resource.later.filter((verb) => laterVerbs.has(verb)).flatMap((verb) => expand(resource, verb, false)),
    ),
  ];
}

/**
 * Returns the operations on resources that came after the interface. What can be listed can be watched under the `watch`
 * prefix too, of which discovery says nothing.
 */
function expandWatched(of: readonly Resource[]): readonly Operation[] {
  return of.flatMap((resource) => [
    ...expandOperations([resource]),
    ...watches
      .filter((verb) => resource.unstated.includes(verb === 'watchAll' ? 'listAll' : 'list'))
      .flatMap((verb) => expand(resource, verb, false)),
  ]);
}

/** Returns a resource of the interface with those of its later verbs that are served. */
function withLaterVerbs(resource: Resource, { laterVerbs }: CompleteOptions): Resource {
  const verbs = resource.later.filter((verb) => laterVerbs.has(verb));
  return verbs.length === 0 ? resource : { ...resource, unstated: [...resource.unstated, ...verbs] };
}

/** An operation or a resource that may be served. */
interface Servable {
  readonly groupVersion: GroupVersion;
  readonly resource?: Resource;
  readonly verb?: Verb | 'discover';
}

/**
 * Reports whether an item is served: it must not depend on a missing feature or a later version, and some group versions
 * must be enabled.
 */
function servedBy({ isEnabled, lacks, kubeVersion }: CompleteOptions): (of: Servable) => boolean {
  const minor = Number(kubeVersion.split('.')[1]);
  return (of) => {
    const { groupVersion, resource, verb } = of;
    if ((resource?.since ?? 0) > minor) return false;
    if (groupVersion.onRequest === true && !isEnabled(apiVersionOf(groupVersion))) return false;
    const isLegacy = verb === 'legacyProxy' || verb === 'legacyProxyPath';
    return !isExcluded(of, lacks) && !(isLegacy && lacks('legacy-proxy'));
  };
}
