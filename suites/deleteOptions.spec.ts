// Deletion: options, grace, finalizers, dependents, the end of a namespace. The parts are in the folder deleteOptions.
import * as collections from './deleteOptions/collections.js';
import * as collector from './deleteOptions/collector.js';
import * as dependents from './deleteOptions/dependents.js';
import * as held from './deleteOptions/finalizers.js';
import * as grace from './deleteOptions/grace.js';
import * as namespaceEnds from './deleteOptions/namespaceDeletion.js';
import * as options from './deleteOptions/options.js';
import * as refused from './deleteOptions/refused.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'deleteOptions',
  {
    ...options.setups,
    ...refused.setups,
    ...held.setups,
    ...grace.setups,
    ...collections.setups,
    ...dependents.setups,
    ...collector.setups,
    ...namespaceEnds.setups,
  },
  {
    ...options.checks,
    ...refused.checks,
    ...held.checks,
    ...grace.checks,
    ...collections.checks,
    ...dependents.checks,
    ...collector.checks,
    ...namespaceEnds.checks,
  },
);
