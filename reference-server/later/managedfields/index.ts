// Field management as an addon: who owns which fields, and server-side apply.
import type { Addon } from '../../addons.js';
import { managerOf } from './manager.js';
import { applyPatch } from './patchType.js';
import { fieldOwners } from './tracking.js';

export const managedFields: Addon = {
  feature: 'managed-fields',
  owners: fieldOwners,
  managerOf,
  patchType: applyPatch,
};
