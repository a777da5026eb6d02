// Subresources: status, scale, rollback, the life of a namespace, and binding.

import { bindingChecks, bindingPerformers } from './subresources/binding.js';
import { namespaceChecks, namespacePerformers } from './subresources/namespaces.js';
import { rollbackChecks, rollbackPerformers } from './subresources/rollback.js';
import { scaleChecks, scalePerformers } from './subresources/scale.js';
import { statusChecks, statusPerformers } from './subresources/status.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'subresources',
  { ...statusPerformers, ...scalePerformers, ...rollbackPerformers, ...namespacePerformers, ...bindingPerformers },
  { ...statusChecks, ...scaleChecks, ...rollbackChecks, ...namespaceChecks, ...bindingChecks },
);
