// The guarantees of a watch during concurrent writes, under their usual names.
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { timeGroups } from './bounded.js';
import { guarantees } from './guarantees.js';
import { observeConcurrentWriters } from './observations.js';
import { isNotDelayed, watchBesideSlowReader } from './slow.js';

defineChapter('watchGuarantees', [
  // these wait: the others run meanwhile
  ...timeGroups,
  group({ subjects: 'concurrentWriters', setup: observeConcurrentWriters, checks: guarantees }),
  group({
    subjects: 'slowReaders',
    setup: (_, context) => watchBesideSlowReader(context),
    checks: { 'slow-reader': isNotDelayed },
  }),
]);
