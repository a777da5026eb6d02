// The consequences for clients if a requirement of the chapter list is violated.
import type { Breaks } from './types.js';

export const list = [
  [['contains'], 'A controller never sees the object, so nothing is done for it.'],
  [
    ['scope'],
    'A client with access to one namespace sees the objects of another, or a cluster-wide controller misses some.',
  ],
  [['content'], 'A cache that is filled from a list holds other data than a read shows, and controllers act on it.'],
  [['same-name'], "Two teams that use the same name change or delete each other's objects."],
  [['empty'], 'A client that reads `items` of an empty list fails on null, or has no version from which to watch.'],
  [['kind'], 'Typed clients cannot decode the list.'],
  [['items-untyped'], 'Strict decoders of typed lists report unknown fields in each item.'],
  [['resource-version'], 'A client has no version from which to watch, and starts from scratch or misses changes.'],
  [['component-statuses'], 'A health check that reads the listed components one by one gets 404.'],
] as const satisfies Breaks;
