// The work of the controllers that is under way, for code that waits until there is none.
import { setImmediate as turn } from 'node:timers/promises';
import type { Storage } from '../storage/storage.js';

/** The turns of the event loop without work after which the controllers are idle: a change wakes them after one. */
const quietTurns = 4;
/** The longest wait, in milliseconds: a server under load is never idle. */
const longestWait = 1000;

/** Counts the tasks of controllers. */
export class Activity {
  #underWay = 0;

  /** Counts a task until it ends. The task must not reject. */
  async during(task: Promise<void>): Promise<void> {
    this.#underWay += 1;
    await task;
    this.#underWay -= 1;
  }

  /** Resolves when no task is under way and nothing is written, or after a second. */
  async settled(storage: Pick<Storage, 'revision'>): Promise<void> {
    const end = performance.now() + longestWait;
    let revision = await storage.revision();
    for (let quiet = 0; quiet < quietTurns && performance.now() < end; ) {
      await turn();
      const newest = await storage.revision();
      quiet = this.#underWay === 0 && newest === revision ? quiet + 1 : 0;
      revision = newest;
    }
  }
}
