// The registry: a store for each resource, over one storage.
import type { Resource } from '../../matrix/api/index.js';
import type { KubeObject } from '../schema/object.js';
import { resourceRow } from '../versions/addresses.js';
import { Store, type StoreParts } from './store.js';

export class Registry {
  readonly #stores = new Map<Resource, Store>();

  constructor(readonly parts: StoreParts) {}

  /** Returns a registry of the same objects, through which the server itself writes under a name. */
  as(manager: string): Registry {
    return new Registry({ ...this.parts, manager });
  }

  /** Returns the store of a resource, given the row or `group/plural`. */
  of<Kind extends KubeObject>(resource: Resource | string): Store<Kind> {
    const row = typeof resource === 'string' ? resourceRow(resource) : resource;
    let store = this.#stores.get(row);
    if (store === undefined) {
      store = new Store(row, this.parts);
      this.#stores.set(row, store);
    }
    return store as unknown as Store<Kind>;
  }
}
