// The samples of all groups.
import { type Resource, resourceId } from '../../../../matrix/api/index.js';
import { autoscaling } from './autoscaling.js';
import { batch } from './batch.js';
import { core } from './core.js';
import { extensions } from './extensions.js';
import type { Sample } from './sample.js';

const groups: Readonly<Record<string, Readonly<Record<string, Sample>>>> = { autoscaling, batch, core, extensions };

/** Returns the sample of a resource. If there is none, throws with the name of the table to add it to. */
export function sampleOf(resource: Resource): Sample {
  const group = resource.groupVersion.group || 'core';
  const sample = groups[group]?.[resource.plural];
  if (sample === undefined) {
    throw new Error(`no sample of ${resourceId(resource)}: add a row to suites/support/objects/samples/${group}.ts`);
  }
  return sample;
}
