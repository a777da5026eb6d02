// Servers that delete the wrong objects of a collection.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { reroute } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('deleteCollection', [
  fault(
    'ignores the selector of a delete-collection',
    `responses.status responses.media-type responses.body-decodes responses.body-fields responses.body-kind responses.body-schema answer
     effect-selected spares-other-namespaces spares-unselected errors.not-acceptable in /configmaps`,
    [reroute(/^DELETE .*\/configmaps(\?|$)/, /\?.*/, '')],
  ),
]);
