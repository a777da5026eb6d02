// The objects that configure admission, in the order of their names: each is known with the answer to its write.
import type { Plugin } from '../../admission/plugin.js';
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import type { KubeObject } from '../../schema/object.js';

/** The stored objects of a resource, and what is made of each. */
export class Configurations<Item> {
  readonly #known = new Map<string, { readonly uid: string | undefined; readonly items: readonly Item[] }>();
  /** In order; empty if there are none, which is all that a write costs then. */
  items: readonly Item[] = [];

  /** `id` is `group/plural`. `itemsOf` is called once for each state of an object. */
  constructor(
    readonly id: string,
    readonly store: Pick<Store, 'list' | 'find'>,
    readonly itemsOf: (object: KubeObject) => readonly Item[],
  ) {}

  /** Tells of the writes of other servers, and of removals. */
  get controller(): Controller {
    return {
      name: this.id.slice(this.id.indexOf('/') + 1),
      resource: this.id,
      runsEverywhere: true,
      reconcile: async ({ metadata: { name = '' } }) => {
        await this.#learn(name);
        return undefined;
      },
      forget: async ({ metadata: { name = '', uid } }) => {
        if (this.#known.get(name)?.uid === uid) this.#change(() => this.#known.delete(name));
      },
    };
  }

  /** A configuration takes effect when the response is sent. */
  get learning(): Plugin {
    return {
      resources: [this.id],
      updatesOf: [this.id],
      reserve: async ({ object, dryRun }) => {
        return async (written) => {
          if (written && !dryRun) await this.#learn(object.metadata.name ?? '');
        };
      },
    };
  }

  /** Learns all stored configurations. Call it before the server takes requests. */
  async start(): Promise<void> {
    for (const { value } of (await this.store.list()).entries) this.#set(value);
  }

  async #learn(name: string): Promise<void> {
    const entry = await this.store.find({ namespace: undefined, name });
    if (entry !== undefined) this.#set(entry.value);
  }

  /** What was made of an object. */
  of(name: string): readonly Item[] {
    return this.#known.get(name)?.items ?? [];
  }

  #set(object: KubeObject): void {
    const { name = '', uid } = object.metadata;
    const items = this.itemsOf(object);
    // most objects of a kind such as Namespace configure nothing
    if (items.length === 0 && !this.#known.has(name)) return;
    this.#change(() => this.#known.set(name, { uid, items }));
  }

  #change(change: () => void): void {
    change();
    const names = [...this.#known.keys()].sort();
    this.items = names.flatMap((name) => this.#known.get(name)?.items ?? []);
  }
}
