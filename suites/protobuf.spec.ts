// Protobuf: the binary media type of the group paths, both ways.
import { callChecks, callPerformers } from './protobuf/calls.js';
import { hostileChecks, hostilePerformers } from './protobuf/hostile.js';
import { numberChecks, numberPerformers } from './protobuf/numbers.js';
import { objectChecks, objectPerformers } from './protobuf/objects.js';
import { watchChecks, watchPerformers } from './protobuf/watches.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'protobuf',
  { ...callPerformers, ...objectPerformers, ...numberPerformers, ...watchPerformers, ...hostilePerformers },
  { ...callChecks, ...objectChecks, ...numberChecks, ...watchChecks, ...hostileChecks },
);
