// Custom resources as an addon: definitions, their admission, and the resources that they make.
import { resourceId } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Addon } from '../../addons.js';
import type { Plugin } from '../../admission/plugin.js';
import { CustomResources } from './customResources.js';
import { definitionsId } from './definition.js';
import { definitionStrategy } from './definitionStrategy.js';
import { admit } from './validDefinitions.js';

/** The rules that need the whole schema. */
const definitionAdmission: Plugin = {
  resources: [definitionsId],
  updatesOf: [definitionsId],
  validate: ({ resource: { groupVersion, kind }, object, before }) =>
    admit({ group: groupVersion.group, kind }, object, before),
};

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
