// The parts of the API beside plain objects, present or absent: users, bindings, components, third-party resources.
import type { OperationSubject, Subject } from '../../matrix/requirements/index.js';
import { clientError, equal, fail, holds, oneOf, status, statusObject, success } from '../support/http/expect.js';
import { at, brief, itemsOf, type JsonObject, merge } from '../support/http/json.js';
import { fill, pathTo, resourceOf } from '../support/http/paths.js';
import { withLabel } from '../support/objects/callParts.js';
import { events } from '../support/objects/related.js';
import { named } from '../support/objects/validCalls.js';
import { sendBody } from '../support/objects/writes.js';
import type { Recorded } from '../support/run/group.js';
import type { Context } from '../support/run/worker.js';

export const besideSetups = {
  clusterScopedKinds: async ({ operation }: OperationSubject, { client, sandbox }: Context) => {
    const { groupVersion, resource } = operation;
    const path = `${groupVersion.prefix}/namespaces/${await sandbox.namespace()}/${resource?.plural}`;
    return { reply: await client.send({ method: 'GET', path }) };
  },
  userDiscoveries: async ({ operation }: OperationSubject, { client }: Context) => ({
    reply: await client.send({ method: 'GET', path: operation.path }),
  }),
  userCreates: async ({ variant = '' }: Subject, { client, sandbox }: Context) => {
    const path = fill(variant.replace('POST ', ''), await sandbox.namespace());
    const name = sandbox.name();
    const prefix = path.split('/namespaces/')[0]?.replace('/users', '') ?? '';
    const apiVersion = prefix.replace(/^\/apis?\//, '');
    const body = { apiVersion, kind: 'User', metadata: { name }, groups: ['some-group'] };
    const reply = await sendBody(sandbox, 'POST', path, body);
    return { reply, read: await client.send({ method: 'GET', path: `${path}/${name}` }) };
  },
  bindingMethods: async ({ operation, variant = '' }: OperationSubject, { client, sandbox }: Context) => {
    const path = fill(operation.path, await sandbox.namespace());
    const patch = { 'content-type': 'application/merge-patch+json' };
    const json = { 'content-type': 'application/json' };
    const body = variant === 'GET' ? {} : { body: '{}', headers: variant === 'PATCH' ? patch : json };
    return { reply: await client.send({ method: variant, path, ...body }) };
  },
  ordinaryEvents: async (_: OperationSubject, { sandbox }: Context) => {
    const made = await sandbox.make(events);
    const read = await sandbox.current(made);
    const list = await sandbox.list(events, made.namespace);
    const reply = await sandbox.put(made, (object) => merge(withLabel(object, 'replaced'), { count: 2 }));
    return { made, read, list, reply, replaced: await sandbox.current(made) };
  },
  componentConditions: async ({ operation }: OperationSubject, { client }: Context) => ({
    reply: await client.send({ method: 'GET', path: operation.path }),
  }),
  absentComponents: async ({ operation }: OperationSubject, { client, sandbox }: Context) => {
    const name = sandbox.name();
    return { name, reply: await client.send({ method: 'GET', path: fill(operation.path, undefined, name) }) };
  },
  thirdParties: async ({ operation }: OperationSubject, { sandbox }: Context) => {
    const resource = resourceOf(operation);
    const name = sandbox.name(resource);
    const described = { description: 'said by a check', versions: [{ name: 'v1' }, { name: 'v2beta1' }] };
    const body = merge(sandbox.body(resource, name, undefined), described);
    const reply = await sendBody(sandbox, 'POST', operation.path, body);
    const read = await sandbox.current({ resource, name });
    return { reply, described, read, items: named(await sandbox.list(resource, undefined), name) };
  },
  thirdPartyDomains: async ({ operation, variant }: OperationSubject, { client, sandbox }: Context) => {
    const resource = resourceOf(operation);
    const name = sandbox.name() + (variant === 'no domain' ? '' : '.example');
    const reply = await sendBody(sandbox, 'POST', operation.path, sandbox.body(resource, name, undefined));
    const path = pathTo(resource, 'read', undefined, name);
    return { reply, read: await client.send({ method: 'GET', path }) };
  },
};

type Setups = typeof besideSetups;

const healthy = (component: JsonObject): JsonObject | undefined =>
  itemsOf({ items: component.conditions }).find(({ type }) => type === 'Healthy');

export const besideChecks = {
  'cluster-scope': ({ reply }: Recorded<Setups['clusterScopedKinds']>) => status(reply, 404),
  'no-user-object': ({ reply }: Recorded<Setups['userDiscoveries']>) => {
    success(reply);
    const entries = itemsOf({ items: at(reply.value(), 'resources') });
    if (entries.length === 0) fail(`${reply.request}: discovery lists nothing`);
    const users = entries.filter(({ name, kind }) => String(name).split('/')[0] === 'users' || kind === 'User');
    equal(users.length, 0, `${reply.request}: entries for normal users`);
  },
  'no-user-create': ({ reply, read }: Recorded<Setups['userCreates']>) => {
    clientError(reply);
    clientError(read);
  },
  'bindings-created-only': ({ reply }: Recorded<Setups['bindingMethods']>) => status(reply, 404, 405),
  'event-is-ordinary': ({ made, read, list, reply, replaced }: Recorded<Setups['ordinaryEvents']>) => {
    const { apiVersion: _, kind: __, ...sent } = made.sent;
    holds(read, made.sent, 'the event, read');
    const items = named(list, made.name);
    equal(items.length, 1, `list of events: items named ${made.name}`);
    holds(items[0], sent, 'list of events: the event');
    success(reply);
    holds(replaced, { ...sent, count: 2, metadata: { name: made.name } }, `${reply.request}, then read`);
  },
  'component-condition': ({ reply }: Recorded<Setups['componentConditions']>) => {
    status(reply, 200);
    const components = itemsOf(reply.value());
    if (components.length === 0) fail(`${reply.request}: no component is listed`);
    for (const component of components) {
      const what = `${reply.request}: the Healthy condition of ${brief(at(component, 'metadata', 'name'))}`;
      oneOf(healthy(component)?.status, ['True', 'False', 'Unknown'], what);
    }
  },
  'component-absent': ({ reply, name }: Recorded<Setups['absentComponents']>) => {
    clientError(reply);
    const message = String(at(reply.value(), 'message'));
    if (!message.includes(name)) fail(`${reply.request}: the message does not name the component: ${brief(message)}`);
  },
  'third-party-stored': ({ reply, described, read, items }: Recorded<Setups['thirdParties']>) => {
    success(reply);
    holds(read, described, `${reply.request}, then read`);
    equal(items.length, 1, `${reply.request}, then list: items of that name`);
    holds(items[0], described, `${reply.request}, then list`);
  },
  'third-party-name': ({ reply, read }: Recorded<Setups['thirdPartyDomains']>) => {
    status(reply, 422);
    statusObject(reply, 'Invalid');
    const field = at(reply.value(), 'details', 'causes', 0, 'field');
    equal(field, 'metadata.name', `${reply.request}: the field of its cause`);
    status(read, 404);
  },
};
