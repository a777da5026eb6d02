// Service accounts: each namespace has one, each has a Secret with a token, and each pod runs as one.
import { endChecks, endPerformers } from './serviceAccounts/ends.js';
import { mountChecks, mountPerformers } from './serviceAccounts/mounts.js';
import { podChecks, podPerformers } from './serviceAccounts/pods.js';
import { processChecks, processPerformers } from './serviceAccounts/processes.js';
import { secretChecks, secretPerformers } from './serviceAccounts/secrets.js';
import { tokenChecks, tokenPerformers } from './serviceAccounts/tokens.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'serviceAccounts',
  {
    ...podPerformers,
    ...secretPerformers,
    ...tokenPerformers,
    ...endPerformers,
    ...mountPerformers,
    ...processPerformers,
  },
  { ...podChecks, ...secretChecks, ...tokenChecks, ...endChecks, ...mountChecks, ...processChecks },
);
