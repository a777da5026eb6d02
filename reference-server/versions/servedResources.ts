// The resources of a server: those of the table, and those that are made while it runs.
import { type Resource, resourceId, resources } from '../../matrix/api/index.js';
import { storageResource } from './addresses.js';

/** Called after each change, with the resources that are no longer served and those that are new. */
type Listener = (removed: readonly Resource[], added: readonly Resource[]) => void;

const extensions = resources.findIndex(({ groupVersion }) => groupVersion.group === 'extensions');

/**
 * Returns the table of a server: the resources of the interface, and those that addons register. Clients take the first
 * group that has a resource, so the registered groups come before the group that had their resources.
 */
export const tableWith = (registered: readonly Resource[]): readonly Resource[] => [
  ...resources.slice(0, extensions),
  ...registered,
  ...resources.slice(extensions),
];

export class ServedResources {
  #made: ReadonlySet<Resource> = new Set();
  #all: readonly Resource[];
  #stored: readonly Resource[] = [];
  #storedOf: readonly Resource[] | undefined;
  readonly #listeners = new Set<Listener>();
  readonly #rows: ReadonlyMap<string, Resource>;

  /** `table` are the resources that were not made while the server runs. */
  constructor(readonly table: readonly Resource[] = resources) {
    this.#all = table;
    this.#rows = new Map(table.map((resource) => [resourceId(resource), resource]));
  }

  /** Every resource. The list is another one after a change. */
  get all(): readonly Resource[] {
    return this.#all;
  }

  /** The resources that were made while the server runs. The set is another one after a change. */
  get made(): ReadonlySet<Resource> {
    return this.#made;
  }

  /** The resources that store objects. Other versions of a resource show the objects of one of these. */
  get stored(): readonly Resource[] {
    if (this.#storedOf !== this.#all) {
      this.#storedOf = this.#all;
      this.#stored = [...new Set(this.#all.map(storageResource))].filter(({ stated, unstated }) =>
        [...stated, ...unstated].includes('replace'),
      );
    }
    return this.#stored;
  }

  /** Returns the row of a stored resource, given `group/plural`. Throws if there is none. */
  byId(id: string): Resource {
    for (const resource of this.#made) {
      const stored = storageResource(resource);
      if (resourceId(stored) === id) return stored;
    }
    const row = this.#rows.get(id);
    if (row === undefined) throw new Error(`no resource ${id}`);
    return row;
  }

  /** Replaces resources that were made while the server runs by others. */
  change(removed: readonly Resource[], added: readonly Resource[]): void {
    if (removed.length + added.length === 0) return;
    const made = new Set(this.#made);
    for (const resource of removed) made.delete(resource);
    for (const resource of added) made.add(resource);
    this.#made = made;
    this.#all = [...this.table, ...made];
    for (const listener of this.#listeners) listener(removed, added);
  }

  /**
   * Calls a listener now, with all resources that were made so far, and after each change. Returns a function that ends
   * the calls.
   */
  onChange(listener: Listener): () => void {
    listener([], [...this.#made]);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
