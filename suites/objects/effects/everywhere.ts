// A write that is looked at in every place, and the checks of each place.
import { success } from '../../client/expect.js';
import type { JsonObject } from '../../client/json.js';
import type { Reply } from '../../client/reply.js';
import type { Sandbox } from '../sandbox.js';
import { unbind } from './bound.js';
import { type InCodecs, isOneInCodecs, readInCodecs } from './codecs.js';
import { isOneState, type Observed, observe, type Place, placesOf, seenIn, stateIn } from './observe.js';
import type { Written } from './places.js';

/** A write, with what each place shows of the object, and each media type. */
export interface SeenEverywhere {
  readonly observed: Observed;
  readonly codecs: InCodecs;
}

/** Sends a write, and looks at the object everywhere. Removes what `boundMetadata` gave it. */
export async function observeEverywhere(
  sandbox: Sandbox,
  written: Written,
  write: (current: JsonObject) => Promise<Reply>,
): Promise<SeenEverywhere> {
  const observed = await observe(sandbox, written, write, { everywhere: true });
  const codecs = await readInCodecs(sandbox, written);
  await unbind(sandbox, written);
  return { observed, codecs };
}

/** Returns the checks of each place; `isRight` judges the state that a place shows, and gets the words for it. */
export function checksOfPlaces<R extends SeenEverywhere>(
  isRight: (record: R, state: JsonObject, what: string) => void,
) {
  const shows =
    (...places: readonly Place[]) =>
    (record: R): void => {
      const { observed } = record;
      success(observed.reply);
      const asked = placesOf(observed);
      for (const place of places)
        if (asked.includes(place)) isRight(record, stateIn(observed, place), seenIn(observed, place));
    };
  return {
    answer: shows('answer'),
    'effect-read': shows('read'),
    'effect-list': shows('list', 'everywhere'),
    'effect-watch': shows('watch'),
    'one-state': ({ observed }: R) => isOneState(observed),
    codecs: ({ observed, codecs }: R) => {
      success(observed.reply);
      isOneInCodecs(codecs);
    },
  };
}
