// Nodes: they bring their status with them.

import { typeOf } from '../../../matrix/api/types/index.js';
import { decoderOf } from '../../schema/decode.js';
import { part } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';

export const nodes: Strategy = {
  initialStatus: 'given',
  defaults(draft) {
    const spec = part<{ externalID?: string }>(draft, 'spec');
    if (!spec.externalID) draft.spec = { ...spec, externalID: draft.metadata.name };
    // What a node has not said of itself is empty, not absent.
    draft.status ??= decoderOf(typeOf('NodeStatus'))({});
  },
};
