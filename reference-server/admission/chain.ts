// The plug-ins of a server, called one after the other.
import type { Admission, Change, Creation, Ending, Revised, Writing } from '../registry/admission.js';
import type { KubeObject } from '../schema/object.js';
import type { Plugin } from './plugin.js';

/** Calls plug-ins in order. They are added after construction, because they need the stores. */
export class AdmissionChain implements Admission {
  readonly #plugins: Plugin[] = [];
  /** Those that show changes to others. */
  readonly #showing: Plugin[] = [];
  /** Plug-ins by stored resource. */
  readonly #concerned = new Map<string, readonly Plugin[]>();

  add(plugins: readonly Plugin[]): void {
    this.#plugins.push(...plugins);
    this.#showing.push(...plugins.filter(({ shows }) => shows !== undefined));
    this.#concerned.clear();
  }

  async mutate(creation: Creation): Promise<void> {
    for (const plugin of this.#pluginsOf(creation.stored)) if (plugin.mutate) await plugin.mutate(creation);
  }

  shows(stored: string): boolean {
    return this.#showing.some((plugin) => plugin.shows?.(stored));
  }

  async revise(change: Change): Promise<Revised> {
    let object = change.object as KubeObject;
    const repeats: NonNullable<Revised['again']>[] = [];
    for (const plugin of this.#showing) {
      if (plugin.revise === undefined || plugin.shows?.(change.stored) !== true) continue;
      const revised = await plugin.revise({ ...change, object });
      object = revised.object;
      if (revised.again !== undefined) repeats.push(revised.again);
    }
    if (repeats.length === 0) return { object };
    const again = async (completed: KubeObject, isCompleted: boolean) => {
      let last = completed;
      for (const repeat of repeats) last = await repeat(last, isCompleted);
      return last;
    };
    return { object, again };
  }

  async review(change: Change): Promise<void> {
    for (const plugin of this.#showing) if (plugin.shows?.(change.stored)) await plugin.review?.(change);
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
