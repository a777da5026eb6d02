// Servers that create other objects than the requested ones.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { drop, emptied, isGiven, set, where } from '../testing/faults/wire/objects.js';
import { listed, replace, shown } from '../testing/faults/wire/replies.js';
import { every, sent, sentText, some } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('create', [
  fault('drops the labels of what is created', 'answer effect-read in create.*/configmaps', [
    sent('POST ConfigMap', drop('metadata.labels')),
  ]),
  fault('stores every character beyond ASCII of a create as "?"', 'answer effect-read in create.*/configmaps', [
    sentText('POST', (body) => body.replace(/[^\x20-\x7e]/gu, '?')),
  ]),
  fault('creates without a uid', 'identity own-uid read.identity replace.identity in configmaps', [shown('POST', drop('metadata.uid'))]),
  fault('ignores generateName', 'generated-name › POST …/configmaps', [
    sent('POST', where('metadata.generateName', isGiven, set('metadata.name', 'always-the-same'))),
  ]),
  fault('reports conflicts as success', 'taken-name replace.stale replace.other-uid in configmaps', [
    replace(every, 409, some('ConfigMap')),
  ]),
  fault('does not list what is new', 'effect-list', [listed(emptied)]),
]);
