// Servers that replace objects wrongly.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { drop, parsed } from '../testing/faults/wire/objects.js';
import { shown } from '../testing/faults/wire/replies.js';
import { instead, ok, sent, withBody } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('replace', [
  fault('overwrites with a stale resourceVersion', 'stale in configmaps', [sent('PUT', drop('metadata.resourceVersion'))]),
  fault(
    'reports a replace and does not do it',
    `responses.media-type responses.request-understood errors.not-acceptable errors.refused-changes-nothing errors.unauthenticated
     errors.unauthenticated-status errors.unsupported-media-type list.same-name absent effect-list effect-read identity name-mismatch
     other-uid stale in /configmaps`,
    [instead(['PUT', withBody(/^\{/)], ({ body }) => ok(parsed(body)))],
  ),
  fault('answers a replace with what was there before', 'answer › PUT …/configmaps', [shown('PUT', drop('metadata.labels'))]),
]);
