// The loop of every controller: it reads changes and reconciles the state.
import { backOffMillis } from '../backOff.js';
import type { Feature } from '../features/features.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { Compacted, type Storage } from '../storage/storage.js';
import type { Health } from './health.js';
import { pauseFor, WorkQueue } from './later.js';

export interface Controller {
  /** The name of the controller in failure messages. */
  readonly name: string;
  /** The feature that the controller needs. */
  readonly feature?: Feature;
  /** The resource that the controller watches, as `group/plural`. */
  readonly resource: string;
  /**
   * Handles an object. Called for each existing object at the start, and after each change. A result of 'again' asks
   * for another call after a delay, if no change of the object will trigger one.
   */
  reconcile(object: KubeObject): Promise<'again' | undefined>;
  /** Handles the removal of an object, given its last state. */
  forget?(object: KubeObject): Promise<void>;
}

/** Reports an error of a controller to the log of the server. */
export type Report = (error: unknown) => void;

/** The dependencies of a running controller. */
export interface Running {
  readonly registry: Pick<Registry, 'of'>;
  readonly storage: Pick<Storage, 'watch'>;
  readonly health: Health;
  readonly signal: AbortSignal;
  readonly report: Report;
}

const againMillis = 200;

/**
 * Runs a loop until the signal aborts. A loop that fails is restarted with an increasing back-off; the health of the
 * server shows the failure until the loop calls `works`. A loop that fails with Compacted is restarted at once.
 */
export async function keepRunning(
  name: string,
  loop: (works: () => void) => Promise<void>,
  { health, signal, report }: Pick<Running, 'health' | 'signal' | 'report'>,
): Promise<void> {
  let failures = 0;
  const works = (): void => {
    failures = 0;
    health.works(name);
  };
  while (!signal.aborted) {
    try {
      await loop(works);
    } catch (error) {
      if (error instanceof Compacted) continue;
      report(error);
      health.failed(name, error);
      failures += 1;
      await pauseFor(backOffMillis(failures), signal);
    }
  }
}

/** Runs a controller until the signal aborts and its work has ended. Failures are reported and retried. */
export async function run(controller: Controller, running: Running): Promise<void> {
  const { registry, storage, signal } = running;
  const store = registry.of(controller.resource);
  const work = new Work(controller, running);
  const loop = async (works: () => void): Promise<void> => {
    const { entries, revision } = await store.list();
    works();
    for (const { value } of entries) await work.look(value);
    for await (const changes of storage.watch(store.prefix(), revision, signal)) {
      for (const { type, entry } of changes) {
        const object = entry.value;
        await (type === 'put' ? work.look(object) : work.forget(object));
      }
    }
  };
  await keepRunning(controller.name, loop, running);
  await work.ended();
}

/** The work of a controller: one object at a time, in order. */
class Work {
  readonly #turns: WorkQueue;

  constructor(
    readonly controller: Controller,
    readonly running: Running,
  ) {
    this.#turns = new WorkQueue(running.signal);
  }

  /** Resolves when the object is handled. */
  look(object: KubeObject): Promise<void> {
    const { controller } = this;
    const { registry } = this.running;
    const { namespace, name = '' } = object.metadata;
    const again = async () => {
      const entry = await registry.of(controller.resource).find({ namespace, name });
      return entry && controller.reconcile(entry.value);
    };
    const first = () => controller.reconcile(object);
    return this.#turns.do(() => this.#attempt(this.#about(object), first, again));
  }

  /** Resolves when the removal is handled, or its retry is scheduled: no later event mentions the object. */
  forget(object: KubeObject): Promise<void> {
    const forget = async () => {
      await this.controller.forget?.(object);
      return undefined;
    };
    return this.#turns.do(() => this.#attempt(`${this.#about(object)} (${object.metadata.uid})`, forget, forget));
  }

  /** Resolves when all work has ended. */
  ended(): Promise<void> {
    return this.#turns.ended();
  }

  async #attempt(
    what: string,
    work: () => Promise<'again' | undefined>,
    again: () => Promise<'again' | undefined>,
    failures = 0,
  ): Promise<void> {
    const { report, health } = this.running;
    try {
      const outcome = await work();
      health.works(what);
      if (outcome === 'again') this.#turns.doLater(what, againMillis, () => this.#attempt(what, again, again));
    } catch (error) {
      report(error);
      health.failed(what, error);
      const next = failures + 1;
      this.#turns.doLater(what, backOffMillis(next), () => this.#attempt(what, again, again, next));
    }
  }

  #about({ metadata: { namespace, name } }: KubeObject): string {
    return `${this.controller.name} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  }
}
