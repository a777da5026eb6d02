// Servers whose discovery differs from their resources.
import { fault, faultsOfEveryKind, notConformant } from '../testing/faults/wire/fault.js';
import { drop, dropItems } from '../testing/faults/wire/objects.js';
import { shown } from '../testing/faults/wire/replies.js';
import { every, refuse } from '../testing/faults/wire/requests.js';

export const faults = faultsOfEveryKind('discovery', [
  fault('does not list a resource that it serves', 'resource', [notConformant, shown(every, dropItems('resources', 'name', 'pods'))]),
  fault('lists resources without their scope', 'names resource-fields in discovery.', [shown(every, drop('resources.*.namespaced'))]),
  fault('names the group version of discovery wrongly, and no version of itself', 'group-version roots in discovery.', [
    shown(every, drop('groupVersion', 'gitVersion')),
  ]),
  fault('leaves a kind that it serves out of discovery', 'complete resource in discovery.', [
    shown(every, dropItems('resources', 'kind', 'ConfigMap')),
  ]),
  fault('has no discovery of a group that it serves', 'complete › GET /apis/batch/v1', [refuse(/ \/apis\/batch\/v1$/, 404)]),
]);
