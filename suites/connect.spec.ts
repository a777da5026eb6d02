// Connect: exec, attach and port-forward into containers that run.
import { attachChecks, attachPerformers } from './connect/attaches.js';
import { connectionChecks, connectionPerformers } from './connect/connections.js';
import { execChecks, execPerformers } from './connect/execs.js';
import { observedChecks, observedPerformers } from './connect/observed.js';
import { portForwardChecks, portForwardPerformers } from './connect/portForwards.js';
import { refusalChecks, refusalPerformers } from './connect/refusals.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'connect',
  {
    ...connectionPerformers,
    ...execPerformers,
    ...attachPerformers,
    ...portForwardPerformers,
    ...observedPerformers,
    ...refusalPerformers,
  },
  { ...connectionChecks, ...execChecks, ...attachChecks, ...portForwardChecks, ...observedChecks, ...refusalChecks },
);
