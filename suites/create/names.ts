// Names at all lengths: those that a kind may have are stored whole, and longer ones are refused.

import type { Resource } from '../../matrix/api/index.js';
import { clientError, equal, fail, nonEmptyString, success } from '../client/expect.js';
import { at, brief, type JsonObject, missing, namesIn } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { eventsAbout, eventsOf, watching } from '../client/streams/watches.js';
import { objectsNamed } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';

const headers = { 'content-type': 'application/json' };

/** Returns a name of a length: the start of a new name, and letters; with dots where a kind may have them. */
function nameOf(start: string, length: number, { plural }: Resource): string {
  const rest = plural === 'configmaps' ? `.${'b'.repeat(50)}`.repeat(5) : 'b'.repeat(64);
  return (length < start.length ? 'a' : start + rest).slice(0, length).replace(/\.$/, 'b');
}

/** Creates an object with a name of the subject's length; reads, lists, watches and deletes it. */
async function createLong({ operation, variant }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace('names');
  const before = await sandbox.list(resource, namespace);
  const name = nameOf(sandbox.name(), Number(variant), resource);
  const body = JSON.stringify(sandbox.body(resource, name, namespace));
  const reply = await client.send({ method: 'POST', path: fill(operation.path, namespace), headers, body });
  const read = await sandbox.current({ resource, name, namespace });
  const listed = objectsNamed(await sandbox.list(resource, namespace), name).length;
  const resourceVersion = String(at(before, 'metadata', 'resourceVersion'));
  const query = { resourceVersion, fieldSelector: `metadata.name=${name}` };
  const watched =
    variant === '253'
      ? await watching(client, pathTo(resource, 'list', namespace), query, async (stream) => {
          await stream.until(() => eventsAbout(name, stream).length > 0);
          return { request: stream.request, status: stream.status, names: eventsOf(stream).map((event) => event.name) };
        })
      : undefined;
  const removed = await client.send({ method: 'DELETE', path: pathTo(resource, 'delete', namespace, name) });
  return { reply, name, read, listed, watched, removed, after: await sandbox.current({ resource, name, namespace }) };
}

/** Names that are words of paths, of JSON, of programs, or of files. */
const words = 'status scale watch log proxy exec namespaces v1 true null 0 1.5 constructor x.json x.yaml'.split(' ');

/** Creates an object of each of the words; reads, lists and deletes it. Deletes no object without the labels of the run. */
async function createWords({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace('names');
  const seen = [];
  for (const name of words) {
    const body = JSON.stringify(sandbox.body(resource, name, namespace));
    const create = () => client.send({ method: 'POST', path: fill(operation.path, namespace), headers, body });
    const current = () => sandbox.current({ resource, name, namespace });
    const remove = () => client.send({ method: 'DELETE', path: pathTo(resource, 'delete', namespace, name) });
    const isOwn = (object: unknown) => missing(at(object, 'metadata', 'labels'), sandbox.labels()) === undefined;
    let reply = await create();
    if (reply.status === 409 && isOwn(await current())) {
      // An earlier try has left it.
      await remove();
      reply = await create();
    }
    const read = await current();
    const listed = objectsNamed(await sandbox.list(resource, namespace), name).length;
    const removed = isOwn(read) ? await remove() : undefined;
    seen.push({ reply, name, read, listed, removed, after: await current() });
  }
  return seen;
}

/** Sends a create with a longer name than the kind may have, and lists what is there. */
async function createTooLong({ operation, variant }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace('names') : undefined;
  const start = sandbox.name();
  const name = nameOf(start, Number(variant), resource);
  const body = JSON.stringify(sandbox.body(resource, name, namespace));
  const reply = await client.send({ method: 'POST', path: fill(operation.path, namespace), headers, body });
  const names = namesIn(await sandbox.list(resource, namespace)).filter((one) => one.startsWith(start));
  return { reply, name, names };
}

/** Sends a create with a generateName that is as long as a name may be. */
async function generateLong({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = await sandbox.namespace('names');
  const base = nameOf(sandbox.name(), 253, resource);
  const { metadata, ...rest } = sandbox.body(resource, base, namespace);
  const { name: _name, ...others } = Object(metadata) as JsonObject;
  const body = JSON.stringify({ ...rest, metadata: { ...others, generateName: base } });
  const reply = await client.send({ method: 'POST', path: fill(operation.path, namespace), headers, body });
  return { reply, base, names: namesIn(await sandbox.list(resource, namespace)) };
}

export const nameGroups = [
  group({
    subjects: 'nameLengths',
    setup: createLong,
    checks: {
      'name-length': ({ reply, name, read, listed, watched, removed, after }) => {
        success(reply);
        const what = `${reply.request}, with a name of ${name.length} characters`;
        equal(at(reply.value(), 'metadata', 'name'), name, `${what}: metadata.name`);
        equal(at(read, 'metadata', 'name'), name, `${what}, then read: metadata.name`);
        equal(listed, 1, `${what}, then list: objects of that name`);
        if (watched !== undefined) {
          equal(watched.status, 200, `${watched.request}: status`);
          if (!watched.names.includes(name)) fail(`${what}, then watch: no event of it, got ${brief(watched.names)}`);
        }
        success(removed);
        if (after !== undefined) fail(`${what}, then delete: it is still there`);
      },
    },
  }),
  group({
    subjects: 'takenWords',
    setup: createWords,
    checks: {
      'name-words': (seen) => {
        for (const { reply, name, read, listed, removed, after } of seen) {
          success(reply);
          equal(
            at(read, 'metadata', 'name'),
            name,
            `${reply.request}, with the name ${name}, then read: metadata.name`,
          );
          equal(listed, 1, `${reply.request}, with the name ${name}, then list: objects of that name`);
          if (removed === undefined) fail(`${reply.request}, with the name ${name}, then read: no label of the run`);
          success(removed);
          if (after !== undefined) fail(`${removed.request}: it is still there`);
        }
      },
    },
  }),
  group({
    subjects: 'longNames',
    setup: createTooLong,
    checks: {
      'name-too-long': ({ reply, name, names }) => {
        clientError(reply);
        equal(names.length, 0, `${reply.request}, with a name of ${name.length} characters: objects that were made`);
      },
    },
  }),
  group({
    subjects: 'longBases',
    setup: generateLong,
    checks: {
      'generated-name-length': ({ reply, base, names }) => {
        success(reply);
        const name = nonEmptyString(at(reply.value(), 'metadata', 'name'), `${reply.request}: metadata.name`);
        const what = `${reply.request}, with a generateName of ${base.length} characters`;
        if (name.length > 253) fail(`${what}: the name has ${name.length} characters`);
        const kept = [...name].findIndex((character, index) => character !== base[index]);
        if (kept < 32) fail(`${what}: expected a name that begins like it, got ${name}`);
        if (!names.includes(name)) fail(`${what}, then list: expected ${name}, got ${brief(names)}`);
      },
    },
  }),
];
