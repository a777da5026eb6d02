// The parts of the API beside plain objects, present or absent: users, bindings, components, third-party resources.

import { clientError, equal, fail, holds, oneOf, status, statusObject, success } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { withLabel } from '../objects/callParts.js';
import { events } from '../objects/related.js';
import { objectsNamed } from '../objects/validCalls.js';
import { sendBody } from '../objects/writes.js';
import { group } from '../run/group.js';

const healthy = (component: JsonObject): JsonObject | undefined =>
  itemsOf({ items: component.conditions }).find(({ type }) => type === 'Healthy');

export const besideGroups = [
  group({
    subjects: 'clusterScopedKinds',
    setup: async ({ operation }, { client, sandbox }) => {
      const { groupVersion, resource } = operation;
      const path = `${groupVersion.prefix}/namespaces/${await sandbox.namespace()}/${resource?.plural}`;
      return { reply: await client.send({ method: 'GET', path }) };
    },
    checks: { 'cluster-scope': ({ reply }) => status(reply, 404) },
  }),
  group({
    subjects: 'userDiscoveries',
    setup: async ({ operation }, { client }) => ({
      reply: await client.send({ method: 'GET', path: operation.path }),
    }),
    checks: {
      'no-user-object': ({ reply }) => {
        success(reply);
        const entries = itemsOf({ items: at(reply.value(), 'resources') });
        if (entries.length === 0) fail(`${reply.request}: discovery lists nothing`);
        const users = entries.filter(({ name, kind }) => String(name).split('/')[0] === 'users' || kind === 'User');
        equal(users.length, 0, `${reply.request}: entries for normal users`);
      },
    },
  }),
  group({
    subjects: 'userCreates',
    setup: async ({ variant = '' }, { client, sandbox }) => {
      const path = fill(variant.replace('POST ', ''), await sandbox.namespace());
      const name = sandbox.name();
      const prefix = path.split('/namespaces/')[0]?.replace('/users', '') ?? '';
      const apiVersion = prefix.replace(/^\/apis?\//, '');
      const body = { apiVersion, kind: 'User', metadata: { name }, groups: ['some-group'] };
      const reply = await sendBody(sandbox, 'POST', path, body);
      return { reply, read: await client.send({ method: 'GET', path: `${path}/${name}` }) };
    },
    checks: {
      'no-user-create': ({ reply, read }) => {
        clientError(reply);
        clientError(read);
      },
    },
  }),
  group({
    subjects: 'bindingMethods',
    setup: async ({ operation, variant = '' }, { client, sandbox }) => {
      const path = fill(operation.path, await sandbox.namespace());
      const patch = { 'content-type': 'application/merge-patch+json' };
      const json = { 'content-type': 'application/json' };
      const body = variant === 'GET' ? {} : { body: '{}', headers: variant === 'PATCH' ? patch : json };
      return { reply: await client.send({ method: variant, path, ...body }) };
    },
    checks: { 'bindings-created-only': ({ reply }) => status(reply, 404, 405) },
  }),
  group({
    subjects: 'ordinaryEvents',
    setup: async (_, { sandbox }) => {
      const made = await sandbox.make(events);
      const read = await sandbox.current(made);
      const list = await sandbox.list(events, made.namespace);
      const reply = await sandbox.put(made, (object) => merge(withLabel(object, 'replaced'), { count: 2 }));
      return { made, read, list, reply, replaced: await sandbox.current(made) };
    },
    checks: {
      'event-is-ordinary': ({ made, read, list, reply, replaced }) => {
        const { apiVersion: _, kind: __, ...sent } = made.sent;
        holds(read, made.sent, 'the event, read');
        const items = objectsNamed(list, made.name);
        equal(items.length, 1, `list of events: items named ${made.name}`);
        holds(items[0], sent, 'list of events: the event');
        success(reply);
        holds(replaced, { ...sent, count: 2, metadata: { name: made.name } }, `${reply.request}, then read`);
      },
    },
  }),
  group({
    subjects: 'componentConditions',
    setup: async ({ operation }, { client }) => ({
      reply: await client.send({ method: 'GET', path: operation.path }),
    }),
    checks: {
      'component-condition': ({ reply }) => {
        status(reply, 200);
        const components = itemsOf(reply.value());
        if (components.length === 0) fail(`${reply.request}: no component is listed`);
        for (const component of components) {
          const what = `${reply.request}: the Healthy condition of ${brief(at(component, 'metadata', 'name'))}`;
          oneOf(healthy(component)?.status, ['True', 'False', 'Unknown'], what);
        }
      },
    },
  }),
  group({
    subjects: 'absentComponents',
    setup: async ({ operation }, { client, sandbox }) => {
      const name = sandbox.name();
      return { name, reply: await client.send({ method: 'GET', path: fill(operation.path, undefined, name) }) };
    },
    checks: {
      'component-absent': ({ reply, name }) => {
        clientError(reply);
        const message = String(at(reply.value(), 'message'));
        if (!message.includes(name))
          fail(`${reply.request}: the message does not name the component: ${brief(message)}`);
      },
    },
  }),
  group({
    subjects: 'thirdParties',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const name = sandbox.name(resource);
      const described = { description: 'said by a check', versions: [{ name: 'v1' }, { name: 'v2beta1' }] };
      const body = merge(sandbox.body(resource, name, undefined), described);
      const reply = await sendBody(sandbox, 'POST', operation.path, body);
      const read = await sandbox.current({ resource, name });
      return { reply, described, read, items: objectsNamed(await sandbox.list(resource, undefined), name) };
    },
    checks: {
      'third-party-stored': ({ reply, described, read, items }) => {
        success(reply);
        holds(read, described, `${reply.request}, then read`);
        equal(items.length, 1, `${reply.request}, then list: items of that name`);
        holds(items[0], described, `${reply.request}, then list`);
      },
    },
  }),
  group({
    subjects: 'thirdPartyDomains',
    setup: async ({ operation, variant }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const name = sandbox.name() + (variant === 'no domain' ? '' : '.example');
      const reply = await sendBody(sandbox, 'POST', operation.path, sandbox.body(resource, name, undefined));
      const path = pathTo(resource, 'read', undefined, name);
      return { reply, read: await client.send({ method: 'GET', path }) };
    },
    checks: {
      'third-party-name': ({ reply, read }) => {
        status(reply, 422);
        statusObject(reply, 'Invalid');
        const field = at(reply.value(), 'details', 'causes', 0, 'field');
        equal(field, 'metadata.name', `${reply.request}: the field of its cause`);
        status(read, 404);
      },
    },
  }),
];
