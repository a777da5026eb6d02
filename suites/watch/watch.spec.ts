// Watch: every path by which a kind can be watched, its events, and its responses.
import { defineChapter } from '../run/chapter.js';
import { answerGroups } from './answers.js';
import { bookmarkGroups } from './bookmarks.js';
import { timeGroups } from './bounded.js';
import { historyGroups } from './histories.js';
import { lifeGroups } from './lifecycle.js';
import { reachGroups } from './scope.js';
import { selectedGroups } from './selected.js';
import { slowReaderGroups } from './slowReader.js';
import { socketGroups } from './sockets.js';

defineChapter('watch', [
  // these wait: the others run meanwhile
  ...timeGroups,
  ...lifeGroups,
  ...reachGroups,
  ...selectedGroups,
  ...answerGroups,
  ...historyGroups,
  ...bookmarkGroups,
  ...socketGroups,
  ...slowReaderGroups,
]);
