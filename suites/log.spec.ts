// Log: the output of a container, in the range that the client asked for.
import { contentChecks, contentSetups } from './log/content.js';
import { followChecks, followSetups } from './log/follow.js';
import { forwardedChecks, forwardedSetups } from './log/forwarded.js';
import { refusedChecks, refusedSetups } from './log/refused.js';
import { windowChecks, windowSetups } from './log/window.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'log',
  { ...contentSetups, ...followSetups, ...windowSetups, ...refusedSetups, ...forwardedSetups },
  { ...contentChecks, ...followChecks, ...windowChecks, ...refusedChecks, ...forwardedChecks },
);
