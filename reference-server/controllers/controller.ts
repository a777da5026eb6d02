// What every controller is: a reader of changes that brings the state to where it should be.
import { backOffMillis } from '../backOff.js';
import { StatusError } from '../errors.js';
import type { Feature } from '../features/features.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';
import { Compacted } from '../storage/storage.js';
import { pauseFor, Turns } from './later.js';

export interface Controller {
  /** Names it where its failures are told. */
  readonly name: string;
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

/** What a controller runs with. */
export interface Running {
  readonly registry: Registry;
  readonly signal: AbortSignal;
  readonly report: Report;
}

const againMillis = 200;

/**
 * Runs a loop until the signal aborts. One that fails is begun again after a while, longer each time, and shows in the
 * health of the server until it calls `works`. One that fell behind the history is begun again at once.
 */
export async function keepRunning(
  name: string,
  loop: (works: () => void) => Promise<void>,
  { registry, signal, report }: Running,
): Promise<void> {
  let failures = 0;
  const works = (): void => {
    failures = 0;
    registry.health.works(name);
  };
  while (!signal.aborted) {
    try {
      await loop(works);
    } catch (error) {
      if (error instanceof Compacted) continue;
      report(error);
      registry.health.failed(name, error);
      failures += 1;
      await pauseFor(backOffMillis(failures), signal);
    }
  }
}

/** Runs a controller until the signal aborts, and what it has begun has ended. What fails is reported and tried again. */
export async function run(controller: Controller, running: Running): Promise<void> {
  const { registry, signal } = running;
  const store = registry.of(controller.resource);
  const work = new Work(controller, running);
  const loop = async (works: () => void): Promise<void> => {
    const { entries, revision } = await store.list(undefined);
    works();
    for (const { value } of entries) await work.look(value as KubeObject);
    for await (const changes of registry.storage.watch(store.prefix(), revision, signal)) {
      for (const { type, entry } of changes) {
        const object = entry.value as KubeObject;
        await (type === 'put' ? work.look(object) : work.forget(object));
      }
    }
  };
  await keepRunning(controller.name, loop, running);
  await work.ended();
}

/** What a controller does about one object after the other, never about two at once. */
class Work {
  readonly #turns: Turns;

  constructor(
    readonly controller: Controller,
    readonly running: Running,
  ) {
    this.#turns = new Turns(running.signal);
  }

  /** Resolves when an object was looked at. */
  look(object: KubeObject): Promise<void> {
    const { controller } = this;
    const { registry } = this.running;
    const { namespace, name = '' } = object.metadata;
    const again = async () => {
      const entry = await registry.of(controller.resource).get({ namespace, name }).catch(unlessGone);
      return entry && controller.reconcile(entry.value as KubeObject, registry);
    };
    const first = () => controller.reconcile(object, registry);
    return this.#turns.do(() => this.#attempt(this.#about(object), first, again));
  }

  /** Resolves when what is gone was forgotten, or that was put off: no later event will tell of it. */
  forget(object: KubeObject): Promise<void> {
    const forget = async () => {
      await this.controller.forget?.(object, this.running.registry);
      return undefined;
    };
    return this.#turns.do(() => this.#attempt(`${this.#about(object)} (${object.metadata.uid})`, forget, forget));
  }

  /** Resolves when nothing is being done. */
  ended(): Promise<void> {
    return this.#turns.ended();
  }

  async #attempt(
    what: string,
    work: () => Promise<'again' | undefined>,
    again: () => Promise<'again' | undefined>,
    failures = 0,
  ): Promise<void> {
    const { report, registry } = this.running;
    try {
      const outcome = await work();
      registry.health.works(what);
      if (outcome === 'again') this.#turns.doLater(what, againMillis, () => this.#attempt(what, again, again));
    } catch (error) {
      report(error);
      registry.health.failed(what, error);
      const next = failures + 1;
      this.#turns.doLater(what, backOffMillis(next), () => this.#attempt(what, again, again, next));
    }
  }

  #about({ metadata: { namespace, name } }: KubeObject): string {
    return `${this.controller.name} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  }
}

function unlessGone(error: unknown): undefined {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}
