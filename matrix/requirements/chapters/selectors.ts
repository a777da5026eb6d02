// Selectors: the objects that an operation selects.
import type { Chapter } from '../types.js';

const source = ['Parameters/labelSelector'] as const;

export const selectors = {
  everything: {
    level: 'stated',
    source: [...source, 'Parameters/fieldSelector'],
    text: 'Without a selector, and with an empty one, an operation affects all objects in its scope.',
    words: 'restricts results by labels; default is everything',
    subjects: 'selections',
  },
  labels: {
    level: 'stated',
    source: [...source, 'Parameters/LW'],
    text: 'With a labelSelector a list contains the objects whose labels match, and no others.',
    words: 'restricts results by labels; default is everything',
    subjects: 'selections',
  },
  fields: {
    level: 'stated',
    source: ['Parameters/fieldSelector', 'Parameters/LW'],
    text: 'With a fieldSelector that the server accepts a list contains the objects whose fields match, and no others.',
    words: 'restricts results by fields; default is everything',
    subjects: 'selections',
  },
  // Label selectors
  'label-equals': {
    level: 'convention',
    source,
    text: 'The forms key=value and key==value select the objects that have the label with that value.',
    subjects: 'selections',
  },
  'label-not-equals': {
    level: 'convention',
    source,
    text: 'The form key!=value selects the objects with another value and the objects without the label.',
    subjects: 'selections',
  },
  'label-in': {
    level: 'convention',
    source,
    text: 'The form key in (a,b) selects the objects whose label has one of those values.',
    subjects: 'selections',
  },
  'label-not-in': {
    level: 'convention',
    source,
    text: 'The form key notin (a,b) selects the objects with another value and the objects without the label.',
    subjects: 'selections',
  },
  'label-exists': {
    level: 'convention',
    source,
    text: 'The form key selects the objects that have the label, also with an empty value.',
    subjects: 'selections',
  },
  'label-not-exists': {
    level: 'convention',
    source,
    text: 'The form !key selects the objects that do not have the label.',
    subjects: 'selections',
  },
  'label-and': {
    level: 'convention',
    source,
    text: 'All requirements of a selector, separated by commas, must match.',
    subjects: 'selections',
  },
  'label-prefix': {
    level: 'convention',
    source,
    text: 'A label key with a prefix, such as example.com/key, can be selected like any other.',
    subjects: 'selections',
  },
  'label-empty-value': {
    level: 'convention',
    source,
    text: 'The form key= selects the objects that have the label with an empty value, and not the objects without it.',
    subjects: 'selections',
  },
  'label-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A list with a labelSelector that cannot be parsed is refused with 400, and never returns everything.',
    subjects: 'malformedSelections',
  },
  // Field selectors
  'field-name': {
    level: 'convention',
    source: ['Parameters/fieldSelector'],
    text: 'Every kind can be selected by metadata.name, and every namespaced kind by metadata.namespace.',
    subjects: 'selections',
  },
  'field-not-equals': {
    level: 'convention',
    source: ['Parameters/fieldSelector'],
    text: 'The form field!=value selects the objects whose field has another value.',
    subjects: 'selections',
  },
  'field-and': {
    level: 'convention',
    source: ['Parameters/fieldSelector'],
    text: 'All requirements of a field selector, separated by commas, must match.',
    subjects: 'selections',
  },
  'field-of-kind': {
    level: 'convention',
    source: ['Parameters/fieldSelector'],
    text: 'A kind can be selected by the fields that it supports, such as spec.nodeName and status.phase of a Pod.',
    subjects: 'fieldsOfKinds',
  },
  'field-unsupported': {
    level: 'convention',
    source: ['Parameters/fieldSelector', 'Errors/1'],
    text: 'A list with a fieldSelector on a field that the kind does not support is refused with 400, and never returns everything.',
    subjects: 'malformedSelections',
  },
  'field-malformed': {
    level: 'convention',
    source: ['Parameters/fieldSelector', 'Errors/1'],
    text: 'A list with a fieldSelector that cannot be parsed is refused with 400, and never returns everything.',
    subjects: 'malformedSelections',
  },
  both: {
    level: 'convention',
    source: [...source, 'Parameters/fieldSelector'],
    text: 'With both selectors an object must match both.',
    subjects: 'selections',
  },
  encoded: {
    level: 'convention',
    source: [...source, 'Parameters/fieldSelector'],
    text: 'A selector means the same with percent-encoded characters and with + for a space.',
    subjects: 'selections',
  },
  'component-statuses': {
    level: 'stated',
    source: [...source, 'Parameters/fieldSelector', 'Core group/GET /api/v1/componentstatuses'],
    text: 'The list of component statuses contains those that match its selectors, and no others.',
    words: 'restricts results by labels; default is everything',
    subjects: 'selectedComponents',
  },
  // Operations with selectors
  'delete-collection-everything': {
    level: 'stated',
    source: [...source, 'Parameters/fieldSelector', 'Generic operation set/delete collection'],
    text: 'A delete-collection without a selector deletes everything in its namespace, and nothing in another namespace.',
    words: 'restricts results by labels; default is everything',
    subjects: 'unselectedDeleteCollections',
  },
  'delete-collection-labels': {
    level: 'stated',
    source: [...source, 'Generic operation set/delete collection'],
    text: 'A delete-collection with a labelSelector, in each of its forms, deletes the objects that match and no others.',
    words: 'restricts results by labels; default is everything',
    subjects: 'labelDeleteCollections',
  },
  'delete-collection-fields': {
    level: 'stated',
    source: ['Parameters/fieldSelector', 'Generic operation set/delete collection'],
    text: 'A delete-collection with a fieldSelector that the server accepts deletes the objects that match and no others.',
    words: 'restricts results by fields; default is everything',
    subjects: 'fieldDeleteCollections',
  },
  'delete-collection-malformed': {
    level: 'convention',
    source: [...source, 'Parameters/fieldSelector', 'Errors/1'],
    text: 'A delete-collection with a selector that cannot be understood is refused with 400 and deletes nothing.',
    subjects: 'malformedDeleteCollections',
  },
  'watch-one-labels': {
    level: 'stated',
    source: [...source, 'Generic operation set/watch one object', 'Parameters/LW'],
    words: 'restricts results by labels',
    text: 'A watch of one object with a labelSelector reports the object while its labels match, and not while they do not.',
    subjects: 'selectedWatchesOfOne',
  },
  'watch-one-fields': {
    level: 'convention',
    source: ['Parameters/fieldSelector', 'Generic operation set/watch one object', 'Parameters/LW'],
    text: 'A watch of one object with a fieldSelector of its own name reports the object, and with another name reports nothing.',
    subjects: 'selectedWatchesOfOne',
  },
  'watch-malformed': {
    level: 'convention',
    source: [...source, 'Parameters/fieldSelector', 'Errors/1'],
    text: 'A watch with a selector that cannot be understood is refused with 400 and streams nothing.',
    subjects: 'malformedWatches',
  },
} as const satisfies Chapter;
