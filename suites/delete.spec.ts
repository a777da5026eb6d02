// Delete: one object goes, and only that one.
import { defineChapter } from './support/chapter.js';
import { equal, fail, holds, oneOf, status, statusObject, success } from './support/expect.js';
import { at } from './support/json.js';
import { fill } from './support/scope.js';
import { isUntouched } from './support/untouched.js';
import { leaving, named } from './support/validCalls.js';

const json = { 'content-type': 'application/json' };
const options = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1' });

defineChapter(
  'delete',
  {
    deletes: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a delete without a resource');
      const made = await scope.make(resource);
      const other = await scope.make(resource);
      const before = await scope.current(other);
      const reply = await client.send({
        method: 'DELETE',
        path: fill(operation.path, made.namespace, made.name),
        ...(operation.body === 'options' ? { headers: json, body: options } : {}),
      });
      return {
        reply,
        made,
        before,
        read: await scope.current(made),
        listed: named(await scope.list(resource, made.namespace), made.name)[0],
        after: await scope.current(other),
      };
    },
    deletesWithoutOptions: async ({ operation }, { client, scope }) => {
      const made = await scope.make(operation.resource ?? fail('a delete without a resource'));
      const reply = await client.send({ method: 'DELETE', path: fill(operation.path, made.namespace, made.name) });
      return { reply, read: await scope.current(made) };
    },
    refusedDeletes: async ({ operation }, { client, scope }) => {
      const resource = operation.resource ?? fail('a delete without a resource');
      const namespace = resource.namespaced ? await scope.namespace() : undefined;
      const name = scope.name(resource);
      return { name, absent: await client.send({ method: 'DELETE', path: fill(operation.path, namespace, name) }) };
    },
  },
  {
    answer: ({ reply, made }) => {
      success(reply);
      oneOf(at(reply.value(), 'kind'), ['Status', made.resource.kind], `${reply.request}: kind of the answer`);
      if (at(reply.value(), 'kind') === 'Status') holds(reply.value(), { status: 'Success' }, reply.request);
      else holds(reply.value(), { metadata: { name: made.name } }, reply.request);
    },
    'effect-read': ({ reply, read }) => {
      success(reply);
      if (!leaving(read)) fail(`${reply.request}, then read: the object is still there and nothing holds it`);
    },
    'effect-list': ({ reply, listed }) => {
      success(reply);
      if (!leaving(listed)) fail(`${reply.request}, then list: the object is still there and nothing holds it`);
    },
    'spares-others': ({ reply, before, after }) => {
      success(reply);
      if (before === undefined) fail('the other object could not be read before the delete');
      isUntouched(before, after, `${reply.request}: another object afterwards`);
    },
    'without-options': ({ reply, read }) => {
      success(reply);
      equal(leaving(read), true, `${reply.request}, then read: gone or on its way out`);
    },
    absent: ({ absent, name }) => {
      status(absent, 404);
      statusObject(absent, 'NotFound');
      equal(at(absent.value(), 'details', 'name'), name, `${absent.request}: details.name`);
    },
  },
);
