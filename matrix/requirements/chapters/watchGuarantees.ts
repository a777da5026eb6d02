// The guarantees of a watch during concurrent writes, under their usual names.
import type { Chapter } from '../types.js';

const source = ['Events/1'] as const;

export const watchGuarantees = {
  'from-version': {
    level: 'stated',
    source: ['Parameters/resourceVersion', 'Events/2'],
    text: 'From a resourceVersion, a watch reports exactly the changes after it.',
    words: 'A watch begins after resourceVersion when given, otherwise at the beginning of history',
    subjects: 'concurrentWriters',
  },
  'from-beginning': {
    level: 'stated',
    source: ['Parameters/resourceVersion', 'Parameters/watch', 'Events/2'],
    text: 'Without a resourceVersion the events add up to the result of a list, and every later change follows.',
    words: 'A watch begins after resourceVersion when given, otherwise at the beginning of history',
    subjects: 'concurrentWriters',
  },
  ordered: {
    level: 'convention',
    source,
    text: 'Events are sent in the order of their changes, and the resourceVersion never decreases.',
    subjects: 'concurrentWriters',
  },
  unique: {
    level: 'convention',
    source,
    text: 'No change is reported twice.',
    subjects: 'concurrentWriters',
  },
  reliable: {
    level: 'stated',
    source: [...source, 'Parameters/resourceVersion'],
    text: 'No change is lost, however many writers there are.',
    words: 'with watch, shows changes after that version',
    subjects: 'concurrentWriters',
  },
  atomic: {
    level: 'convention',
    source,
    text: 'The object of an event is the state at its version, never a mixture of two states.',
    subjects: 'concurrentWriters',
  },
  resumable: {
    level: 'stated',
    source: ['Parameters/resourceVersion', 'Events/2'],
    text: 'A watch that was interrupted at any point continues from the last version seen, with each change reported once.',
    words: 'A watch begins after resourceVersion when given, otherwise at the beginning of history',
    subjects: 'concurrentWriters',
  },
  'list-then-watch': {
    level: 'stated',
    source: ['Parameters/resourceVersion', 'Events/2'],
    text: 'A list, and a watch from the version of that list, lose nothing and repeat nothing while other clients write.',
    words: 'A watch begins after resourceVersion when given, otherwise at the beginning of history',
    subjects: 'concurrentWriters',
  },
  filtered: {
    level: 'convention',
    source: [...source, 'Parameters/labelSelector', 'Parameters/LW'],
    text: 'A watch with a selector reports every change of the objects that match, begin to match or cease to match.',
    subjects: 'concurrentWriters',
  },
  bounded: {
    level: 'stated',
    source: ['Parameters/timeoutSeconds', 'Events/2', 'Limits/1'],
    text: 'A watch ends cleanly, on a whole event, when its timeoutSeconds are over and not before.',
    words: 'The stream ends at timeoutSeconds',
    subjects: 'boundedWatches',
  },
  unbounded: {
    level: 'convention',
    source: ['Limits/4'],
    text: "A watch without timeoutSeconds continues until the server's own limit.",
    subjects: 'unboundedWatches',
  },
  'slow-reader': {
    level: 'convention',
    source: ['Limits/4'],
    text: 'A watcher that does not read its stream delays no other watcher and no writer.',
    subjects: 'slowReaders',
  },
} as const satisfies Chapter;
