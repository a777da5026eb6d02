// The plug-ins of a server, called one after the other.
import type { Admission, Creation, Ending, Writing } from '../registry/admission.js';
import type { Plugin } from './plugin.js';

/** Calls plug-ins in order. They are added after construction, because they need the stores. */
export class AdmissionChain implements Admission {
  readonly #plugins: Plugin[] = [];
  /** Plug-ins by stored resource. */
  readonly #concerned = new Map<string, readonly Plugin[]>();

  add(plugins: readonly Plugin[]): void {
    this.#plugins.push(...plugins);
    this.#concerned.clear();
  }

  async mutate(creation: Creation): Promise<void> {
    for (const plugin of this.#pluginsOf(creation.stored)) if (plugin.mutate) await plugin.mutate(creation);
  }

  admitsUpdates(stored: string): boolean {
    return this.#plugins.some(({ updatesOf }) => updatesOf?.includes(stored));
  }

  async reserve(writing: Writing, endings: Ending[]): Promise<void> {
    const plugins = this.#pluginsOf(writing.stored);
    for (const plugin of plugins) if (plugin.validate) await plugin.validate(writing);
    for (const plugin of plugins) {
      const ending = plugin.reserve && (await plugin.reserve(writing));
      if (ending) endings.push(ending);
    }
  }

  #pluginsOf(stored: string): readonly Plugin[] {
    let found = this.#concerned.get(stored);
    if (found === undefined) {
      found = this.#plugins.filter(({ resources, concerns }) => {
        return concerns?.(stored) ?? (resources === undefined || resources.includes(stored));
      });
      this.#concerned.set(stored, found);
    }
    return found;
  }
}
