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
    const asked = this.#showing.filter((plugin) => plugin.shows?.(change.stored) === true);
    return reviseInTurn(
      asked.map((plugin) => async (object) => (await plugin.revise?.({ ...change, object })) ?? { object }),
      change.object as KubeObject,
    );
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

type Revise = (object: KubeObject) => Promise<Revised>;

/** Lets one after the other revise an object. Those that ask for it see it again if any of them has changed it. */
export async function reviseInTurn(all: readonly Revise[], object: KubeObject): Promise<Revised> {
  let current = object;
  const repeats: (readonly [NonNullable<Revised['again']>, KubeObject])[] = [];
  for (const revise of all) {
    const revised = await revise(current);
    current = revised.object;
    if (revised.again !== undefined) repeats.push([revised.again, current]);
  }
  if (repeats.length === 0 || current === object) return { object: current };
  const last = current;
  const again = async (completed: KubeObject, isCompleted: boolean): Promise<KubeObject> => {
    let next = completed;
    for (const [repeat, left] of repeats) {
      const isOthers = isCompleted || left !== last || next !== completed;
      next = await repeat(next, isOthers);
    }
    return next;
  };
  return { object: last, again };
}
