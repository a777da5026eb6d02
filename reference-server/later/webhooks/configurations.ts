// The webhooks that configurations name, in the order of the names of the configurations.
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import type { KubeObject } from '../../schema/object.js';
import type { Webhook } from './configurationRules.js';
import type { Registered } from './dispatch.js';

export class Configurations {
  readonly #known = new Map<string, KubeObject>();
  /** In order; empty if there are none, which is all that a write costs then. */
  webhooks: readonly Registered[] = [];

  constructor(
    readonly id: string,
    readonly store: Pick<Store, 'list' | 'find'>,
  ) {}

  get controller(): Controller {
    return {
      name: this.id.slice(this.id.indexOf('/') + 1),
      resource: this.id,
      runsEverywhere: true,
      reconcile: async ({ metadata: { name = '' } }) => {
        const entry = await this.store.find({ namespace: undefined, name });
        if (entry !== undefined) this.set(entry.value);
        return undefined;
      },
      forget: async ({ metadata: { name = '', uid } }) => {
        if (this.#known.get(name)?.metadata.uid === uid) this.#change((known) => known.delete(name));
      },
    };
  }

  /** Learns all stored configurations. Call it before the server takes requests. */
  async start(): Promise<void> {
    for (const { value } of (await this.store.list()).entries) this.set(value);
  }

  set(configuration: KubeObject): void {
    this.#change((known) => known.set(configuration.metadata.name ?? '', configuration));
  }

  #change(change: (known: Map<string, KubeObject>) => void): void {
    change(this.#known);
    const names = [...this.#known.keys()].sort();
    this.webhooks = names.flatMap((name) => {
      const { webhooks = [] } = this.#known.get(name) as { webhooks?: readonly Webhook[] };
      return webhooks.map((webhook) => ({ configuration: name, webhook }));
    });
  }
}
