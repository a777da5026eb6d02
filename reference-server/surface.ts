// What a server with its options serves: its table, and the resources that are made while it runs.
import { apiVersionOf, type GroupVersion, type Operation, type Resource, type Verb } from '../matrix/api/index.js';
import { serverOperations, serverResources } from '../matrix/api/modern/resources.js';
import { discoveryOf, expandOperations } from '../matrix/api/operations.js';
import type { Codecs } from './codecs/index.js';
import { createDiscovery, type Discovery, groupPage } from './discovery/discovery.js';
import { isExcluded } from './features/features.js';
import type { DocumentSource } from './later/openapi/documents.js';
import { createOpenApi, type OpenApi } from './later/openapi/routes.js';
import { documentSource, type MadeKinds } from './later/openapi/source.js';
import type { CompleteOptions } from './options.js';
import type { Handler } from './request.js';
import { Resolver, type Route } from './resolver/resolver.js';

/** The resources that are made while the server runs; it may be able to make none. */
interface MadeResources {
  readonly customResources?: MadeKinds;
  readonly served: { onChange(listener: (removed: readonly Resource[], added: readonly Resource[]) => void): void };
}

/**
 * The surface of a running server; `more` are pages beside the API. Discovery and the documents are made again when a client asks after a change; the
 * paths of the table never change, so requests to them cost the same whatever is made.
 */
export class Surface {
  readonly #resources: readonly Resource[];
  readonly #operations: readonly Operation[];
  readonly #fixed: Resolver;
  readonly #made = new Resolver([]);
  readonly #known = new WeakSet<Operation>();
  #all: readonly Resource[] = [];
  #discovery: Discovery | undefined;
  #source: DocumentSource | undefined;
  readonly #openApi: OpenApi;

  constructor(
    readonly options: CompleteOptions,
    readonly codecs: Codecs,
    readonly made?: MadeResources,
    readonly more: readonly Operation[] = [],
  ) {
    const { resources, operations } = surfaceOf(options);
    this.#resources = resources;
    this.#operations = operations;
    this.#openApi = createOpenApi(() => this.#documents(), options.lacks);
    const all = [...operations, ...this.discovery.operations, ...this.#openApi.operations, ...more];
    this.#fixed = new Resolver(all);
    for (const operation of all) this.#known.add(operation);
    made?.served.onChange((removed, added) => this.#change(removed, added));
  }

  /** Everything that is served now. */
  get resources(): readonly Resource[] {
    return this.#all.length === 0 ? this.#resources : [...this.#resources, ...this.#all];
  }

  /** The pages of discovery for what is served now. */
  get discovery(): Discovery {
    if (this.#discovery === undefined) {
      const pages = [...this.#openApi.pages, ...this.more.map(({ path }) => path)];
      this.#discovery = createDiscovery(this.resources, this.options.kubeVersion, pages);
    }
    return this.#discovery;
  }

  /** Reports whether an operation is one of the table, and not one that stands for an unknown path. */
  has(operation: Operation): boolean {
    return this.#known.has(operation);
  }

  /** The handler of discovery, with the documents. */
  get handler(): Handler {
    return this.#openApi.orElse((request) => this.discovery.handler(request));
  }

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
    this.#source = undefined;
  }

  /** Returns the pages of resources that no other resource needs. */
  #pagesWithout(left: readonly Resource[], removed: readonly Resource[]): readonly Operation[] {
    const kept = new Set(pagesOf(left).map(({ path }) => path));
    return pagesOf(removed).filter(({ path }) => !kept.has(path));
  }

  #documents(): DocumentSource {
    this.#source ??= documentSource({
      ...this.options,
      codecs: this.codecs,
      operations: [
        ...this.#operations,
        ...[...new Set(this.#all.map(({ groupVersion }) => groupVersion))].map(discoveryOf),
        ...expandOperations(this.#all),
      ],
      ...(this.made?.customResources && { made: this.made.customResources }),
    });
    return this.#source;
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
  const resources = serverResources.filter((resource) => isServed({ groupVersion: resource.groupVersion, resource }));
  const groupVersions = new Set(resources.map(({ groupVersion }) => groupVersion));
  const operations = serverOperations.filter((one) => isServed(one) && groupVersions.has(one.groupVersion));
  return { resources: options.modern ? resources.map(withLaterVerbs) : resources, operations };
}

/** Returns a resource of the interface with the verbs that came later. */
function withLaterVerbs(resource: Resource): Resource {
  return resource.later.length === 0 ? resource : { ...resource, unstated: [...resource.unstated, ...resource.later] };
}

/** An operation or a resource that may be served. */
interface Servable {
  readonly groupVersion: GroupVersion;
  readonly resource?: Resource;
  readonly verb?: Verb | 'discover';
}

/**
 * Reports whether an item is served: it must not depend on a missing feature, and some group versions must be enabled.
 */
function servedBy({ isEnabled, lacks, modern }: CompleteOptions): (of: Servable) => boolean {
  return (of) => {
    const { groupVersion, resource, verb } = of;
    const isLater = verb !== undefined && verb !== 'discover' && resource?.later.includes(verb) === true;
    if ((resource?.modern === true || isLater) && !modern) return false;
    if (groupVersion.onRequest === true && !isEnabled(apiVersionOf(groupVersion))) return false;
    const isLegacy = verb === 'legacyProxy' || verb === 'legacyProxyPath';
    return !isExcluded(of, lacks) && !(isLegacy && lacks('legacy-proxy'));
  };
}
