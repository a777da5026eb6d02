// Servers that break the surface beside the plain objects: users, bindings, components, third-party resources.
import { conformant, fault, faultsOf, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { change, drop, lowerCase, set } from '../testing/faults/wire/objects.js';
import { forbidsAbsent, replace, shown } from '../testing/faults/wire/replies.js';
import { asPatch, every, failure, instead, ok, refuse, reroute, swallow, withHeader } from '../testing/faults/wire/requests.js';

const user = { name: 'users', kind: 'User' };
const listsUsers = change('resources', (all) => (Array.isArray(all) ? [...all, user] : all));

const collection = /^DELETE .*\/configmaps\//;

export const faults = [
  ...faultsOf('surface in surface.*/configmaps', [
    fault('takes HEAD for DELETE', 'other-method in surface.other-method', [instead('HEAD', () => ({ method: 'DELETE' }))]),
    fault('sends a body after a HEAD', 'other-method in surface.other-method', [
      { answersHeadWhole: true },
      instead('HEAD', () => ({ method: 'GET' })),
    ]),
    fault('empties an object for OPTIONS', 'other-method in surface.other-method', [asPatch('OPTIONS', () => ({ data: null }))]),
    fault('deletes for every method that it does not know', 'other-method in surface.other-method', [
      instead('TRACE', () => ({ method: 'DELETE' })),
    ]),
    fault('takes the method from a header', 'other-method in surface.other-method', [
      instead(withHeader('x-http-method-override', /./), ({ headers }) => ({ method: headers['x-http-method-override'] ?? '' })),
    ]),
    fault('takes an encoded slash for a slash, and climbs', 'almost-name in surface.almost-name', [
      instead([collection, /%2F/], ({ path }) => ({ path: new URL(path.replaceAll('%2F', '/'), 'http://any').pathname })),
    ]),
    fault('decodes a path twice, and climbs', 'almost-name in surface.almost-name', [
      instead([collection, /%252F/], ({ path }) => ({ path: new URL(path.replaceAll('%252F', '/'), 'http://any').pathname })),
    ]),
    fault('ends a name at a zero byte', 'almost-name in surface.almost-name', [reroute(collection, '%00', '')]),
    fault('trims names', 'almost-name in surface.almost-name', [reroute(collection, '%20', '')]),
    fault('deletes without regard to case', 'almost-name in surface.almost-name', [
      instead(collection, ({ path }) => ({ path: path.replace(/[^/]+$/, lowerCase) })),
    ]),
    fault('drops a parameter of the path', 'almost-name in surface.almost-name', [reroute(collection, /;.*/, '')]),
    fault('does not decode names', 'escaped-name', [conformant, reroute(/^GET .*\/configmaps\/%/, /%/g, '%25')]),
  ]),
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
    fault('asks admission about the Pod of a connection first', ' in surface.served › GET …/pods/{name}/exec', [
      forbidsAbsent(/\/exec(\?|$)/),
    ]),
    fault('names third-party resources as it likes', 'third-party-name in surface.third-party', [replace(every, 422, ok())]),
  ]),
  ...faultsOfEveryKind('surface', [
    fault('does not know the legacy proxy', 'served › GET /api/v1/proxy', [refuse(/ \/api\/v1\/proxy\//, 404)]),
    fault('does not know the legacy proxy, and names its path', 'served › GET /api/v1/proxy', [
      instead(/ \/api\/v1\/proxy\//, ({ path }) => ({
        ...failure(404),
        body: JSON.stringify({ kind: 'Status', status: 'Failure', code: 404, message: `no route for ${path}` }),
      })),
    ]),
  ]),
];
