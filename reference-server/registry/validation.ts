// The validation of an object: its metadata, and the rules of its strategy.

import type { Resource } from '../../matrix/api/index.js';
import type { Causes } from '../schema/causes.js';
import { dns1123Subdomain } from '../schema/formats.js';
import type { KubeObject } from '../schema/object.js';
import type { Steps } from '../turns.js';
import { validateFinalizersKept, validateMetadata } from './metadata.js';
import type { Strategy } from './strategy.js';
import type { Part } from './update.js';

/** Checks a new object, or the changed part of an updated one, for a request to a resource. */
export function* validateObject(
  object: KubeObject,
  before: KubeObject | undefined,
  updated: Part,
  strategy: Strategy,
  view: Resource,
  causes: Causes,
): Steps<void> {
  validateMetadata(object.metadata, strategy.name ?? dns1123Subdomain, causes);
  if (before) validateFinalizersKept(object.metadata, before.metadata, causes);
  if (updated === 'main') {
    strategy.validate?.(object, causes, view);
    if (before) strategy.validateUpdate?.(object, before, causes, view);
    else strategy.validateCreate?.(object, causes, view);
  } else if (before && updated === 'ephemeralcontainers') strategy.validateEphemeral?.(object, before, causes);
  else if (before) strategy.validateStatus?.(object, before, causes);
  if (strategy.validateSchema !== undefined) yield* strategy.validateSchema(object, before, causes, updated);
}
