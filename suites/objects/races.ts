// Writes that race for one name, one version or one value: exactly one of them wins.
import { equal, fail, status, statusObject } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import { type CreatedObject, conflicts, type Sandbox } from './sandbox.js';

const racers = ['1', '2', '3', '4', '5'];
/** The label that each racer writes with another value. */
export const raceLabel = 'kube-api-conformance/racer';

/** What the racers write, each with its own label. */
interface Start {
  readonly object: Pick<CreatedObject, 'resource' | 'name' | 'namespace'>;
  readonly send: (label: { readonly [raceLabel]: string }) => Promise<Reply>;
}

export interface Race {
  readonly replies: readonly Reply[];
  /** The label of the object after the race. */
  readonly winner: unknown;
}

/**
 * Sends a write of each racer at once. Races again if none won: a controller may have written first, or a response was
 * lost.
 */
export async function race(sandbox: Sandbox, start: () => Promise<Start>): Promise<Race> {
  for (let attempt = 1; ; attempt += 1) {
    const { object, send } = await start();
    const replies = await Promise.all(racers.map((racer) => send({ [raceLabel]: racer })));
    const after = await sandbox.current(object);
    const isWon = replies.some((reply) => reply.status < 300);
    if (isWon || attempt === conflicts) return { replies, winner: at(after, 'metadata', 'labels', raceLabel) };
  }
}

/**
 * Throws Failure unless one racer won, the winner is stored, and the others were refused: with 409 and that reason if
 * there is one.
 */
export function oneWins({ replies, winner }: Race, reason?: string): void {
  const won = replies.filter((reply) => reply.status < 300);
  const what = `${replies[0]?.request}, ${replies.length} at once`;
  if (won.length !== 1) fail(`${what}: expected one to succeed, got ${brief(replies.map((reply) => reply.status))}`);
  const stored = racers[replies.findIndex((reply) => reply.status < 300)] ?? '';
  equal(winner, stored, `${what}, then read: the label of the one that succeeded`);
  if (reason === undefined) return;
  for (const reply of replies.filter((reply) => reply.status >= 300)) {
    status(reply, 409);
    statusObject(reply, reason);
  }
}
