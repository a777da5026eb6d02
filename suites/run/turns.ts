// The turns of subjects in all workers of a run: many together, or one alone. The process that started the workers grants
// them. Each worker has one connection to that process, so that the operating system ends the turns of a worker that dies.
// A worker keeps a turn together for its next subjects, until it is recalled because somebody waits to be alone.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { runVariable } from './settings.js';

/** What the workers share. */
type Shared = 'target' | 'secondServer';
type TurnMode = 'together' | 'alone';

interface TurnEvents {
  readonly begin: () => void;
  /** Called once or more when the turn is under way and a later one waits to be alone. */
  readonly recall?: () => void;
}

interface QueuedTurn extends TurnEvents {
  readonly mode: TurnMode;
  isUnderWay: boolean;
}

/** Begins turns in the order in which they were asked for: none begins while an earlier one waits to be alone. */
class TurnQueue {
  readonly #turns: QueuedTurn[] = [];

  /** Returns the function that ends the turn, begun or not. */
  add(mode: TurnMode, events: TurnEvents): () => void {
    const turn: QueuedTurn = { mode, ...events, isUnderWay: false };
    if (mode === 'alone') for (const { isUnderWay, recall } of this.#turns) if (isUnderWay) recall?.();
    this.#turns.push(turn);
    this.#beginNext();
    return () => {
      const place = this.#turns.indexOf(turn);
      if (place !== -1) this.#turns.splice(place, 1);
      this.#beginNext();
    };
  }

  #beginNext(): void {
    for (const [place, turn] of this.#turns.entries()) {
      if (turn.mode === 'alone' && place > 0) return;
      if (!turn.isUnderWay) {
        turn.isUnderWay = true;
        turn.begin();
        if (this.#turns.some(({ mode }, later) => later > place && mode === 'alone')) turn.recall?.();
      }
      if (turn.mode === 'alone') return;
    }
  }
}

class TurnQueues {
  readonly #queues = { target: new TurnQueue(), secondServer: new TurnQueue() } satisfies Record<Shared, TurnQueue>;

  add(shared: Shared, mode: TurnMode, events: TurnEvents): () => void {
    return this.#queues[shared].add(mode, events);
  }
}

/** The lines of a connection. Its errors go to `failed` alone: an interface of readline throws them once more. */
const linesOf = (connection: Socket, failed: (error: Error) => void): Interface => {
  connection.on('error', failed);
  return createInterface(connection).on('error', () => undefined);
};

/** Grants the turns of all workers at a socket, until the returned function is called. */
export async function serveTurns(socket: string): Promise<() => void> {
  const queues = new TurnQueues();
  const server = createServer((connection) => {
    const ends = new Map<string, () => void>();
    const end = (id: string): void => {
      ends.get(id)?.();
      ends.delete(id);
    };
    connection.once('close', () => [...ends.keys()].forEach(end));
    // a worker that dies may reset the connection
    linesOf(connection, () => undefined).on('line', (line) => {
      const [id = '', shared, mode] = line.split(' ') as [string, Shared?, TurnMode?];
      if (shared === undefined || mode === undefined) end(id);
      else
        ends.set(
          id,
          queues.add(shared, mode, {
            begin: () => connection.write(`${id}\n`),
            recall: () => connection.write(`${id} ${shared}\n`),
          }),
        );
    });
  });
  server.listen(socket);
  await once(server, 'listening');
  return () => void server.close();
}

/** Returns the socket of the turns of a run, beside its settings. */
export const turnSocket = (settings = process.env[runVariable] ?? ''): string => join(dirname(settings), 'turns');

/** The global setup of Playwright, which calls the returned function after the last test. */
export default (): Promise<() => void> => serveTurns(turnSocket());

export interface Turn {
  /** Waits until no other turn is under way; then none begins before this one ends. */
  becomeAlone(): Promise<void>;
  end(): void;
}

export class Turns {
  readonly #own = new TurnQueues();
  #granting: Granting | undefined;

  /** `socket`: where turns are granted; without one, this worker is the only one. */
  constructor(readonly socket?: string) {}

  /** Waits until a turn begins. */
  async take(shared: Shared, mode: TurnMode): Promise<Turn> {
    let isAlone = mode === 'alone';
    let end = await this.#begun(shared, mode);
    return {
      becomeAlone: async () => {
        if (isAlone) return;
        // two turns that wait to be alone do not wait for each other
        end();
        end = await this.#begun(shared, 'alone');
        isAlone = true;
      },
      end: () => end(),
    };
  }

  /** Runs `act` in a turn that no other turn overlaps. */
  async alone<T>(shared: Shared, act: () => Promise<T>): Promise<T> {
    const turn = await this.take(shared, 'alone');
    try {
      return await act();
    } finally {
      turn.end();
    }
  }

  async #begun(shared: Shared, mode: TurnMode): Promise<() => void> {
    if (this.socket === undefined) {
      let end = (): void => undefined;
      await new Promise<void>((begin) => {
        end = this.#own.add(shared, mode, { begin });
      });
      return end;
    }
    this.#granting ??= new Granting(connect(this.socket));
    return mode === 'alone' ? this.#granting.begun(shared, mode) : this.#granting.together(shared);
  }
}

const gone = (): Error => new Error('the process that grants the turns is gone');

/** A turn together that a worker keeps. `users`: the number of its subjects that are in this turn. */
interface Kept {
  readonly begun: Promise<() => void>;
  users: number;
  isRecalled: boolean;
}

/** The connection of a worker to the process that grants the turns: a line asks for a turn, or ends it. */
class Granting {
  readonly #kept = new Map<Shared, Kept>();
  readonly #waiting = new Map<string, { readonly begin: () => void; readonly fail: (error: Error) => void }>();
  #asked = 0;

  constructor(readonly connection: Socket) {
    const failAll = (error: Error): void => {
      for (const { fail } of this.#waiting.values()) fail(error);
    };
    linesOf(connection, failAll).on('line', (line) => {
      const [id = '', recalled] = line.split(' ') as [string, Shared?];
      if (recalled !== undefined) this.#leave(recalled);
      this.#waiting.get(id)?.begin();
      this.#waiting.delete(id);
      // it keeps no worker alive that waits for no turn
      if (this.#waiting.size === 0) connection.unref();
    });
    connection.once('close', () => failAll(gone()));
  }

  /** Waits until the turn begins. Returns the function that ends the turn. */
  async begun(shared: Shared, mode: TurnMode): Promise<() => void> {
    this.#asked += 1;
    const id = String(this.#asked);
    if (this.connection.destroyed) throw gone();
    await new Promise<void>((begin, fail) => {
      this.#waiting.set(id, { begin, fail });
      this.connection.ref();
      this.connection.write(`${id} ${shared} ${mode}\n`);
    });
    return () => void this.connection.write(`${id}\n`);
  }

  /** Waits until a turn together begins, or enters the one that the worker keeps. Returns the function that ends it. */
  async together(shared: Shared): Promise<() => void> {
    const kept = this.#kept.get(shared) ?? { begun: this.begun(shared, 'together'), users: 0, isRecalled: false };
    this.#kept.set(shared, kept);
    kept.users += 1;
    const end = await kept.begun;
    return () => {
      kept.users -= 1;
      if (kept.users === 0 && kept.isRecalled) end();
    };
  }

  /** Ends the turn that the worker keeps, at once or after its last user. */
  #leave(shared: Shared): void {
    const kept = this.#kept.get(shared);
    this.#kept.delete(shared);
    if (kept === undefined) return;
    kept.isRecalled = true;
    if (kept.users === 0) kept.begun.then((end) => end()).catch(() => undefined);
  }
}
