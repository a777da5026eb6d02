// Service accounts: each namespace has one, each account has a Secret with a token, and each pod runs as one.

import { defineChapter } from '../run/chapter.js';
import { mountGroups } from './mounts.js';
import { podGroups } from './pods.js';
import { processGroups } from './processes.js';
import { endGroups } from './revocation.js';
import { secretGroups } from './secrets.js';
import { tokenGroups } from './tokens.js';

defineChapter('serviceAccounts', [
  ...podGroups,
  ...secretGroups,
  ...tokenGroups,
  ...endGroups,
  ...mountGroups,
  ...processGroups,
]);
