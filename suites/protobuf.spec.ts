// Protobuf: the binary media type of the group paths, in requests and responses.
import { callChecks, callSetups } from './protobuf/calls.js';
import { hostileChecks, hostileSetups } from './protobuf/hostile.js';
import { numberChecks, numberSetups } from './protobuf/numbers.js';
import { objectChecks, objectSetups } from './protobuf/objects.js';
import { watchChecks, watchSetups } from './protobuf/watches.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'protobuf',
  { ...callSetups, ...objectSetups, ...numberSetups, ...watchSetups, ...hostileSetups },
  { ...callChecks, ...objectChecks, ...numberChecks, ...watchChecks, ...hostileChecks },
);
