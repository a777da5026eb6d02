// List: every object of the scope, once, as a read returns it, and no object of another scope.

import { resources } from '../../matrix/api/index.js';
import { wireType } from '../client/decoders.js';
import { equal, fail, holds, isStill, nonEmptyString, status } from '../client/expect.js';
import { at, brief, essence, isObject, itemsOf, namesIn } from '../client/json.js';
import { fill, pathTo, resourceOf, selectingName } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { readAtRest } from '../objects/atRest.js';
import { neighbourhoodOf } from '../objects/neighbourhood.js';
import { objectsNamed } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import { defineChapter } from '../run/chapter.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { changeBesideNeighbours, changesOnlyOne, listsItsScope } from './neighbours.js';

const nothing = '?labelSelector=kube-api-conformance%2Fnothing%3Dnothing';

/** Lists with a selector that matches nothing, in a namespace in which the run creates nothing, and in one that does not exist. */
async function listNothing({ operation, mediaType }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const accept = wireType(mediaType === 'protobuf' ? 'protobuf' : 'json', client.target);
  const namespace = resource.namespaced ? await sandbox.namespace('empty') : undefined;
  const path = fill(operation.path, namespace);
  const list = (query: string): Promise<Reply> =>
    client.send({ method: 'GET', path: path + query, headers: { accept } });
  const selected = await list(nothing);
  if (!operation.path.includes('{namespace}')) return { resource, replies: [selected] };
  const fresh = await list('');
  const absent = await client.send({ method: 'GET', path: fill(operation.path, sandbox.name()), headers: { accept } });
  // Controllers may have created objects in the namespace.
  const isEmpty = itemsOf(fresh.tryValue()).length === 0;
  // A policy may let nobody into a namespace that does not exist.
  return { resource, replies: [selected, ...(isEmpty ? [fresh] : []), ...(absent.status === 403 ? [] : [absent])] };
}

/** Throws Failure unless the body is a list. In protobuf, a list without items has no bytes for them. */
function isEmptyList({ resource, replies }: Awaited<ReturnType<typeof listNothing>>): void {
  for (const reply of replies) {
    status(reply, 200);
    const body = reply.value();
    equal(at(body, 'kind'), `${resource.kind}List`, `${reply.request}: kind`);
    nonEmptyString(at(body, 'metadata', 'resourceVersion'), `${reply.request}: metadata.resourceVersion`);
    const items = at(body, 'items');
    const isEmpty = Array.isArray(items) ? items.length === 0 : items === undefined && reply.mediaType !== json;
    if (!isEmpty) fail(`${reply.request}: items is ${brief(items)}, not an empty list`);
  }
}

const json = 'application/json';
const yaml = 'application/yaml';

defineChapter('list', [
  group({
    subjects: 'lists',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const here = await sandbox.make(resource);
      const path = fill(operation.path, here.namespace);
      const send = (path: string, accept = json) => client.send({ method: 'GET', path, headers: { accept } });
      const reading = async () => {
        const reply = await send(path);
        const inYaml = await send(`${path}?${selectingName(here.name)}`, yaml);
        return {
          reply,
          read: await send(pathTo(resource, 'read', here.namespace, here.name)),
          // Whether a server has the media type at all is judged by `responses.media-type`.
          inYaml: inYaml.status === 200 && inYaml.mediaType === yaml ? inYaml : reply,
        };
      };
      return { resource, here, ...(await readAtRest(reading, versionOf(here.name))) };
    },
    checks: {
      contains: ({ reply, here }) => {
        status(reply, 200);
        equal(objectsNamed(reply.value(), here.name).length, 1, `${reply.request}: items named ${here.name}`);
      },
      content: ({ reply, here, read, inYaml }) => {
        status(reply, 200);
        const value = read.tryValue();
        for (const list of [reply, inYaml]) {
          const item = objectsNamed(list.value(), here.name)[0];
          if (item === undefined || !isObject(value)) fail(`${list.request}: ${here.name} is not both listed and read`);
          const { apiVersion: _, kind: __, ...rest } = value;
          holds(item, essence(rest), `${list.request}, ${list.mediaType}: the item against the read`);
        }
      },
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
          if ('kind' in item || 'apiVersion' in item)
            fail(`${reply.request}: an item carries its type: ${brief(item)}`);
        }
      },
      'resource-version': ({ reply, here, read }) => {
        const own = nonEmptyString(versionIn(reply.value()), `${reply.request}: metadata.resourceVersion`);
        const item = objectsNamed(reply.value(), here.name)[0];
        if (item === undefined) return;
        const version = versionIn(item);
        isStill({ before: versionIn(read.tryValue()), after: version }, `${reply.request}: resourceVersion of an item`);
        // Versions are opaque, and only numbers have an order.
        const areNumbers = [own, String(version)].every((text) => /^\d+$/.test(text));
        if (areNumbers && BigInt(own) < BigInt(String(version)))
          fail(`${reply.request}: the list is of version ${own}, and has an item of version ${String(version)}`);
      },
    },
  }),
  group({
    subjects: 'namespacedLists',
    setup: async ({ operation }, { client, sandbox }) => {
      const near = await neighbourhoodOf(sandbox, resourceOf(operation));
      const reply = await client.send({ method: 'GET', path: fill(operation.path, near.own.namespace) });
      return { reply, near, across: operation.verb === 'listAll' };
    },
    checks: { scope: listsItsScope },
  }),
  group({
    subjects: 'emptyLists',
    setup: (subject, context) => listNothing(subject, context),
    checks: { empty: (record) => isEmptyList(record) },
  }),
  group({
    subjects: 'sharedNames',
    setup: changeBesideNeighbours,
    checks: { 'same-name': changesOnlyOne },
  }),
  group({
    subjects: 'componentStatuses',
    setup: async ({ operation }, { client }) => {
      const resource = resources.find(({ plural }) => plural === 'componentstatuses') ?? fail('no componentstatuses');
      const reply = await client.send({ method: 'GET', path: pathTo(resource, 'list', undefined) });
      const names = namesIn(reply.tryValue());
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
    checks: {
      'component-statuses': ({ reply, names, reads }) => {
        status(reply, 200);
        // A server may report no component, as one whose controllers run elsewhere.
        equal(Array.isArray(at(reply.value(), 'items')), true, `${reply.request}: items is a list`);
        equal(names.includes('undefined'), false, `${reply.request}: a component without a name`);
        for (const { name, reply: read } of reads) {
          status(read, 200);
          holds(read.value(), { kind: 'ComponentStatus', metadata: { name } }, read.request);
        }
      },
    },
  }),
]);

const versionIn = (object: unknown) => at(object, 'metadata', 'resourceVersion');

/** Finds the version of an object in a list, or in a read. The list's own version changes with every other write. */
function versionOf(name: string): (reply: Reply) => string {
  return (reply) => {
    const body = reply.tryValue();
    const object = Array.isArray(at(body, 'items')) ? objectsNamed(body, name)[0] : body;
    return String(versionIn(object));
  };
}
