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
import { createDiscovery, type Discovery, groupPage } from './discovery/discovery.js';
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
  readonly #pages = new Map<Operation, Handler>();
  readonly #listed: string[] = [];
  #all: readonly Resource[] = [];
  #discovery: Discovery | undefined;
  #served: readonly Operation[] | undefined;

  /** `made` are the resources that are made while the server runs. */
  constructor(options: CompleteOptions, made?: MadeResources) {
    const { resources, operations } = surfaceOf(options);
    this.#table = resources;
    this.#operations = operations;
    this.#kubeVersion = options.kubeVersion;
    const all = [...operations, ...this.discovery.operations];
    this.#fixed = new Resolver(all);
    for (const operation of all) this.#known.add(operation);
    made?.onChange((removed, added) => this.#change(removed, added));
  }

  /** Everything that is served now. */
  get resources(): readonly Resource[] {
    return this.#all.length === 0 ? this.#table : [...this.#table, ...this.#all];
  }

  /** The operations on what is served now, and its pages of discovery. The list is another one after a change. */
  get operations(): readonly Operation[] {
    if (this.#served === undefined) {
      const versions = new Set(this.#all.map(({ groupVersion }) => groupVersion));
      this.#served = [...this.#operations, ...[...versions].map(discoveryOf), ...expandOperations(this.#all)];
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

  /** The handler of discovery, and of the added pages. */
  readonly handler: Handler = (request) => (this.#pages.get(request.operation) ?? this.discovery.handler)(request);

  /** Finds the operation of a request, as `Resolver.resolve` does. */
  resolve(method: string, pathname: string): Route | undefined {
    return this.#fixed.resolve(method, pathname) ?? this.#made.resolve(method, pathname);
  }

  #change(removed: readonly Resource[], added: readonly Resource[]): void {
    const gone = new Set(removed);
    const before = this.#all;
    this.#all = [...before.filter((resource) => !gone.has(resource)), ...added];
    this.#made.remove(expandOperations(removed));
    this.#made.remove(this.#pagesWithout(this.#all, removed));
    const operations = [...expandOperations(added), ...pagesOf(added)];
    this.#made.add(operations);
    for (const operation of operations) this.#known.add(operation);
    this.#discovery = undefined;
    this.#served = undefined;
  }

  /** Returns the pages of resources that no other resource needs. */
  #pagesWithout(left: readonly Resource[], removed: readonly Resource[]): readonly Operation[] {
    const kept = new Set(pagesOf(left).map(({ path }) => path));
    return pagesOf(removed).filter(({ path }) => !kept.has(path));
  }
}

/** Returns the pages of the groups and group versions of resources. */
function pagesOf(resources: readonly Resource[]): readonly Operation[] {
  const versions = [...new Set(resources.map(({ groupVersion }) => groupVersion))];
  const groups = [...new Set(versions.map(({ group }) => group))];
  return [...groups.map(groupPage), ...versions.map(discoveryOf)];
}

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
    ...expandOperations(registered),
    ...resources.flatMap((resource) =>
      resource.later.filter((verb) => laterVerbs.has(verb)).flatMap((verb) => expand(resource, verb, false)),
    ),
  ];
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
