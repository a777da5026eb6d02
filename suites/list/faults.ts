// Servers whose lists have wrong objects or a wrong form.
import { fault, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { all, drop, emptied, inEach, items, set, twice, valueAt, where } from '../testing/faults/wire/objects.js';
import { listed, shown } from '../testing/faults/wire/replies.js';
import { every, nameOf, refuseGone, reroute } from '../testing/faults/wire/requests.js';

const configMaps = 'GET …/configmaps';
const oneOfEachName = items((all) => [...new Map(all.map((item) => [valueAt(item, 'metadata.name'), item])).values()]);

export const faults = faultsOfEveryKind('list', [
  fault('lists every namespace when asked for one', 'create.absent-namespace same-name scope in /configmaps', [
    reroute('GET', /\/namespaces\/[^/]+(?=\/configmaps(\?|$))/, ''),
  ]),
  fault('puts the type into every item', 'items-untyped in list.*/configmaps', [
    shown(every, inEach('items', all(set('kind', 'X'), set('apiVersion', 'v1')))),
  ]),
  fault('lists without a resourceVersion', 'empty resource-version in list.*/configmaps', [listed(set('metadata', {}))]),
  fault('knows objects by their names alone when it lists all', 'same-name › GET /api/v1/configmaps', [shown(every, oneOfEachName)]),
  fault('deletes every object of a name, wherever it is', `same-name › ${configMaps}`, [refuseGone('GET', 404, nameOf)]),
  fault('lists nothing as null', `empty › ${configMaps}`, [listed(where('items.0', undefined, set('items', null)))]),
  fault(
    'lists every object twice',
    `contains same-name scope create.effect-list create.name-length replace.effect-list responses.clauses responses.long-query
     responses.query responses.repeated-parameter in /configmaps`,
    [listed(twice)],
  ),
  fault('lists items without their data', 'content in list.content', [shown(every, drop('items.*.spec'))]),
  fault('has no components', 'component-statuses', [listed(emptied)]),
]);
