// Watch: every path by which a kind can be watched, its events, and its responses.
import { defineChapter } from './support/run/chapter.js';
import { answerChecks, answerSetups } from './watch/answers.js';
import { bookmarkChecks, bookmarkSetups } from './watch/bookmarks.js';
import { historyChecks, historySetups } from './watch/histories.js';
import { lifeChecks, lifeSetups } from './watch/lifecycle.js';
import { reachChecks, reachSetups } from './watch/scope.js';
import { selectedChecks, selectedSetups } from './watch/selected.js';
import { socketChecks, socketSetups } from './watch/sockets.js';

defineChapter(
  'watch',
  {
    ...lifeSetups,
    ...reachSetups,
    ...selectedSetups,
    ...answerSetups,
    ...historySetups,
    ...bookmarkSetups,
    ...socketSetups,
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
