// Servers that break the surface beside the plain objects: users, bindings, components, third-party resources.
import { answering, type Fault, failure, reply, without } from './parts.js';

export const surfaceFaults: readonly Fault[] = [
  {
    name: 'has its cluster-scoped kinds inside namespaces too',
    grep: 'surface.cluster-scope',
    fails: ['surface.cluster-scope'],
    request: (passing) =>
      passing.method === 'GET' ? { ...passing, path: passing.path.replace(/\/namespaces\/[^/]+\//, '/') } : passing,
  },
  {
    name: 'lists users in its discovery',
    grep: 'surface.no-user',
    fails: ['surface.no-user-object'],
    reply: answering((body) =>
      Array.isArray(body.resources)
        ? { ...body, resources: [...body.resources, { name: 'users', kind: 'User' }] }
        : body,
    ),
  },
  {
    name: 'adds users',
    grep: 'surface.no-user',
    fails: ['surface.no-user-create'],
    request: (passing) =>
      passing.method === 'POST' && passing.path.endsWith('/users') ? reply(200, { kind: 'User' }) : passing,
  },
  {
    name: 'lists bindings',
    grep: 'surface.bindings-created-only',
    fails: ['surface.bindings-created-only'],
    reply: (returning) => (returning.status === 405 ? reply(200, { kind: 'BindingList', items: [] }) : returning),
  },
  {
    name: 'shortens events',
    grep: 'surface.event-is-ordinary',
    fails: ['surface.event-is-ordinary'],
    reply: answering((body) => (body.kind === 'Event' ? without(body, 'message') : body)),
  },
  {
    name: 'says nothing of the health of its components',
    grep: 'surface.component',
    fails: ['surface.component-condition'],
    reply: answering((body) =>
      Array.isArray(body.items) && body.kind === 'ComponentStatusList'
        ? { ...body, items: [{ metadata: { name: 'etcd-0' }, conditions: [] }] }
        : body,
    ),
  },
  {
    name: 'does not say which component is absent',
    grep: 'surface.component',
    fails: ['surface.component-absent'],
    reply: (returning) => (returning.status === 404 ? failure(404, 'NotFound') : returning),
  },
  {
    name: 'forgets the versions of a third-party resource',
    grep: 'surface.third-party',
    fails: ['surface.third-party-stored'],
    reply: answering((body, { method }) =>
      method === 'GET' && body.kind === 'ThirdPartyResource' ? without(body, 'versions') : body,
    ),
  },
  {
    name: 'names third-party resources as it likes',
    grep: 'surface.third-party',
    fails: ['surface.third-party-name'],
    reply: (returning) => (returning.status === 422 ? reply(200, {}) : returning),
  },
];
