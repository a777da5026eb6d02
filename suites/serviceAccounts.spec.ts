// Service accounts: each namespace has one, each account has a Secret with a token, and each pod runs as one.

import { mountChecks, mountSetups } from './serviceAccounts/mounts.js';
import { podChecks, podSetups } from './serviceAccounts/pods.js';
import { processChecks, processSetups } from './serviceAccounts/processes.js';
import { endChecks, endSetups } from './serviceAccounts/revocation.js';
import { secretChecks, secretSetups } from './serviceAccounts/secrets.js';
import { tokenChecks, tokenSetups } from './serviceAccounts/tokens.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'serviceAccounts',
  {
    ...podSetups,
    ...secretSetups,
    ...tokenSetups,
    ...endSetups,
    ...mountSetups,
    ...processSetups,
  },
  { ...podChecks, ...secretChecks, ...tokenChecks, ...endChecks, ...mountChecks, ...processChecks },
);
