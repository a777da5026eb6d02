// The samples of all groups.

import type { FoundTraits } from '../../../../matrix/api/index.js';
import { type Resource, resourceId } from '../../../../matrix/api/index.js';
import { Prerequisite } from '../../http/expect.js';
import type { JsonObject } from '../../http/json.js';
import { autoscaling } from './autoscaling.js';
import { batch } from './batch.js';
import { core } from './core.js';
import { extensions } from './extensions.js';
import type { Sample } from './sample.js';

const groups: Readonly<Record<string, Readonly<Record<string, Sample>>>> = { autoscaling, batch, core, extensions };

/** Returns the sample of a resource. If there is none, throws with the name of the table to add it to. */
export function sampleOf(resource: Resource): Sample {
  if (resource.found !== undefined) return foundSample(resource.found);
  const group = resource.groupVersion.group || 'core';
  const sample = groups[group]?.[resource.plural];
  if (sample === undefined) {
    throw new Error(`no sample of ${resourceId(resource)}: add a row to suites/support/objects/samples/${group}.ts`);
  }
  return sample;
}

/** Returns the sample of a kind that only the target knows. Throws Prerequisite if no valid object could be made. */
function foundSample({ sample, status, blocked }: FoundTraits): Sample {
  if (sample === undefined) throw new Prerequisite(`no valid object: ${blocked ?? 'there is no sample'}`);
  return { fields: sample as JsonObject, ...(status !== undefined && { status: status as JsonObject }) };
}
