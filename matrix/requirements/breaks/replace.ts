// The consequences for clients if a requirement of the chapter replace is violated.
import type { Breaks } from './types.js';

export const replace = [
  [['answer'], 'A client that continues with the returned object works with an old version of it.'],
  [['effect-read', 'effect-list'], '`kubectl replace` reports success, and the object is not what the file says.'],
  [['identity'], 'A cache takes the changed object for a new one, or does not see the change at all.'],
  [['stale'], 'Two writers that read the same version overwrite each other, and one change is lost without an error.'],
  [['name-mismatch'], 'A program with a wrong URL overwrites another object.'],
  [['other-uid'], 'A controller overwrites an object that was deleted and created again by another client.'],
  [['absent'], 'A controller revives an object that a user has just deleted.'],
] as const satisfies Breaks;
