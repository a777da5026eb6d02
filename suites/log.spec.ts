// Log: what a container said, from where the client asked to where it asked.
import { contentChecks, contentPerformers } from './log/content.js';
import { followChecks, followPerformers } from './log/follow.js';
import { forwardedChecks, forwardedPerformers } from './log/forwarded.js';
import { refusedChecks, refusedPerformers } from './log/refused.js';
import { windowChecks, windowPerformers } from './log/window.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'log',
  { ...contentPerformers, ...followPerformers, ...windowPerformers, ...refusedPerformers, ...forwardedPerformers },
  { ...contentChecks, ...followChecks, ...windowChecks, ...refusedChecks, ...forwardedChecks },
);
