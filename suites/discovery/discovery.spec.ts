// Discovery: a server lists the resources that it serves, and the entries are true.

import { apiVersionOf } from '../../matrix/api/index.js';
import { servedVersion } from '../client/aliases.js';
import { equal, fail, holds, nonEmptyString, success } from '../client/expect.js';
import { at } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { listsResources, listsVerbs, readComplete } from './complete.js';
import { entryOf, hasItsEntries } from './entries.js';
import { isReadable, readDocument } from './openApiDocuments.js';
import { isRoot, readRoot } from './roots.js';

defineChapter('discovery', [
  group({
    subjects: 'openApiDocuments',
    setup: readDocument,
    checks: { openapi: (record) => isReadable(record) },
  }),
  group({
    subjects: 'discoveries',
    setup: async ({ operation }, { client }) => {
      const reply = await client.send({ method: 'GET', path: operation.path });
      return { reply, groupVersion: apiVersionOf(operation.groupVersion) };
    },
    checks: {
      'group-version': ({ reply, groupVersion }) => {
        success(reply);
        holds(reply.value(), { kind: 'APIResourceList', groupVersion }, reply.request);
      },
      names: ({ reply }) => {
        success(reply);
        const entries = at(reply.value(), 'resources');
        if (!Array.isArray(entries) || entries.length === 0) fail(`${reply.request}: no resources`);
        const seen = new Set<string>();
        for (const entry of entries as readonly unknown[]) {
          const name = nonEmptyString(at(entry, 'name'), `${reply.request}: name of an entry`);
          nonEmptyString(at(entry, 'kind'), `${reply.request}: kind of ${name}`);
          equal(typeof at(entry, 'namespaced'), 'boolean', `${reply.request}: type of namespaced of ${name}`);
          if (seen.has(name)) fail(`${reply.request}: ${name} is listed twice`);
          seen.add(name);
        }
      },
    },
  }),
  group({
    subjects: 'completeDiscoveries',
    setup: ({ operation }, context) => readComplete(operation.groupVersion, context),
    checks: { complete: (record) => listsResources(record), verbs: (record) => listsVerbs(record) },
  }),
  group({
    subjects: 'discoveredResources',
    setup: async ({ operation }, { client }) => {
      const reply = await client.send({ method: 'GET', path: operation.groupVersion.prefix });
      const resource = resourceOf(operation);
      const served = servedVersion(client.target.aliases, apiVersionOf(resource.groupVersion), resource.kind);
      return { reply, resource, served };
    },
    checks: {
      resource: ({ reply, resource }) => {
        success(reply);
        if (entryOf(reply, resource) === undefined) fail(`${reply.request}: ${resource.plural} is not listed`);
      },
      'resource-fields': ({ reply, resource, served }) => hasItsEntries(reply, resource, served),
    },
  }),
  group({
    subjects: 'discoveryRoots',
    setup: readRoot,
    checks: { roots: (record) => isRoot(record) },
  }),
]);
