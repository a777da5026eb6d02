// The consequences for clients if a requirement of the chapter errors is violated.
import type { Breaks } from './types.js';

export const errors = [
  [['malformed-body'], 'A client with a damaged request gets a server error and repeats it for ever.'],
  [['wrong-kind'], 'An object of one kind is stored under another, and no client can decode it again.'],
  [
    ['missing-body', 'missing-patch'],
    'A client that lost its body by a bug creates or changes objects without noticing.',
  ],
  [['missing-patch-client-error'], 'A client takes its own mistake for a failure of the server and repeats it.'],
  [['refused-changes-nothing'], 'A client that is told "refused" has changed the object all the same.'],
  [['unsupported-media-type'], 'A client cannot tell that the format is the problem, and does not fall back to JSON.'],
  [
    ['unsupported-patch-type'],
    'A patch in an unknown language is applied as if it were another one, and damages the object.',
  ],
  [['unsupported-patch-type-answer'], 'A client does not learn that it has to send another patch type.'],
  [['not-acceptable'], 'A client gets a format that it did not ask for and cannot parse.'],
  [['accept'], '`curl` and browsers, which send `*/*` or nothing, get a format that they cannot show.'],
  [['invalid-name'], 'A client cannot show which name is wrong, or the object gets a name that DNS does not accept.'],
  [['status-schema'], 'A client cannot read the error and shows "unknown error" to its user.'],
  [['method-not-allowed'], 'A client takes a missing method for a missing object.'],
  [['unknown-path'], 'A client takes a missing API for a server that is down.'],
  [['unauthenticated'], 'Anybody on the network can read and change the cluster.'],
  [['unauthenticated-status'], 'A client does not know that its credential has expired, and never renews it.'],
  [['too-large', 'hostile'], 'One request stops the server for everybody, or fills its memory.'],
] as const satisfies Breaks;
