// What every controller is: a reader of changes that brings the state to where it should be.
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { Compacted } from '../storage/storage.js';

export interface Controller {
  /** The resource whose objects it looks at, by `group/plural`. */
  readonly resource: string;
  /** Does what an object needs; called for each that is there at first, and again after each change of one. */
  reconcile(object: KubeObject, registry: Registry): Promise<void>;
  /** Same, for an object that is gone. */
  forget?(object: KubeObject, registry: Registry): Promise<void>;
}

/** What went wrong in a controller; the log of the server has it. */
export type Report = (error: unknown) => void;

/** Runs a controller until the signal aborts. What fails is reported, and tried again at the next change. */
export async function run(
  controller: Controller,
  registry: Registry,
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  const store = registry.of(controller.resource);
  while (!signal.aborted) {
    try {
      const { entries, revision } = await store.list(undefined);
      for (const { value } of entries) await attempt(() => controller.reconcile(value as KubeObject, registry), report);
      for await (const changes of registry.storage.watch(store.prefix(), revision, signal)) {
        for (const { type, entry } of changes) {
          const object = entry.value as KubeObject;
          const react = type === 'put' ? controller.reconcile : controller.forget;
          if (react) await attempt(() => react.call(controller, object, registry), report);
        }
      }
    } catch (error) {
      // It was too slow for the history: everything is looked at again.
      if (!(error instanceof Compacted)) throw error;
    }
  }
}

async function attempt(work: () => Promise<void>, report: Report): Promise<void> {
  try {
    await work();
  } catch (error) {
    report(error);
  }
}
