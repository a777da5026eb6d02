// What a watch guarantees while others write: each guarantee has a name, as the field gives it.
import type { Subject } from '../matrix/requirements/index.js';
import { defineChapter } from './support/chapter.js';
import type { Context } from './support/worker.js';
import { timeChecks, timePerformers } from './watchGuarantees/bounded.js';
import { guarantees } from './watchGuarantees/guarantees.js';
import { besideASlowOne, isNotHeldUp } from './watchGuarantees/slow.js';
import { weather } from './watchGuarantees/storms.js';

defineChapter(
  'watchGuarantees',
  {
    storms: weather,
    slowReaders: (_: Subject, context: Context) => besideASlowOne(context),
    ...timePerformers,
  },
  {
    ...guarantees,
    ...timeChecks,
    'slow-reader': isNotHeldUp,
  },
);
