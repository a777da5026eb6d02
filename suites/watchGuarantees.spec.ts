// The guarantees of a watch during concurrent writes, under their usual names.
import type { Subject } from '../matrix/requirements/index.js';
import { defineChapter } from './support/run/chapter.js';
import type { Context } from './support/run/worker.js';
import { timeChecks, timeSetups } from './watchGuarantees/bounded.js';
import { guarantees } from './watchGuarantees/guarantees.js';
import { observeConcurrentWriters } from './watchGuarantees/observations.js';
import { isNotDelayed, watchBesideSlowReader } from './watchGuarantees/slow.js';

defineChapter(
  'watchGuarantees',
  {
    // these wait: the others run meanwhile
    ...timeSetups,
    concurrentWriters: observeConcurrentWriters,
    slowReaders: (_: Subject, context: Context) => watchBesideSlowReader(context),
  },
  {
    ...guarantees,
    ...timeChecks,
    'slow-reader': isNotDelayed,
  },
);
