// The samples of all groups.

import type { FoundTraits } from '../../../matrix/api/index.js';
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import { Prerequisite } from '../../client/expect.js';
import { at, type JsonObject } from '../../client/json.js';
import { placed } from '../kinds/wellKnown.js';
import { autoscaling } from './autoscaling.js';
import { batch } from './batch.js';
import { core } from './core.js';
import { extensions, inSelectorAndTemplate } from './extensions.js';
import type { Sample } from './sample.js';

const groups: Readonly<Record<string, Readonly<Record<string, Sample>>>> = { autoscaling, batch, core, extensions };

/** Returns the sample of a resource. If there is none, throws with the name of the table to add it to. */
export function sampleOf(resource: Resource): Sample {
  if (resource.found !== undefined) return foundSample(resource.found);
  const group = resource.groupVersion.group || 'core';
  const sample = groups[group]?.[resource.plural];
  if (sample === undefined) {
    throw new Error(`no sample of ${resourceId(resource)}: add a row to suites/objects/samples/${group}.ts`);
  }
  return sample;
}

/** Returns the sample of a kind that only the target knows. Throws Prerequisite if no valid object could be made. */
function foundSample({ sample, sampleIn, status, blocked }: FoundTraits): Sample {
  if (sample === undefined) throw new Prerequisite(`no valid object: ${blocked ?? 'there is no sample'}`);
  const fields = sample as JsonObject;
  return {
    fields,
    ...(sampleIn !== undefined && { fieldsIn: (namespace: string) => placed(sampleIn as JsonObject, namespace) }),
    ...(status !== undefined && { status: status as JsonObject }),
    ...(selectsPods(fields) && { ownLabel: inSelectorAndTemplate }),
  };
}

/** Reports whether objects with these fields select the pods of their template. */
const selectsPods = (fields: JsonObject): boolean =>
  at(fields, 'spec', 'selector', 'matchLabels') !== undefined &&
  at(fields, 'spec', 'template', 'metadata', 'labels') !== undefined;
