// Nodes: clients set their status on create.

import { typeOf } from '../../../matrix/api/modern/index.js';
import { decodeValue } from '../../schema/decode.js';
import { part } from '../../schema/object.js';
import { doAll } from '../../turns.js';
import type { Strategy } from '../strategy.js';

export const nodes: Strategy = {
  initialStatus: 'given',
  defaults(object) {
    const spec = part<{ externalID?: string }>(object, 'spec');
    if (!spec.externalID) object.spec = { ...spec, externalID: object.metadata.name };
    // An absent status becomes an empty NodeStatus.
    object.status ??= doAll(decodeValue(typeOf('NodeStatus'), {}));
  },
};
