// The resources of a server: those of the table, and those that are made while it runs.
import { apiVersionOf, type Resource, resourceId, resources } from '../../matrix/api/index.js';
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
  readonly #made = new Set<Resource>();
  readonly #listeners = new Set<Listener>();
  readonly #rows: ReadonlyMap<string, Resource>;
  readonly #kinds: ReadonlyMap<string, Resource>;
  /** The stored resources behind the made ones, by `group/plural`, and the made ones by apiVersion and kind. */
  readonly #madeRows = new Map<string, Resource>();
  readonly #madeKinds = new Map<string, Resource>();
  /** What is made from all resources when it is asked for: a change costs no more than what changes. */
  #all: readonly Resource[] | undefined;
  #stored: readonly Resource[] | undefined;

  /** `table` are the resources that were not made while the server runs. */
  constructor(readonly table: readonly Resource[] = resources) {
    this.#rows = new Map(table.map((resource) => [resourceId(resource), resource]));
    this.#kinds = new Map(
      table.map((resource) => [kindId(apiVersionOf(resource.groupVersion), resource.kind), resource]),
    );
  }

  /** Every resource. The list is another one after a change. */
  get all(): readonly Resource[] {
    this.#all ??= [...this.table, ...this.#made];
    return this.#all;
  }

  /** The resources that store objects. Other versions of a resource show the objects of one of these. */
  get stored(): readonly Resource[] {
    this.#stored ??= [...new Set(this.all.map(storageResource))].filter(hasReplace);
    return this.#stored;
  }

  /** Returns the row of a stored resource, given `group/plural`. Throws if there is none. */
  byId(id: string): Resource {
    const row = this.find(id);
    if (row === undefined) throw new Error(`no resource ${id}`);
    return row;
  }

  /** Returns the row of a stored resource, given `group/plural`; undefined if there is none. */
  find(id: string): Resource | undefined {
    return this.madeById(id) ?? this.#rows.get(id);
  }

  /** The same for a resource that was made while the server runs. */
  madeById(id: string): Resource | undefined {
    return this.#madeRows.get(id);
  }

  /** Returns the resource of a kind; undefined if there is none. */
  ofKind(apiVersion: string, kind: string): Resource | undefined {
    const id = kindId(apiVersion, kind);
    return this.#madeKinds.get(id) ?? this.#kinds.get(id);
  }

  /** Replaces resources that were made while the server runs by others. */
  change(removed: readonly Resource[], added: readonly Resource[]): void {
    if (removed.length + added.length === 0) return;
    for (const resource of removed) {
      this.#made.delete(resource);
      this.#madeRows.delete(resourceId(storageResource(resource)));
      this.#madeKinds.delete(kindId(apiVersionOf(resource.groupVersion), resource.kind));
    }
    for (const resource of added) {
      const stored = storageResource(resource);
      this.#made.add(resource);
      this.#madeRows.set(resourceId(stored), stored);
      this.#madeKinds.set(kindId(apiVersionOf(resource.groupVersion), resource.kind), resource);
    }
    this.#all = undefined;
    this.#stored = undefined;
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

/** Reports whether a resource has objects that clients write. */
export const hasReplace = ({ stated, unstated }: Resource): boolean => [...stated, ...unstated].includes('replace');

const kindId = (apiVersion: string, kind: string): string => `${apiVersion}/${kind}`;
