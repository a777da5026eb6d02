// Ephemeral containers: clients add them to a pod that runs, and can neither change nor remove them.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label } from '../../schema/formats.js';
import { equal, type KubeObject, part } from '../../schema/object.js';

const path = 'spec.ephemeralContainers';
/** The fields of containers that an ephemeral one cannot have. */
const without = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resizePolicy'] as const;

/** Checks that a new pod has no ephemeral containers. */
export function validateNoEphemeral(pod: KubeObject, causes: Causes): void {
  const { ephemeralContainers = [] } = part<ObjectOf<'PodSpec'>>(pod, 'spec');
  if (ephemeralContainers.length > 0) causes.forbidden(path, 'cannot be set on create');
}

/** Checks the ephemeral containers of an update through their subresource. */
export function validateEphemeral(next: KubeObject, current: KubeObject, causes: Causes): void {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = part<ObjectOf<'PodSpec'>>(next, 'spec');
  const names = new Set([...containers, ...initContainers].map(({ name }) => name));
  const targets = new Set(containers.map(({ name }) => name));
  for (const [index, container] of ephemeralContainers.entries()) {
    const at = `${path}[${index}]`;
    const { name = '', image, targetContainerName: target } = container;
    causes.named(`${at}.name`, name, dns1123Label);
    if (name !== '' && names.has(name)) causes.duplicate(`${at}.name`, name);
    names.add(name);
    if (!image) causes.required(`${at}.image`);
    if (target && !targets.has(target)) causes.notFound(`${at}.targetContainerName`, target);
    for (const field of without) {
      if ((container as Readonly<Record<string, unknown>>)[field] !== undefined)
        causes.forbidden(`${at}.${field}`, 'cannot be set for an Ephemeral Container');
    }
  }
  const now = new Map(ephemeralContainers.map((each) => [each.name, each]));
  for (const before of part<ObjectOf<'PodSpec'>>(current, 'spec').ephemeralContainers ?? []) {
    const after = now.get(before.name);
    const refuse = (what: string) =>
      causes.forbidden(path, `existing ephemeral containers ${JSON.stringify(before.name)} may not be ${what}`);
    if (after === undefined) refuse('removed');
    else if (!equal(after, before)) refuse('changed');
  }
}
