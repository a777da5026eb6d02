// Servers whose discovery differs from their resources.
import { conformant, fault, faultsOf, faultsOfEveryKind, notConformant } from '../testing/faults/wire/fault.js';
import { drop, dropItems, set } from '../testing/faults/wire/objects.js';
import { shown, shownText } from '../testing/faults/wire/replies.js';
import { every, refuse } from '../testing/faults/wire/requests.js';

const openApi = [
  fault('fails for its OpenAPI document', 'openapi', [conformant, refuse(/ \/openapi\/v2$/, 500)]),
  fault('fails for the index of its OpenAPI documents', 'openapi', [refuse(/ \/openapi\/v3$/, 500)]),
  fault('fails for the documents of its OpenAPI index', 'openapi', [refuse(/ \/openapi\/v3\//, 503)]),
  fault('announces an OpenAPI document that it does not have', 'openapi', [refuse(/ \/openapi\/v2$/, 404)]),
  fault('cuts its OpenAPI document', 'openapi', [shownText(/ \/openapi\/v2$/, (body) => body.slice(0, body.length / 2))]),
  fault('describes no path in its OpenAPI document', 'openapi', [shown(every, set('paths', {}))]),
];

export const faults = [
  ...faultsOf('discovery', openApi),
  ...faultsOfEveryKind('discovery', [
    fault('does not list a resource that it serves', 'resource', [notConformant, shown(every, dropItems('resources', 'name', 'pods'))]),
    fault('lists resources without their scope', 'names resource-fields in discovery.', [shown(every, drop('resources.*.namespaced'))]),
    fault('names the group version of discovery wrongly, and no version of itself', 'group-version roots in discovery.', [
      shown(every, drop('groupVersion', 'gitVersion')),
    ]),
    fault('leaves a kind that it serves out of discovery', 'complete resource in discovery.', [
      shown(every, dropItems('resources', 'kind', 'ConfigMap')),
    ]),
    fault('has no discovery of a group that it serves', 'complete › GET /apis/batch/v1', [refuse(/ \/apis\/batch\/v1$/, 404)]),
  ]),
];
