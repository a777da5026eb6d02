// The registry: a store for each resource, over one storage.
import type { Resource } from '../../matrix/api/index.js';
import type { KubeObject } from '../schema/object.js';
import { storageResource } from '../versions/addresses.js';
import type { Conversion } from '../versions/conversion.js';
import { setConversion } from '../versions/conversions.js';
import type { Origin } from './admission.js';
import { Store, type StoreParts } from './store.js';
import type { Strategy } from './strategy.js';

/** A kind of a group that is not the interface's, and how it differs from the default. */
export interface RegisteredKind {
  readonly resource: Resource;
  readonly strategy?: Strategy;
  /** The conversion of a resource that shows the objects of another one. */
  readonly conversion?: Conversion;
}

export class Registry {
  readonly #stores = new Map<Resource, Store>();
  /** The stores of resources that are made while the server runs. Requests in progress may need them at the end. */
  readonly #made = new WeakMap<Resource, Store>();

  /** `strategies` are those of the resources that are not of the interface. */
  constructor(
    readonly parts: StoreParts,
    readonly strategies = new WeakMap<Resource, Strategy>(),
  ) {}

  /**
   * Returns a registry of the same objects, through which the server itself writes under a name. With an origin, its
   * writes are shown to others like those of clients.
   */
  as(manager: string, origin?: Origin): Registry {
    return new Registry({ ...this.parts, manager, ...(origin && { origin }) }, this.strategies);
  }

  /** Returns the store of a resource, given the row or `group/plural`. */
  of<Kind extends KubeObject>(resource: Resource | string): Store<Kind> {
    const row = typeof resource === 'string' ? this.parts.rowOf(resource) : resource;
    let store = this.#stores.get(row) ?? this.#made.get(row);
    if (store === undefined) {
      const strategy = this.strategies.get(row) ?? this.strategies.get(storageResource(row));
      store = new Store(row, this.parts, strategy);
      (strategy === undefined ? this.#stores : this.#made).set(row, store);
    }
    return store as unknown as Store<Kind>;
  }

  /** Adds a kind that is not of the interface, to this registry and to those of the same objects. */
  add({ resource, strategy, conversion }: RegisteredKind): void {
    if (strategy !== undefined) this.strategies.set(resource, strategy);
    if (conversion !== undefined) setConversion(resource, conversion);
  }
}
