// Patch: the types of patches, fields that a patch does not name, and patches that are refused.

import { defineChapter } from '../run/chapter.js';
import { applyGroups } from './applies.js';
import { gridGroups } from './grid.js';
import { hostileGroups } from './hostile.js';
import { jsonGroups } from './jsonCases.js';
import { mergeGroups } from './mergeCases.js';
import { raceGroups } from './races.js';
import { refusedGroups } from './refused.js';
import { directiveGroups } from './strategicDirectives.js';
import { listGroups } from './strategicLists.js';

defineChapter('patch', [
  ...gridGroups,
  ...applyGroups,
  ...refusedGroups,
  ...jsonGroups,
  ...raceGroups,
  ...mergeGroups,
  ...listGroups,
  ...directiveGroups,
  ...hostileGroups,
]);
