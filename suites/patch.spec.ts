// Patch: the types of patches, fields that a patch does not name, and patches that are refused.
import { gridChecks, gridSetups } from './patch/grid.js';
import { hostileChecks, hostileSetups } from './patch/hostile.js';
import { jsonChecks, jsonSetups } from './patch/jsonCases.js';
import { mergeChecks, mergeSetups } from './patch/mergeCases.js';
import { refusedChecks, refusedSetups } from './patch/refused.js';
import { directiveChecks, directiveSetups } from './patch/strategicDirectives.js';
import { listChecks, listSetups } from './patch/strategicLists.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'patch',
  {
    ...gridSetups,
    ...refusedSetups,
    ...jsonSetups,
    ...mergeSetups,
    ...listSetups,
    ...directiveSetups,
    ...hostileSetups,
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
