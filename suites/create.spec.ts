// Create: an object comes to be, once, under its name; a refused create leaves nothing.
import { defineChapter } from './support/chapter.js';
import { equal, fail, holds, nonEmptyString, Prerequisite, status, statusObject, success } from './support/expect.js';
import { at, brief, itemsOf, merge } from './support/json.js';
import { sampleOf } from './support/samples/index.js';
import { fill } from './support/scope.js';
import { named } from './support/validCalls.js';

const json = { 'content-type': 'application/json' };
const foreignUid = '11111111-2222-3333-4444-555555555555';

defineChapter(
  'create',
  {
    creates: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a create without a resource');
      const namespace = resource.namespaced ? await scope.namespace() : undefined;
      const name = scope.name(resource);
      const sent = merge(scope.body(resource, name, namespace), { metadata: { uid: foreignUid } });
      const path = fill(operation.path, namespace);
      const reply = await client.send({ method: 'POST', path, headers: json, body: JSON.stringify(sent) });
      const expected = {
        kind: resource.kind,
        metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels: scope.labels() },
        ...sampleOf(resource).fields,
      };
      const object = { resource, name, ...(namespace === undefined ? {} : { namespace }) };
      return { reply, name, expected, read: await scope.current(object), list: await scope.list(resource, namespace) };
    },
    generatedNames: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a create without a resource');
      const namespace = resource.namespaced ? await scope.namespace() : undefined;
      const { metadata, ...rest } = scope.body(resource, scope.name(resource), namespace);
      const prefix = `${scope.name()}-`;
      const body = JSON.stringify({
        ...rest,
        metadata: { ...Object(metadata), name: undefined, generateName: prefix },
      });
      const send = () => client.send({ method: 'POST', path: fill(operation.path, namespace), headers: json, body });
      return { first: await send(), second: await send(), prefix };
    },
    refusedCreates: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a create without a resource');
      const made = await scope.make(resource);
      const before = await scope.current(made);
      const body = JSON.stringify(merge(made.sent, { metadata: { labels: { 'kube-api-conformance/second': 'yes' } } }));
      const path = fill(operation.path, made.namespace);
      const taken = await client.send({ method: 'POST', path, headers: json, body });
      return { taken, before, after: await scope.current(made) };
    },
    namespacedCreates: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a create without a resource');
      const [here, other] = [await scope.namespace(), await scope.namespace('other')];
      const nowhere = scope.name();
      const name = scope.name(resource);
      const send = (path: string, body: unknown) =>
        client.send({ method: 'POST', path, headers: json, body: JSON.stringify(body) });
      return {
        absent: await send(fill(operation.path, nowhere), scope.body(resource, name, nowhere)),
        listedNowhere: itemsOf(await scope.list(resource, nowhere)).length,
        mismatch: await send(fill(operation.path, here), scope.body(resource, name, other)),
        madeHere: named(await scope.list(resource, here), name).length,
        madeThere: named(await scope.list(resource, other), name).length,
      };
    },
  },
  {
    answer: ({ reply, expected }) => {
      success(reply);
      holds(reply.value(), expected, reply.request);
    },
    'effect-read': ({ reply, read, expected }) => {
      if (read === undefined) fail(`${reply.request}: a read after it is 404`);
      holds(read, expected, `${reply.request}, then read`);
    },
    'effect-list': ({ reply, list, name }) =>
      equal(named(list, name).length, 1, `${reply.request}, then list: ${name}`),
    identity: ({ reply }) => {
      success(reply);
      for (const field of ['uid', 'resourceVersion']) {
        nonEmptyString(at(reply.value(), 'metadata', field), `${reply.request}: metadata.${field}`);
      }
      const created = String(at(reply.value(), 'metadata', 'creationTimestamp'));
      if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(created)) {
        fail(`${reply.request}: metadata.creationTimestamp is ${brief(created)}`);
      }
    },
    'own-uid': ({ reply }) => {
      success(reply);
      const uid = nonEmptyString(at(reply.value(), 'metadata', 'uid'), `${reply.request}: metadata.uid`);
      if (uid === foreignUid) fail(`${reply.request}: the uid that the client sent was taken over`);
    },
    'generated-name': ({ first, second, prefix }) => {
      const names = [first, second].map((reply) => {
        success(reply);
        return nonEmptyString(at(reply.value(), 'metadata', 'name'), `${reply.request}: metadata.name`);
      });
      for (const name of names) {
        if (!name.startsWith(prefix) || name === prefix) fail(`${first.request}: ${name} does not continue ${prefix}`);
      }
      if (names[0] === names[1]) fail(`${first.request}: both creates made ${names[0]}`);
    },
    'taken-name': ({ taken, before, after }) => {
      status(taken, 409);
      statusObject(taken, 'AlreadyExists');
      if (before === undefined) throw new Prerequisite('the first object could not be read');
      const same = (field: string): void =>
        equal(
          at(after, 'metadata', field),
          String(at(before, 'metadata', field)),
          `${taken.request}: metadata.${field}`,
        );
      same('name');
      same('uid');
      // Controllers may change the rest of it meanwhile, such as the taints of a node; the label is this create's own.
      const second = at(after, 'metadata', 'labels', 'kube-api-conformance/second');
      if (second !== undefined) fail(`${taken.request}: it was refused, and its label is on the first object`);
      holds(at(after, 'metadata', 'labels') ?? {}, at(before, 'metadata', 'labels') ?? {}, `${taken.request}: labels`);
    },
    'absent-namespace': ({ absent, listedNowhere }) => {
      status(absent, 404);
      equal(listedNowhere, 0, `${absent.request}: objects in the absent namespace`);
    },
    'namespace-mismatch': ({ mismatch, madeHere, madeThere }) => {
      status(mismatch, 400);
      equal(madeHere + madeThere, 0, `${mismatch.request}: objects that were made`);
    },
  },
);
