// List: every object of the scope, once, as a read shows it, and none of another scope.
import { resources } from '../matrix/api/index.js';
import { isEmptyList, listNothing } from './list/empty.js';
import { shareName, tellsApart } from './list/sharedNames.js';
import { defineChapter } from './support/chapter.js';
import { equal, fail, holds, nonEmptyString, status } from './support/expect.js';
import { at, brief, essence, itemsOf, type JsonObject } from './support/json.js';
import { fill, pathTo } from './support/scope.js';
import { named } from './support/validCalls.js';

defineChapter(
  'list',
  {
    lists: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a list without a resource');
      const here = await scope.make(resource);
      const reply = await client.send({ method: 'GET', path: fill(operation.path, here.namespace) });
      return { reply, resource, here, read: await scope.current(here) };
    },
    namespacedLists: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a list without a resource');
      const here = await scope.make(resource);
      const elsewhere = await scope.make(resource, { namespace: await scope.namespace('other') });
      const reply = await client.send({ method: 'GET', path: fill(operation.path, here.namespace) });
      return { reply, here, elsewhere, across: operation.verb === 'listAll' };
    },
    emptyLists: (subject, context) => listNothing(subject, context),
    sharedNames: (subject, context) => shareName(subject, context),
    componentStatuses: async ({ operation }, { client }) => {
      const resource = resources.find(({ plural }) => plural === 'componentstatuses') ?? fail('no componentstatuses');
      const reply = await client.send({ method: 'GET', path: pathTo(resource, 'list', undefined) });
      const names = itemsOf(reply.tryValue()).map((item) => String(at(item, 'metadata', 'name')));
      const reads = [];
      if (operation.verb === 'readPlain') {
        for (const name of names) {
          reads.push({
            name,
            reply: await client.send({ method: 'GET', path: fill(operation.path, undefined, name) }),
          });
        }
      }
      return { reply, names, reads };
    },
  },
  {
    contains: ({ reply, here }) => {
      status(reply, 200);
      equal(named(reply.value(), here.name).length, 1, `${reply.request}: items named ${here.name}`);
    },
    scope: ({ reply, here, elsewhere, across }) => {
      status(reply, 200);
      const namespaces = itemsOf(reply.value()).map((item) => at(item, 'metadata', 'namespace'));
      const strange = across ? [] : namespaces.filter((namespace) => namespace !== here.namespace);
      equal(strange.length, 0, `${reply.request}: items of other namespaces`);
      for (const { name } of across ? [here, elsewhere] : [here]) {
        equal(named(reply.value(), name).length, 1, `${reply.request}: items named ${name}`);
      }
    },
    content: ({ reply, here, read }) => {
      status(reply, 200);
      const item = named(reply.value(), here.name)[0];
      if (item === undefined || read === undefined) fail(`${reply.request}: ${here.name} is not both listed and read`);
      const { apiVersion: _, kind: __, ...rest } = read as JsonObject;
      holds(item, essence(rest), `${reply.request}: the item against the read`);
    },
    'same-name': (record) => tellsApart(record),
    empty: (record) => isEmptyList(record),
    kind: ({ reply, resource }) => {
      const { group, version } = resource.groupVersion;
      const apiVersion = group === '' ? version : `${group}/${version}`;
      holds(reply.value(), { kind: `${resource.kind}List`, apiVersion }, reply.request);
    },
    'items-untyped': ({ reply }) => {
      status(reply, 200);
      const items = itemsOf(reply.value());
      if (items.length === 0) fail(`${reply.request}: no items`);
      for (const item of items) {
        if ('kind' in item || 'apiVersion' in item) fail(`${reply.request}: an item carries its type: ${brief(item)}`);
      }
    },
    'resource-version': ({ reply }) => {
      nonEmptyString(at(reply.value(), 'metadata', 'resourceVersion'), `${reply.request}: metadata.resourceVersion`);
    },
    'component-statuses': ({ reply, names, reads }) => {
      status(reply, 200);
      if (names.length === 0) fail(`${reply.request}: no component is listed`);
      for (const { name, reply: read } of reads) {
        status(read, 200);
        holds(read.value(), { kind: 'ComponentStatus', metadata: { name } }, read.request);
      }
    },
  },
);
