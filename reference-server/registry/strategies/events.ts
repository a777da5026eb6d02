// Events: about an object of their own namespace.

import { validateLaterEvent } from '../../later/groups/strategies/events.js';
import { pathSegment } from '../../schema/formats.js';
import { part } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';

export const events: Strategy = {
  name: pathSegment,
  createOnReplace: true,
  validate(event, causes) {
    const { namespace = '' } = part<{ namespace?: string }>(event, 'involvedObject');
    const own = event.metadata.namespace;
    // Events about objects without a namespace are in `default`.
    if (namespace === own || (namespace === '' && own === 'default')) return;
    causes.invalid('involvedObject.namespace', namespace, 'does not match event.namespace');
  },
  validateCreate(event, causes, view) {
    if (view.groupVersion.group === 'events.k8s.io') validateLaterEvent(event, causes);
  },
};
