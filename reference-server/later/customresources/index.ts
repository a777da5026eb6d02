// Custom resources as an addon: definitions, their admission, and the resources that they make.
import { resourceId } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Addon } from '../../addons.js';
import type { Plugin } from '../../admission/plugin.js';
import { invalid } from '../../errors.js';
import { doInTurns } from '../../turns.js';
import { CustomResources } from './customResources.js';
import { definitionsId } from './definition.js';
import { definitionStrategy } from './definitionStrategy.js';

/** The rules that need the whole schema. Their code is loaded when the first definition comes. */
const definitionAdmission: Plugin = {
  resources: [definitionsId],
  updatesOf: [definitionsId],
  async validate({ resource, object, before }) {
    const { causesOf } = await import('./definitionRules.js');
    const causes = await doInTurns(causesOf(object, before));
    if (causes.list.length === 0) return;
    const { groupVersion, kind } = resource;
    throw invalid({ group: groupVersion.group, kind }, object.metadata.name ?? '', causes.list);
  },
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
