// Events: about an object of their own namespace.

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
};
