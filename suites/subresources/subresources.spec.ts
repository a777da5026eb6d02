// Subresources: status, scale, rollback, the end of a namespace, and binding.

import { defineChapter } from '../run/chapter.js';
import { bindingGroups } from './binding.js';
import { namespaceGroups } from './namespaces.js';
import { rollbackGroups } from './rollback.js';
import { scaleGroups } from './scale.js';
import { statusGroups } from './status.js';
import { unchangedGroups } from './unchanged.js';

defineChapter('subresources', [
  ...statusGroups,
  ...unchangedGroups,
  ...scaleGroups,
  ...rollbackGroups,
  ...namespaceGroups,
  ...bindingGroups,
]);
