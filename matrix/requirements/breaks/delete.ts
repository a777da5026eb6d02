// The consequences for clients if a requirement of the chapter delete is violated.
import type { Breaks } from './types.js';

export const deletion = [
  [['answer'], 'A client cannot tell whether the object is gone or still being deleted.'],
  [['effect-read', 'effect-list'], 'A cleanup reports success, and the object stays and costs money.'],
  [['spares-others'], 'A delete of one object removes the work of others.'],
  [['without-options'], 'Clients that send no body, `curl` and older libraries among them, cannot delete anything.'],
  [['absent'], 'A cleanup that runs twice fails the second time, because it does not recognize "already gone".'],
] as const satisfies Breaks;
