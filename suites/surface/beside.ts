// What there is beside the plain objects, and what there is not: users, bindings, components, third-party resources.
import type { OperationSubject, Subject } from '../../matrix/requirements/index.js';
import { withLabel } from '../support/callParts.js';
import { clientError, equal, fail, holds, oneOf, status, statusObject, success } from '../support/expect.js';
import { at, brief, itemsOf, type JsonObject, merge } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { events } from '../support/related.js';
import { fill, pathTo } from '../support/scope.js';
import { named } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import { sendBody } from '../support/writes.js';

export const besidePerformers = {
  clusterScopedKinds: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const { groupVersion, resource } = operation;
    const path = `${groupVersion.prefix}/namespaces/${await scope.namespace()}/${resource?.plural}`;
    return { reply: await client.send({ method: 'GET', path }) };
  },
  userDiscoveries: async ({ operation }: OperationSubject, { client }: Context) => ({
    reply: await client.send({ method: 'GET', path: operation.path }),
  }),
  userCreates: async ({ variant = '' }: Subject, { client, scope }: Context) => {
    const path = fill(variant.replace('POST ', ''), await scope.namespace());
    const name = scope.name();
    const prefix = path.split('/namespaces/')[0]?.replace('/users', '') ?? '';
    const apiVersion = prefix.replace(/^\/apis?\//, '');
    const body = { apiVersion, kind: 'User', metadata: { name }, groups: ['some-group'] };
    const reply = await sendBody(scope, 'POST', path, body);
    return { reply, read: await client.send({ method: 'GET', path: `${path}/${name}` }) };
  },
  bindingMethods: async ({ operation, variant = '' }: OperationSubject, { client, scope }: Context) => {
    const path = fill(operation.path, await scope.namespace());
    const patch = { 'content-type': 'application/merge-patch+json' };
    const json = { 'content-type': 'application/json' };
    const body = variant === 'GET' ? {} : { body: '{}', headers: variant === 'PATCH' ? patch : json };
    return { reply: await client.send({ method: variant, path, ...body }) };
  },
  ordinaryEvents: async (_: OperationSubject, { scope }: Context) => {
    const made = await scope.make(events);
    const read = await scope.current(made);
    const list = await scope.list(events, made.namespace);
    const reply = await scope.put(made, (object) => merge(withLabel(object, 'replaced'), { count: 2 }));
    return { made, read, list, reply, replaced: await scope.current(made) };
  },
  componentConditions: async ({ operation }: OperationSubject, { client }: Context) => ({
    reply: await client.send({ method: 'GET', path: operation.path }),
  }),
  absentComponents: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const name = scope.name();
    return { name, reply: await client.send({ method: 'GET', path: fill(operation.path, undefined, name) }) };
  },
  thirdParties: async ({ operation }: OperationSubject, { scope }: Context) => {
    const resource = operation.resource ?? fail('a create without a resource');
    const name = scope.name(resource);
    const described = { description: 'said by a check', versions: [{ name: 'v1' }, { name: 'v2beta1' }] };
    const body = merge(scope.body(resource, name, undefined), described);
    const reply = await sendBody(scope, 'POST', operation.path, body);
    const read = await scope.current({ resource, name });
    return { reply, described, read, items: named(await scope.list(resource, undefined), name) };
  },
  thirdPartyDomains: async ({ operation, variant }: OperationSubject, { client, scope }: Context) => {
    const resource = operation.resource ?? fail('a create without a resource');
    const name = scope.name() + (variant === 'no domain' ? '' : '.example');
    const reply = await sendBody(scope, 'POST', operation.path, scope.body(resource, name, undefined));
    const path = pathTo(resource, 'read', undefined, name);
    return { reply, read: await client.send({ method: 'GET', path }) };
  },
};

type Performers = typeof besidePerformers;

const healthy = (component: JsonObject): JsonObject | undefined =>
  itemsOf({ items: component.conditions }).find(({ type }) => type === 'Healthy');

export const besideChecks = {
  'cluster-scope': ({ reply }: Recorded<Performers['clusterScopedKinds']>) => status(reply, 404),
  'no-user-object': ({ reply }: Recorded<Performers['userDiscoveries']>) => {
    success(reply);
    const entries = itemsOf({ items: at(reply.value(), 'resources') });
    if (entries.length === 0) fail(`${reply.request}: discovery lists nothing`);
    const users = entries.filter(({ name, kind }) => String(name).split('/')[0] === 'users' || kind === 'User');
    equal(users.length, 0, `${reply.request}: entries for normal users`);
  },
  'no-user-create': ({ reply, read }: Recorded<Performers['userCreates']>) => {
    clientError(reply);
    clientError(read);
  },
  'bindings-created-only': ({ reply }: Recorded<Performers['bindingMethods']>) => status(reply, 404, 405),
  'event-is-ordinary': ({ made, read, list, reply, replaced }: Recorded<Performers['ordinaryEvents']>) => {
    const { apiVersion: _, kind: __, ...sent } = made.sent;
    holds(read, made.sent, 'the event, read');
    const items = named(list, made.name);
    equal(items.length, 1, `list of events: items named ${made.name}`);
    holds(items[0], sent, 'list of events: the event');
    success(reply);
    holds(replaced, { ...sent, count: 2, metadata: { name: made.name } }, `${reply.request}, then read`);
  },
  'component-condition': ({ reply }: Recorded<Performers['componentConditions']>) => {
    status(reply, 200);
    const components = itemsOf(reply.value());
    if (components.length === 0) fail(`${reply.request}: no component is listed`);
    for (const component of components) {
      const what = `${reply.request}: the Healthy condition of ${brief(at(component, 'metadata', 'name'))}`;
      oneOf(healthy(component)?.status, ['True', 'False', 'Unknown'], what);
    }
  },
  'component-absent': ({ reply, name }: Recorded<Performers['absentComponents']>) => {
    clientError(reply);
    const message = String(at(reply.value(), 'message'));
    if (!message.includes(name)) fail(`${reply.request}: the message does not name the component: ${brief(message)}`);
  },
  'third-party-stored': ({ reply, described, read, items }: Recorded<Performers['thirdParties']>) => {
    success(reply);
    holds(read, described, `${reply.request}, then read`);
    equal(items.length, 1, `${reply.request}, then list: items of that name`);
    holds(items[0], described, `${reply.request}, then list`);
  },
  'third-party-name': ({ reply, read }: Recorded<Performers['thirdPartyDomains']>) => {
    status(reply, 422);
    statusObject(reply, 'Invalid');
    const field = at(reply.value(), 'details', 'causes', 0, 'field');
    equal(field, 'metadata.name', `${reply.request}: the field of its cause`);
    status(read, 404);
  },
};
