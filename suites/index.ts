// What the command line needs of the suite: to prepare a run, to read a target's capabilities, to clean up.
export { readNotOffered } from './support/capabilities.js';
export { cleanUp, tryCleanUp } from './support/cleanup.js';
export { Client, NoAnswer } from './support/client.js';
export { runVariable, writeRun } from './support/run.js';
