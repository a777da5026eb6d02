// The loop of every controller: it reads changes and reconciles the state.
import { isDeepStrictEqual } from 'node:util';
import { backOffMillis, type Clock } from '../clock.js';
import type { Feature } from '../features/features.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject, ObjectKey } from '../schema/object.js';
import { Compacted, type Storage } from '../storage/storage.js';
import type { Activity } from './activity.js';
import type { Health } from './health.js';
import { pauseFor, WorkQueue } from './later.js';

/**
 * The result of a call: nothing to wait for, a time after which the object is handled again, or a write that the server
 * refused.
 */
export type Handled = 'again' | 'refused' | number | undefined;

/** A resource whose objects concern others, as pods concern their ReplicaSet. */
export interface Source {
  /** As `group/plural`. */
  readonly resource: string;
  /**
   * The part of an object that concerns others, if not all of it does. A change that leaves it as it was is passed over:
   * nodes send heartbeats all the time.
   */
  ofConcern?(object: KubeObject): unknown;
  /** Returns the keys of the controller's objects that a changed or removed object concerns. */
  concerned(object: KubeObject): readonly ObjectKey[] | Promise<readonly ObjectKey[]>;
}

export interface Controller {
  /** The name of the controller in failure messages. */
  readonly name: string;
  /** Whether it runs on each of several servers: it changes what its own server serves. */
  readonly runsEverywhere?: true;
  /** The feature that the controller needs. */
  readonly feature?: Feature;
  /** The resource that the controller watches, as `group/plural`. */
  readonly resource: string;
  /** Whether the controller handles each state that an object had, and not only the present one: it keeps a history. */
  readonly keepsHistory?: true;
  /** Reports whether an object may need the controller; absent if each may. */
  handles?(object: KubeObject): boolean;
  /** Other resources whose changes concern objects of the controller. */
  readonly sources?: readonly Source[];
  /**
   * Handles an object. Called for each existing object at the start, and after each change. A result of 'again', or of
   * a time in milliseconds, asks for another call after a delay, if no change of the object will trigger one; 'refused'
   * asks for one after a delay that grows each time.
   */
  reconcile(object: KubeObject): Promise<Handled>;
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
  readonly clock: Clock;
  readonly activity: Activity;
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
  const handles = (object: KubeObject): boolean => controller.handles?.(object) !== false;
  const loop = async (works: () => void): Promise<void> => {
    const { entries, revision } = await store.list();
    works();
    for (const { value } of entries) if (handles(value)) await work.look(value);
    for await (const changes of storage.watch(store.prefix(), revision, signal)) {
      for (const { type, entry } of changes) {
        const object = entry.value;
        if (handles(object)) await (type === 'put' ? work.look(object) : work.forget(object));
      }
    }
  };
  const sources = (controller.sources ?? []).map((source) => follow(source, work, running));
  await Promise.all([keepRunning(controller.name, loop, running), ...sources]);
  await work.ended();
}

/** Handles the objects that the changes of another resource concern. The first list of the controller has them all. */
async function follow({ resource, concerned, ofConcern }: Source, work: Work, running: Running): Promise<void> {
  const { registry, storage, signal } = running;
  const store = registry.of(resource);
  const loop = async (works: () => void): Promise<void> => {
    const { entries, revision } = await store.list();
    works();
    for (const { value } of entries) work.lookAt(await concerned(value));
    for await (const changes of storage.watch(store.prefix(), revision, signal)) {
      for (const { type, entry, previous } of changes) {
        const isOther =
          ofConcern === undefined ||
          type === 'remove' ||
          previous === undefined ||
          !isDeepStrictEqual(ofConcern(previous.value), ofConcern(entry.value));
        if (isOther) work.lookAt(await concerned(entry.value));
      }
    }
  };
  await keepRunning(`${work.controller.name} ${resource}`, loop, running);
}

/** The work of a controller: one object at a time, in order. */
class Work {
  readonly #turns: WorkQueue;
  /** The keys that wait for a call: many changes at a time cause one. */
  readonly #waiting = new Set<string>();

  constructor(
    readonly controller: Controller,
    readonly running: Running,
  ) {
    this.#turns = new WorkQueue(running.signal, running.clock, running.activity);
  }

  /** Resolves when the object is handled. */
  look(object: KubeObject): Promise<void> {
    const { namespace, name = '' } = object.metadata;
    const state = this.controller.keepsHistory === true ? object : undefined;
    return this.#turns.do(() => this.#reconcile({ namespace, name }, state));
  }

  /**
   * Handles an object in a state, or as it is now. What an earlier state says would be written over what followed, and
   * each event of that would cause another.
   */
  #reconcile(key: ObjectKey, state?: KubeObject): Promise<void> {
    const { controller, running } = this;
    const now = async () => {
      const entry = await running.registry.of(controller.resource).find(key);
      return entry && controller.reconcile(entry.value);
    };
    return this.#attempt(this.#about(key), state === undefined ? now : () => controller.reconcile(state), now);
  }

  /** Handles the objects of the keys that exist. */
  lookAt(keys: readonly ObjectKey[]): void {
    for (const key of keys) {
      const id = `${key.namespace}/${key.name}`;
      if (this.#waiting.has(id)) continue;
      this.#waiting.add(id);
      void this.#turns.do(async () => {
        this.#waiting.delete(id);
        await this.#reconcile(key);
      });
    }
  }

  /** Resolves when the removal is handled, or its retry is scheduled: no later event mentions the object. */
  forget(object: KubeObject): Promise<void> {
    const forget = async () => {
      await this.controller.forget?.(object);
      return undefined;
    };
    return this.#turns.do(() =>
      this.#attempt(`${this.#about(object.metadata)} (${object.metadata.uid})`, forget, forget),
    );
  }

  /** Resolves when all work has ended. */
  ended(): Promise<void> {
    return this.#turns.ended();
  }

  async #attempt(
    what: string,
    work: () => Promise<Handled>,
    again: () => Promise<Handled>,
    failures = 0,
  ): Promise<void> {
    const { report, health } = this.running;
    const next = failures + 1;
    try {
      const outcome = await work();
      health.works(what);
      if (outcome === undefined) return;
      if (outcome === 'refused') {
        this.#turns.doLater(what, backOffMillis(next), () => this.#attempt(what, again, again, next));
        return;
      }
      const millis = outcome === 'again' ? againMillis : outcome;
      this.#turns.doLater(what, millis, () => this.#attempt(what, again, again));
    } catch (error) {
      report(error);
      health.failed(what, error);
      this.#turns.doLater(what, backOffMillis(next), () => this.#attempt(what, again, again, next));
    }
  }

  #about({ namespace, name }: Partial<ObjectKey>): string {
    return `${this.controller.name} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  }
}
