// Subresources: status, scale, rollback, the end of a namespace, and binding.

import { bindingChecks, bindingSetups } from './subresources/binding.js';
import { namespaceChecks, namespaceSetups } from './subresources/namespaces.js';
import { rollbackChecks, rollbackSetups } from './subresources/rollback.js';
import { scaleChecks, scaleSetups } from './subresources/scale.js';
import { statusChecks, statusSetups } from './subresources/status.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'subresources',
  { ...statusSetups, ...scaleSetups, ...rollbackSetups, ...namespaceSetups, ...bindingSetups },
  { ...statusChecks, ...scaleChecks, ...rollbackChecks, ...namespaceChecks, ...bindingChecks },
);
