// Protobuf: the binary media type of the group paths, both ways.
import { callChecks, callPerformers } from './protobuf/calls.js';
import { hostileChecks, hostilePerformers } from './protobuf/hostile.js';
import { objectChecks, objectPerformers } from './protobuf/objects.js';
import { watchChecks, watchPerformers } from './protobuf/watches.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'protobuf',
  { ...callPerformers, ...objectPerformers, ...watchPerformers, ...hostilePerformers },
  { ...callChecks, ...objectChecks, ...watchChecks, ...hostileChecks },
);
