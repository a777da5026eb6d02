// The registry: a store for each resource, over one storage.
import type { Resource } from '../../matrix/api/index.js';
import type { KubeObject } from '../schema/object.js';
import { resourceRow } from '../versions/addresses.js';
import { Store, type StoreParts } from './store.js';
import type { Strategy } from './strategy.js';

export class Registry {
  readonly #stores = new Map<Resource, Store>();
  /** The stores of resources that are made while the server runs. Requests in progress may need them at the end. */
  readonly #made = new WeakMap<Resource, Store>();

  /** `strategies` are those of the resources that are made while the server runs. */
  constructor(
    readonly parts: StoreParts,
    readonly strategies = new WeakMap<Resource, Strategy>(),
  ) {}

  /** Returns a registry of the same objects, through which the server itself writes under a name. */
  as(manager: string): Registry {
    return new Registry({ ...this.parts, manager }, this.strategies);
  }

  /** Returns the store of a resource, given the row or `group/plural`. */
  of<Kind extends KubeObject>(resource: Resource | string): Store<Kind> {
    const row = typeof resource === 'string' ? resourceRow(resource) : resource;
    let store = this.#stores.get(row) ?? this.#made.get(row);
    if (store === undefined) {
      const strategy = this.strategies.get(row);
      store = new Store(row, this.parts, strategy);
      (strategy === undefined ? this.#stores : this.#made).set(row, store);
    }
    return store as unknown as Store<Kind>;
  }

  /** Adds a resource that is made while the server runs, to this registry and to those of the same objects. */
  add(resource: Resource, strategy: Strategy): void {
    this.strategies.set(resource, strategy);
  }
}
