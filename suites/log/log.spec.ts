// Log: the output of a container, in the range that the client asked for.

import { defineChapter } from '../run/chapter.js';
import { contentGroups } from './content.js';
import { followGroups } from './follow.js';
import { forwardedGroups } from './forwarded.js';
import { refusedGroups } from './refused.js';
import { windowGroups } from './window.js';

defineChapter('log', [...contentGroups, ...followGroups, ...windowGroups, ...refusedGroups, ...forwardedGroups]);
