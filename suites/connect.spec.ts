// Connect: exec, attach and port-forward into running containers.
import { attachChecks, attachSetups } from './connect/attaches.js';
import { connectionChecks, connectionSetups } from './connect/connections.js';
import { execChecks, execSetups } from './connect/execs.js';
import { observedChecks, observedSetups } from './connect/observed.js';
import { portForwardChecks, portForwardSetups } from './connect/portForwards.js';
import { refusalChecks, refusalSetups } from './connect/refusals.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'connect',
  {
    ...connectionSetups,
    ...execSetups,
    ...attachSetups,
    ...portForwardSetups,
    ...observedSetups,
    ...refusalSetups,
  },
  { ...connectionChecks, ...execChecks, ...attachChecks, ...portForwardChecks, ...observedChecks, ...refusalChecks },
);
