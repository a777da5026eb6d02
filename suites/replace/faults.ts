// Servers that replace objects wrongly.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { drop, parsed, set } from '../testing/faults/wire/objects.js';
import { shown } from '../testing/faults/wire/replies.js';
import { instead, ok, sent, sentText, withBody } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('replace', [
  fault('overwrites with a stale resourceVersion', 'stale in configmaps', [sent('PUT', drop('metadata.resourceVersion'))]),
  fault(
    'reports a replace and does not do it',
    `responses.body-carried responses.media-type responses.request-understood errors.not-acceptable errors.refused-changes-nothing errors.unauthenticated
     errors.unauthenticated-status errors.unsupported-media-type list.same-name absent effect-list effect-read identity name-mismatch
     other-uid stale in /configmaps`,
    [instead(['PUT', withBody(/^\{/)], ({ body }) => ok(parsed(body)))],
  ),
  fault('keeps the old data in a replace', 'answer effect-list effect-read in replace.*/configmaps', [
    sent('PUT ConfigMap', set('data', { colour: 'green', 'file.txt': 'two\nlines\n' })),
  ]),
  fault('keeps the old spec in a replace', 'answer effect-list effect-read in replace.*/services', [
    sent('PUT Service', set('spec.selector', { app: 'conformance' })),
  ]),
  fault('merges the annotations of a replace into the old ones', 'answer effect-list effect-read in replace.*/secrets', [
    sent('PUT Secret', set('metadata.annotations.kube-api-conformance/left-out', 'yes')),
  ]),
  fault('stores every character beyond ASCII of a replace as "?"', 'answer effect-list effect-read in replace.*/configmaps', [
    sentText('PUT', (body) => body.replace(/[^\x20-\x7e]/gu, '?')),
  ]),
  fault('answers a replace with what was there before', 'answer › PUT …/configmaps', [shown('PUT', drop('metadata.labels'))]),
]);
