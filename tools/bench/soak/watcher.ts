// A watcher that comes and goes: each of its watches continues where the one before ended, and none may miss an event.
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Change, changeOf, type SoakNamespace } from './namespace.js';

/** The counts of all watchers together. */
export interface Tally {
  /** Watches opened. */
  opened: number;
  /** Events received. */
  events: number;
  /** Watches that the server refused, or ended while the watcher wanted more. */
  cut: number;
  /** A line for each event that was lost, doubled or out of order, and for each ERROR event. */
  readonly wrong: string[];
}

interface Event {
  readonly type: string;
  readonly object: { readonly metadata?: { readonly name?: string; readonly resourceVersion?: string } };
}

/** Milliseconds that a watch stays open: at least, and at most. */
const stays = [10_000, 60_000] as const;
/** Milliseconds for the last events to arrive. */
const timeout = 60_000;

/** Watches one namespace, and compares each event with what the writer of the namespace has noted. */
export class Watcher {
  #revision: string;
  /** The number of changes of the namespace that were received. */
  #seen = 0;
  /** Events whose write has no response yet. */
  readonly #early: Change[] = [];
  #isWrong = false;

  constructor(
    readonly namespace: SoakNamespace,
    readonly tally: Tally,
  ) {
    this.#revision = namespace.firstRevision;
  }

  /** Opens one watch after the other until the signal; then waits for the events that are still missing. */
  async run(signal: AbortSignal): Promise<void> {
    await sleep(Math.random() * stays[1], undefined, { signal }).catch(() => {});
    while (!signal.aborted && !this.#isWrong) {
      await this.#watch(stays[0] + Math.random() * (stays[1] - stays[0]), signal);
    }
    const deadline = Date.now() + timeout;
    while (!this.#isWrong && !this.#isComplete() && Date.now() < deadline) await this.#watch(1_000);
    if (!this.#isWrong && !this.#isComplete()) {
      const missing = this.namespace.changes.length - this.#seen;
      this.tally.wrong.push(`${this.namespace.name}: ${missing} events did not arrive`);
    }
  }

  /** One watch, for so many milliseconds at most. */
  async #watch(milliseconds: number, signal?: AbortSignal): Promise<void> {
    let watch: IncomingMessage;
    try {
      const query = `watch=true&timeoutSeconds=3600&resourceVersion=${this.#revision}`;
      watch = await this.namespace.client.watch(`${this.namespace.collection}?${query}`);
    } catch (error) {
      this.tally.cut += 1;
      this.tally.wrong.push((error as Error).message);
      await sleep(1_000);
      return;
    }
    this.tally.opened += 1;
    let isOver = false;
    await new Promise<void>((resolve) => {
      const leave = (): void => {
        isOver = true;
        watch.destroy();
      };
      const timer = setTimeout(leave, milliseconds);
      signal?.addEventListener('abort', leave);
      let rest = '';
      watch.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (!this.#isWrong) this.#receive(line);
        if (this.#isWrong || (signal === undefined && this.#isComplete())) leave();
      });
      watch.once('error', () => {});
      watch.once('close', () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        if (!isOver) this.tally.cut += 1;
        resolve();
      });
    });
  }

  #receive(line: string): void {
    this.tally.events += 1;
    const { type, object } = JSON.parse(line) as Event;
    const { name, resourceVersion } = object.metadata ?? {};
    if (name === undefined || resourceVersion === undefined) {
      this.#fail(`a watch told ${line.slice(0, 200)}`);
      return;
    }
    this.#revision = resourceVersion;
    this.#early.push(changeOf(type, name, resourceVersion));
    this.#compare();
  }

  #compare(): void {
    const { changes } = this.namespace;
    while (this.#early.length > 0 && this.#seen < changes.length) {
      const change = this.#early.shift();
      const written = changes[this.#seen++];
      if (change !== written) {
        this.#fail(`"${change}" arrived in place of "${written}"`);
        return;
      }
    }
  }

  #isComplete(): boolean {
    this.#compare();
    return this.#seen === this.namespace.changes.length;
  }

  #fail(what: string): void {
    this.#isWrong = true;
    this.tally.wrong.push(`${this.namespace.name}: ${what}`);
  }
}
