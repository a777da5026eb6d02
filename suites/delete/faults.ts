// Servers that delete nothing, or more than the requested object.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { drop } from '../testing/faults/wire/objects.js';
import { after, shown } from '../testing/faults/wire/replies.js';
import { swallow } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('delete', [
  fault(
    'reports a delete and does not do it',
    `responses.media-type responses.request-understood absent create.name-length effect-list effect-read without-options errors.not-acceptable
     errors.unauthenticated errors.unauthenticated-status list.same-name in /configmaps`,
    [swallow(/^DELETE .*\/configmaps\//)],
  ),
  fault('empties the other objects on a delete', 'spares-others › DELETE …/configmaps', [
    after(/^DELETE .*\/configmaps\//, shown('ConfigMap', drop('data'))),
  ]),
]);
