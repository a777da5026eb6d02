// Servers that return other objects than they store.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { set } from '../testing/faults/wire/objects.js';
import { replace, shown } from '../testing/faults/wire/replies.js';
import { some } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('read', [
  fault('says that an absent object is there', 'absent other-namespace in GET …/configmaps/', [replace('GET', 404, some('ConfigMap'))]),
  fault(
    'gives every read another uid',
    `create.codecs create.one-state create.taken-name deleteCollection.spares-unselected list.content list.same-name identity
     replace.codecs replace.effect-read replace.identity replace.name-mismatch replace.one-state replace.other-uid
     replace.stale in configmaps`,
    [shown('GET ConfigMap', set('metadata.uid', 'another'))],
  ),
]);
