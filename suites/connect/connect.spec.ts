// Connect: exec, attach and port-forward into running containers.

import { defineChapter } from '../run/chapter.js';
import { attachGroups } from './attaches.js';
import { connectionGroups } from './connections.js';
import { execGroups } from './execs.js';
import { observedGroups } from './observed.js';
import { portForwardGroups } from './portForwards.js';
import { refusalGroups } from './refusals.js';

defineChapter('connect', [
  ...connectionGroups,
  ...execGroups,
  ...attachGroups,
  ...portForwardGroups,
  ...observedGroups,
  ...refusalGroups,
]);
