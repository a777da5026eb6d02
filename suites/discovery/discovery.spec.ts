// Discovery: a server lists the resources that it serves, and the entries are true.

import { apiVersionOf, type Resource, resources } from '../../matrix/api/index.js';
import { equal, fail, holds, nonEmptyString, success } from '../client/expect.js';
import { at, brief, isObject, type JsonObject } from '../client/json.js';
import { resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { servedRead } from '../run/served.js';
import { isReadable, readDocument } from './openApiDocuments.js';

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
    setup: async ({ operation: { groupVersion } }, { client }) => {
      const reply = await client.send({ method: 'GET', path: groupVersion.prefix });
      const names = new Set(listedIn(reply).map(({ name }) => String(name).split('/')[0]));
      const unlisted: { plural: string; served: string | undefined }[] = [];
      for (const resource of resources) {
        if (resource.groupVersion !== groupVersion || resource.stated.length === 0 || names.has(resource.plural))
          continue;
        unlisted.push({ plural: resource.plural, served: await servedRead(client, resource) });
      }
      return { reply, unlisted };
    },
    checks: {
      complete: ({ reply, unlisted }) => {
        for (const { plural, served } of unlisted) {
          if (served !== undefined) fail(`${reply.request}: ${plural} is not listed, and ${served} is served`);
        }
      },
    },
  }),
  group({
    subjects: 'discoveredResources',
    setup: async ({ operation }, { client }) => {
      const reply = await client.send({ method: 'GET', path: operation.groupVersion.prefix });
      return { reply, resource: resourceOf(operation) };
    },
    checks: {
      resource: ({ reply, resource }) => {
        success(reply);
        if (entryOf(reply, resource) === undefined) fail(`${reply.request}: ${resource.plural} is not listed`);
      },
      'resource-fields': ({ reply, resource }) => {
        const entry = entryOf(reply, resource);
        if (entry === undefined) return;
        equal(entry.namespaced, resource.namespaced, `${reply.request}: namespaced of ${resource.plural}`);
        if (!String(entry.name).includes('/'))
          equal(entry.kind, resource.kind, `${reply.request}: kind of ${resource.plural}`);
      },
    },
  }),
  group({
    subjects: 'discoveryRoots',
    setup: async ({ variant }, { client }) => {
      const path = variant?.replace('GET ', '') ?? fail('no path');
      return { reply: await client.send({ method: 'GET', path }), path };
    },
    checks: {
      roots: ({ reply, path }) => {
        success(reply);
        if (path === '/healthz') return equal(reply.bytes.toString('utf8').trim(), 'ok', `${reply.request}: body`);
        const body = reply.value();
        switch (path) {
          case '/api':
            return holds(body, { kind: 'APIVersions', versions: ['v1'] }, reply.request);
          case '/apis':
            return isGroupList(body)
              ? undefined
              : fail(`${reply.request}: no APIGroupList with names and versions: ${brief(body)}`);
          case '/version':
            nonEmptyString(at(body, 'major'), `${reply.request}: major`);
            nonEmptyString(at(body, 'minor'), `${reply.request}: minor`);
            nonEmptyString(at(body, 'gitVersion'), `${reply.request}: gitVersion`);
            return undefined;
          default:
            return holds(body, { kind: 'APIGroup', name: 'extensions' }, reply.request);
        }
      },
    },
  }),
]);

/** Returns the entry of a resource in discovery; undefined if there is none. */
function entryOf(reply: Reply, { plural, kind }: Resource): JsonObject | undefined {
  return listedIn(reply).find(({ name }) => name === plural || isScaleOnly(kind, name, plural));
}

/** Returns the entries of a resource list. */
function listedIn(reply: Reply): JsonObject[] {
  const entries = at(reply.tryValue(), 'resources');
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

/**
 * Reports whether an entry exists only for a scale: the extensions group lists replicationcontrollers for that, and
 * some servers omit the parent.
 */
function isScaleOnly(kind: string, name: unknown, plural: string): boolean {
  return kind === 'ReplicationControllerDummy' && name === `${plural}/scale`;
}

function isGroupList(body: unknown): boolean {
  const groups = at(body, 'groups');
  return (
    at(body, 'kind') === 'APIGroupList' &&
    Array.isArray(groups) &&
    groups.length > 0 &&
    groups.every(
      (group) =>
        typeof at(group, 'name') === 'string' && typeof at(group, 'preferredVersion', 'groupVersion') === 'string',
    )
  );
}
