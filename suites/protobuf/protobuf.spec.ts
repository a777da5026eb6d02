// Protobuf: the binary media type of the group paths, in requests and responses.

import { defineChapter } from '../run/chapter.js';
import { callGroups } from './calls.js';
import { hostileGroups } from './hostile.js';
import { numberGroups } from './numbers.js';
import { objectGroups } from './objects.js';
import { watchGroups } from './watches.js';

defineChapter('protobuf', [...callGroups, ...objectGroups, ...numberGroups, ...watchGroups, ...hostileGroups]);
