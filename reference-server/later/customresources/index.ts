// Custom resources as an addon: definitions, and the resources that they make.
import { resourceId } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Addon } from '../../addons.js';
import { CustomResources } from './customResources.js';
import { definitionsId } from './definition.js';
import { definitionAdmission } from './definitionAdmission.js';
import { definitionStrategy } from './definitionStrategy.js';

export const customResources: Addon = {
  feature: 'custom-resources',
  kinds: laterResources
    .filter((resource) => resourceId(resource) === definitionsId)
    .map((resource) => ({ resource, strategy: definitionStrategy })),
  partsOf({ ownRegistry: registry, served, now }) {
    const made = new CustomResources({ registry, served, now });
    return { controllers: [made.controller], admission: [definitionAdmission], start: () => made.start() };
  },
};
