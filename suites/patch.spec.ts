// Patch: three ways of saying what changes; what is not said stays, and what cannot be changes nothing.
import { gridChecks, gridPerformers } from './patch/grid.js';
import { hostileChecks, hostilePerformers } from './patch/hostile.js';
import { jsonChecks, jsonPerformers } from './patch/jsonCases.js';
import { mergeChecks, mergePerformers } from './patch/mergeCases.js';
import { refusedChecks, refusedPerformers } from './patch/refused.js';
import { directiveChecks, directivePerformers } from './patch/strategicDirectives.js';
import { listChecks, listPerformers } from './patch/strategicLists.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'patch',
  {
    ...gridPerformers,
    ...refusedPerformers,
    ...jsonPerformers,
    ...mergePerformers,
    ...listPerformers,
    ...directivePerformers,
    ...hostilePerformers,
  },
  {
    ...gridChecks,
    ...refusedChecks,
    ...jsonChecks,
    ...mergeChecks,
    ...listChecks,
    ...directiveChecks,
    ...hostileChecks,
  },
);
