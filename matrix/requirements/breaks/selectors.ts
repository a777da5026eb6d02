// The consequences for clients if a requirement of the chapter selectors is violated.
import type { Breaks } from './types.js';

export const selectors = [
  [['everything'], 'A client without a selector sees or deletes only a part of what it means.'],
  [['labels', 'fields', 'component-statuses'], 'A client gets objects that it did not ask for, and acts on them.'],
  [['label-*'], 'A Service, a controller or a script with this form of selector works on the wrong objects.'],
  [['field-name'], 'A client that waits for one object by its name sees all of them, or an error.'],
  [
    ['field-not-equals', 'field-and', 'field-of-kind'],
    'A node agent or a dashboard that selects by a field gets the objects of others too.',
  ],
  [
    ['label-malformed', 'field-malformed', 'field-unsupported'],
    'A client with a typing error gets all objects and treats them as selected.',
  ],
  [['both'], 'A client that narrows a list by two selectors gets the objects of either.'],
  [['encoded'], 'A selector that works in one client library means something else in another one.'],
  [['delete-collection-everything'], 'A delete-collection leaves objects behind, or reaches into another namespace.'],
  [
    ['delete-collection-labels', 'delete-collection-fields'],
    'A cleanup by selector deletes objects that do not match, and they are lost.',
  ],
  [['delete-collection-malformed'], 'A typing error in the selector deletes everything in the namespace.'],
  [
    ['watch-one-labels', 'watch-one-fields'],
    'A client that waits for a label on one object waits for ever, or continues too early.',
  ],
  [['watch-malformed'], 'A watcher with a typing error gets the changes of all objects.'],
] as const satisfies Breaks;
