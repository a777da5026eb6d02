// Deletion: options, grace, finalizers, dependents, and the end of a namespace. The parts are beside this file.
import * as collections from './deleteOptions/collections.js';
import * as collector from './deleteOptions/collector.js';
import * as dependents from './deleteOptions/dependents.js';
import * as grace from './deleteOptions/grace.js';
import * as held from './deleteOptions/held.js';
import * as namespaceEnds from './deleteOptions/namespaceEnds.js';
import * as options from './deleteOptions/options.js';
import * as refused from './deleteOptions/refused.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'deleteOptions',
  {
    ...options.performers,
    ...refused.performers,
    ...held.performers,
    ...grace.performers,
    ...collections.performers,
    ...dependents.performers,
    ...collector.performers,
    ...namespaceEnds.performers,
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
