// The samples of all groups.

import { type FoundTraits, type Resource, resourceId } from '../../../matrix/api/index.js';
import { Prerequisite } from '../../client/expect.js';
import { at, type JsonObject, merge } from '../../client/json.js';
import { withNamespace } from '../kinds/wellKnown.js';
import { core } from './core.js';
import { wholePodSpec, zerosTemplate } from './podSpecs.js';
import type { Sample } from './sample.js';
import { autoscaling, batch, extensions, inSelectorAndTemplate } from './workloads.js';

const groups: Readonly<Record<string, Readonly<Record<string, Sample>>>> = { autoscaling, batch, core, extensions };

/** Returns the sample of a resource. If there is none, throws with the name of the table to add it to. */
export function sampleOf(resource: Resource): Sample {
  if (resource.found !== undefined) return foundSample(resource.found);
  const sample = rowOf(resource);
  if (sample === undefined) {
    throw new Error(`no sample of ${resourceId(resource)}: add a row in suites/objects/samples`);
  }
  return sample;
}

/** Reports whether there are objects of a resource that a client makes and reads: there are none of a Binding. */
export const hasSample = (resource: Resource): boolean => resource.found !== undefined || rowOf(resource) !== undefined;

const rowOf = ({ groupVersion, plural }: Resource): Sample | undefined =>
  groups[groupVersion.group || 'core']?.[plural];

/**
 * Returns what makes the sample of a resource a rich one: the change of a replace, which a create takes too, and what
 * only a create may set. Nothing for a kind that only the target knows: no schema says that its other spec is valid.
 */
export function richnessOf(resource: Resource): JsonObject {
  if (resource.found !== undefined) return {};
  const { replaced, created = {} } = sampleOf(resource);
  return merge(replaced, created);
}

/**
 * The same with every field of its pods, in which no pod runs. The policies of some clusters refuse it. A template full
 * of zeros stays as it is.
 */
export function wholenessOf(resource: Resource): JsonObject {
  const rich = richnessOf(resource);
  const template = at(rich, 'spec', 'template');
  const hasOther = template !== undefined && template !== zerosTemplate;
  return hasOther ? merge(rich, { spec: { template: { spec: wholePodSpec } } }) : rich;
}

/** Returns the sample of a kind that only the target knows. Throws Prerequisite if no valid object could be made. */
function foundSample({ sample, sampleIn, status, otherSpec, blocked }: FoundTraits): Sample {
  if (sample === undefined) throw new Prerequisite(`no valid object: ${blocked ?? 'there is no sample'}`);
  const fields = sample as JsonObject;
  return {
    fields,
    // no schema says whether the field may change: see the chapter replace
    replaced: otherSpec === undefined ? {} : { spec: otherSpec as JsonObject },
    ...(sampleIn !== undefined && {
      fieldsIn: (namespace: string) => withNamespace(sampleIn as JsonObject, namespace),
    }),
    ...(status !== undefined && { status: status as JsonObject }),
    ...(selectsPods(fields) && { ownLabel: inSelectorAndTemplate }),
  };
}

const selectsPods = (fields: JsonObject): boolean =>
  at(fields, 'spec', 'selector', 'matchLabels') !== undefined &&
  at(fields, 'spec', 'template', 'metadata', 'labels') !== undefined;
