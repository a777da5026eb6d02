// The APIs that other servers have: their pages, and what discovery says of them.

import { groupBy } from '../../../matrix/api/groupBy.js';
import type { Operation } from '../../../matrix/api/index.js';
import { pageOf } from '../../../matrix/api/index.js';
import type { ApiResource } from '../../discovery/resources.js';
import { noSuchPath } from '../../errors.js';
import type { Answer, ApiRequest, Handler } from '../../request.js';
import type { Pages, Surface } from '../../surface.js';
import type { RemoteDocument, RemoteDocuments } from '../openapi/remotes.js';
import type { ApiServiceSpec } from './apiService.js';
import { Documents } from './documents.js';
import { apiServiceNameOf } from './ownApis.js';

/** An API of another server. */
export interface Remote {
  /** That of its APIService. */
  readonly uid: string | undefined;
  readonly spec: ApiServiceSpec;
  readonly isAvailable: boolean;
  /** Its entries in discovery, as the server last gave them. */
  readonly resources: readonly ApiResource[];
}

/**
 * Passes a request on to the server of an API, by default that of its path: `/apis/GROUP/VERSION` and what is below.
 * `api` is `apis/GROUP/VERSION`.
 */
export type PassOn = (request: ApiRequest, api?: string) => Promise<Answer>;

/** A group of the APIs of other servers, with its best version first. */
export interface RemoteGroup {
  readonly name: string;
  readonly versions: readonly (Remote & { readonly version: string })[];
}

export class Remotes implements RemoteDocuments {
  /** What they say of themselves in OpenAPI. */
  readonly documents = new Documents();
  readonly #known = new Map<string, Remote>();
  readonly #pages = new Map<string, Pages>();
  #surface: Surface | undefined;
  #handler: Handler | undefined;
  #passOn: PassOn | undefined;
  /** Another number after each change. */
  revision = 0;
  /** What the servers of extensions have to know of this one; nothing until it is known. */
  published: Readonly<Record<string, string>> = {};

  /** By the name of the APIService. */
  set(name: string, remote: Remote): void {
    this.#known.set(name, remote);
    this.#changed();
  }

  delete(name: string): void {
    this.documents.delete(name);
    if (this.#known.delete(name)) this.#changed();
  }

  /** Forgets an APIService that is gone, unless another one has its name by now. */
  forget(name: string, uid: string | undefined): void {
    if (this.#known.get(name)?.uid === uid) this.delete(name);
  }

  /** Returns the APIs whose service is one of a name. */
  namesFor(namespace: string, service: string): readonly string[] {
    return [...this.#known].flatMap(([name, { spec }]) =>
      spec.service?.namespace === namespace && spec.service.name === service ? [name] : [],
    );
  }

  /** Returns the API of a group version. */
  at(group: string, version: string): Remote | undefined {
    return this.#known.get(apiServiceNameOf({ group, version }));
  }

  /** The groups, those with the highest priority first. */
  get groups(): readonly RemoteGroup[] {
    const byGroup = groupBy([...this.#known.values()], ({ spec: { group = '' } }) => group);
    const priority = (remotes: readonly Remote[]) =>
      Math.max(...remotes.map(({ spec }) => spec.groupPriorityMinimum ?? 0));
    return [...byGroup]
      .sort(([one, ones], [other, others]) => priority(others) - priority(ones) || (one < other ? -1 : 1))
      .map(([name, remotes]) => ({
        name,
        versions: [...remotes]
          .sort((one, other) => (other.spec.versionPriority ?? 0) - (one.spec.versionPriority ?? 0))
          .map((remote) => ({ ...remote, version: remote.spec.version ?? '' })),
      }));
  }

  /** Serves the APIs, now and after each change. */
  attach(surface: Surface, handler: Handler, passOn: PassOn): void {
    this.#surface = surface;
    this.#handler = handler;
    this.#passOn = passOn;
    this.#changed();
  }

  /** The documents of those that the server does not have itself. */
  get all(): readonly RemoteDocument[] {
    return this.documents.all.filter(({ path }) => this.#pages.has(`/${path}`));
  }

  /** Asks the server of an API for its document of OpenAPI 3. */
  async ask(request: ApiRequest, { path }: RemoteDocument): Promise<Answer> {
    if (this.#passOn === undefined) throw noSuchPath();
    return this.#passOn(request, path);
  }

  #changed(): void {
    this.revision += 1;
    const [surface, handler] = [this.#surface, this.#handler];
    if (surface === undefined || handler === undefined) return;
    const paths = [...this.#known.values()].flatMap(({ spec: { group, version } }) => [
      `/apis/${group}`,
      `/apis/${group}/${version}`,
    ]);
    const wanted = new Set(paths.filter((path) => this.#pages.has(path) || surface.resolve('GET', path) === undefined));
    for (const [path, pages] of this.#pages) {
      if (wanted.has(path)) continue;
      surface.remove(pages);
      this.#pages.delete(path);
    }
    for (const path of wanted) {
      if (this.#pages.has(path)) continue;
      const isGroup = path.split('/').length === 3;
      const operations = isGroup ? [pageOf(path, ['json', 'yaml'], false)] : proxiedBelow(path);
      const pages = { operations, listed: [path], handler };
      this.#pages.set(path, pages);
      surface.add(pages);
    }
  }
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;

const proxiedBelow = (path: string): readonly Operation[] =>
  [path, `${path}/{path}`].flatMap((template) =>
    methods.map((method) => ({
      ...pageOf(template, [], true),
      id: `${method} ${template}`,
      method,
      ...(method === 'GET' && { also: ['HEAD', 'OPTIONS'] }),
    })),
  );
