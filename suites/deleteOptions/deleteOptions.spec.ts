// Deletion: options, grace, finalizers, dependents, the end of a namespace.
import { defineChapter } from '../run/chapter.js';
import { collectionGroups } from './collections.js';
import { collectorGroups } from './collector.js';
import { dependentGroups } from './dependents.js';
import { finalizerGroups } from './finalizers.js';
import { graceGroups } from './grace.js';
import { namespaceGroups } from './namespaceDeletion.js';
import { optionGroups } from './options.js';
import { refusedDeleteGroups } from './refused.js';

defineChapter('deleteOptions', [
  ...optionGroups,
  ...refusedDeleteGroups,
  ...finalizerGroups,
  ...graceGroups,
  ...collectionGroups,
  ...dependentGroups,
  ...collectorGroups,
  ...namespaceGroups,
]);
