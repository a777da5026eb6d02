// Servers that break the surface beside the plain objects: users, bindings, components, third-party resources.
import { fault, faultsOf, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { change, drop, set } from '../testing/faults/wire/objects.js';
import { replace, shown } from '../testing/faults/wire/replies.js';
import { every, ok, refuse, reroute, swallow } from '../testing/faults/wire/requests.js';

const user = { name: 'users', kind: 'User' };
const listsUsers = change('resources', (all) => (Array.isArray(all) ? [...all, user] : all));

export const faults = [
  ...faultsOf('surface', [
    fault('has its cluster-scoped kinds inside namespaces too', 'cluster-scope', [reroute('GET', /\/namespaces\/[^/]+\//, '/')]),
    fault('lists users in its discovery', 'no-user-object in surface.no-user', [shown(every, listsUsers)]),
    fault('adds users', 'no-user-create in surface.no-user', [swallow(/^POST .*\/users$/, { kind: 'User' })]),
    fault('lists bindings', 'bindings-created-only', [replace(every, 405, ok({ kind: 'BindingList', items: [] }))]),
    fault('shortens events', 'event-is-ordinary', [shown('Event', drop('message'))]),
    fault('says nothing of the health of its components', 'component-condition in surface.component', [
      shown('ComponentStatusList', set('items', [{ metadata: { name: 'etcd-0' }, conditions: [] }])),
    ]),
    fault('does not say which component is absent', 'component-absent in surface.component', [replace(every, 404, 404)]),
    fault('forgets the versions of a third-party resource', 'third-party-stored in surface.third-party', [
      shown('GET ThirdPartyResource', drop('versions')),
    ]),
    fault('names third-party resources as it likes', 'third-party-name in surface.third-party', [replace(every, 422, ok())]),
  ]),
  ...faultsOfEveryKind('surface', [
    fault('does not know the legacy proxy', 'served › GET /api/v1/proxy', [refuse(/ \/api\/v1\/proxy\//, 404)]),
  ]),
];
