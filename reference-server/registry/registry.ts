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

  constructor(readonly parts: StoreParts) {}

  /** Returns the store of a resource, given the row or `group/plural`. */
  of<Kind extends KubeObject>(resource: Resource | string): Store<Kind> {
    const row = typeof resource === 'string' ? resourceRow(resource) : resource;
    let store = this.#stores.get(row) ?? this.#made.get(row);
    if (store === undefined) {
      store = new Store(row, this.parts);
      this.#stores.set(row, store);
    }
    return store as unknown as Store<Kind>;
  }

  /** Adds the store of a resource that is made while the server runs. */
  add(resource: Resource, strategy: Strategy): void {
    this.#made.set(resource, new Store(resource, this.parts, strategy));
  }
}
