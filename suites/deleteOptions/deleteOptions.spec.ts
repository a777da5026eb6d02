// Deletion: options, grace, finalizers, dependents, the end of a namespace. The parts are in the folder deleteOptions.

import { defineChapter } from '../run/chapter.js';
import * as collections from './collections.js';
import * as collector from './collector.js';
import * as dependents from './dependents.js';
import * as held from './finalizers.js';
import * as grace from './grace.js';
import * as namespaceEnds from './namespaceDeletion.js';
import * as options from './options.js';
import * as refused from './refused.js';

defineChapter('deleteOptions', [
  ...options.groups,
  ...refused.groups,
  ...held.groups,
  ...grace.groups,
  ...collections.groups,
  ...dependents.groups,
  ...collector.groups,
  ...namespaceEnds.groups,
]);
