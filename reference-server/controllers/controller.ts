// What every controller is: a reader of changes that brings the state to where it should be.
import { StatusError } from '../errors.js';
import type { Feature } from '../features/features.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { Compacted } from '../storage/storage.js';

export interface Controller {
  /** What the server must not lack for it. */
  readonly feature?: Feature;
  /** The resource whose objects it looks at, by `group/plural`. */
  readonly resource: string;
  /**
   * Does what an object needs; called for each that is there at first, and again after each change of one. 'again'
   * asks to be called once more in a while, for what no change of the object will announce.
   */
  reconcile(object: KubeObject, registry: Registry): Promise<'again' | undefined>;
  /** Does what the removal of an object needs; called with its last state. */
  forget?(object: KubeObject, registry: Registry): Promise<void>;
}

/** What went wrong in a controller; the log of the server has it. */
export type Report = (error: unknown) => void;

const againMillis = 200;
const afterFailureMillis = 1000;

/** Runs a controller until the signal aborts, and what it has begun has ended. What fails is reported and tried again. */
export async function run(
  controller: Controller,
  registry: Registry,
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  const store = registry.of(controller.resource);
  const later = new Later(signal, report);
  const look = async (object: KubeObject): Promise<void> => {
    const { namespace, name = '' } = object.metadata;
    const lookAgain = async (): Promise<void> => {
      const entry = await store.get({ namespace, name }).catch(unlessGone);
      if (entry !== undefined) await look(entry.value as KubeObject);
    };
    try {
      if ((await controller.reconcile(object, registry)) === 'again') later.add(againMillis, lookAgain);
    } catch (error) {
      report(error);
      later.add(afterFailureMillis, lookAgain);
    }
  };
  while (!signal.aborted) {
    try {
      const { entries, revision } = await store.list(undefined);
      for (const { value } of entries) await look(value as KubeObject);
      for await (const changes of registry.storage.watch(store.prefix(), revision, signal)) {
        for (const { type, entry } of changes) {
          const object = entry.value as KubeObject;
          if (type === 'put') await look(object);
          else await controller.forget?.(object, registry).catch(report);
        }
      }
    } catch (error) {
      // It was too slow for the history: everything is looked at again.
      if (!(error instanceof Compacted)) throw error;
    }
  }
  await later.ended();
}

/** Work that is put off, and given up when the signal aborts. */
class Later {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();

  constructor(
    readonly signal: AbortSignal,
    readonly report: Report,
  ) {
    signal.addEventListener('abort', () => this.#timers.forEach(clearTimeout), { once: true });
  }

  add(millis: number, work: () => Promise<void>): void {
    if (this.signal.aborted) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const running = work().catch(this.report);
      this.#running.add(running);
      void running.then(() => this.#running.delete(running));
    }, millis);
    this.#timers.add(timer);
  }

  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}
