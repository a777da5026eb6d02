// Watch: every form in which a kind can be watched, what it tells, what it leaves out, and how it is answered.
import { defineChapter } from './support/chapter.js';
import { answerChecks, answerPerformers } from './watch/answers.js';
import { bookmarkChecks, bookmarkPerformers } from './watch/bookmarks.js';
import { historyChecks, historyPerformers } from './watch/histories.js';
import { lifeChecks, lifePerformers } from './watch/life.js';
import { reachChecks, reachPerformers } from './watch/reach.js';
import { selectedChecks, selectedPerformers } from './watch/selected.js';
import { socketChecks, socketPerformers } from './watch/sockets.js';

defineChapter(
  'watch',
  {
    ...lifePerformers,
    ...reachPerformers,
    ...selectedPerformers,
    ...answerPerformers,
    ...historyPerformers,
    ...bookmarkPerformers,
    ...socketPerformers,
  },
  {
    ...lifeChecks,
    ...reachChecks,
    ...selectedChecks,
    ...answerChecks,
    ...historyChecks,
    ...bookmarkChecks,
    ...socketChecks,
  },
);
