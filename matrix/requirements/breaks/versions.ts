// The consequences for clients if a requirement of the chapter versions is violated.
import type { Breaks } from './types.js';

export const versions = [
  [['group-version'], 'A client decodes the object as another version and loses fields.'],
  [
    ['autoscaler-shared', 'job-shared', 'one-life', 'write-through', 'status-through'],
    'Old and new clients see different objects, and each undoes the work of the other.',
  ],
  [
    ['autoscaler-fields', 'job-fields'],
    'A client of one version reads empty fields where the other version has values.',
  ],
  [['one-identity'], 'A cache takes the two views of one object for two objects.'],
  [['watched'], 'A controller of one version does not see changes that were made through the other.'],
  [['other-body'], 'An object is stored in a form that the clients of its version cannot decode.'],
] as const satisfies Breaks;
