// Tables and metadata alone, as an addon.
import type { Addon } from '../../addons.js';
import { Tables } from './columns/index.js';
import { createRepresentations } from './form.js';

export const representations: Addon = {
  serve: ({ cluster }) => ({ representationOf: createRepresentations(new Tables(cluster?.now)) }),
};
