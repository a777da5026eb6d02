// The admission of definitions: the rules that need the whole schema. Their code is loaded when the first one comes.
import type { Plugin } from '../../admission/plugin.js';
import { invalid } from '../../errors.js';
import { doInTurns } from '../../turns.js';
import { definitionsId } from './definition.js';

export const definitionAdmission: Plugin = {
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
