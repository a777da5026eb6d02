// Create: an object is created once, with its name; a refused create has no effect.

import { defined } from '../../matrix/api/index.js';
import { equal, fail, holds, nonEmptyString, status, success, Unchecked } from '../client/expect.js';
import { at, brief, itemsOf, type JsonObject, merge } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { refusesPrivileged, refusingPolicy } from '../client/reply.js';
import { hostileMetadata } from '../objects/callParts.js';
import {
  boundMetadata,
  checksOfPlaces,
  isRefused,
  isUntouched,
  makerAtRest,
  observeEverywhere,
  observeVain,
  type SeenEverywhere,
  versionOf,
} from '../objects/effects/index.js';
import { namesObject } from '../objects/refused.js';
import { namespaces } from '../objects/related.js';
import { richnessOf, wholenessOf } from '../objects/samples/index.js';
import { ownManager } from '../objects/unchanged.js';
import { objectsNamed } from '../objects/validCalls.js';
import { sendBody } from '../objects/writes.js';
import { defineChapter } from '../run/chapter.js';
import { group } from '../run/group.js';
import { largeGroups } from './large.js';
import { nameGroups } from './names.js';
import { raceGroups } from './races.js';
import { createUnset, isCreatedUnset } from './unset.js';

const json = { 'content-type': 'application/json' };
/** Metadata of another object, which only the server sets. */
const foreign: JsonObject = {
  uid: '11111111-2222-3333-4444-555555555555',
  creationTimestamp: '2001-02-03T04:05:06Z',
  deletionTimestamp: '2002-03-04T05:06:07Z',
};

defineChapter('create', [
  ...largeGroups,
  ...nameGroups,
  ...raceGroups,
  group({
    subjects: 'creates',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
      const name = sandbox.name(resource);
      const metadata = { ...(await boundMetadata(sandbox, resource)), ...hostileMetadata };
      const bodyOf = (change: JsonObject) =>
        sandbox.body(resource, name, namespace, { change: merge(change, { metadata }) });
      const path = fill(operation.path, namespace);
      const written = { resource, name, ...defined({ namespace }) };
      const write = (body: JsonObject) => sendBody(sandbox, 'POST', path, merge(body, { metadata: foreign }));
      let expected = bodyOf(wholenessOf(resource));
      const seen = await observeEverywhere(sandbox, written, async () => {
        const reply = await write(expected);
        if (refusingPolicy(reply) === undefined && !refusesPrivileged(reply)) return reply;
        expected = bodyOf(richnessOf(resource));
        return write(expected);
      });
      const unset = await createUnset(operation, sandbox);
      return { ...seen, reply: seen.observed.reply, expected, unset };
    },
    checks: {
      ...checksOfPlaces<SeenEverywhere & { readonly expected: JsonObject }>(({ expected }, state, what) =>
        holds(state, expected, what),
      ),
      identity: ({ reply }) => {
        success(reply);
        for (const field of ['uid', 'resourceVersion']) {
          nonEmptyString(at(reply.value(), 'metadata', field), `${reply.request}: metadata.${field}`);
        }
        const created = String(at(reply.value(), 'metadata', 'creationTimestamp'));
        if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(created)) {
          fail(`${reply.request}: metadata.creationTimestamp is ${brief(created)}`);
        }
        // Where a server names who wrote, other checks believe it.
        const managers = itemsOf({ items: at(reply.value(), 'metadata', 'managedFields') }).map(
          ({ manager }) => manager,
        );
        if (managers.length > 0 && !managers.some((manager) => String(manager).startsWith(ownManager)))
          fail(`${reply.request}: metadata.managedFields names ${brief(managers)}, not this client, ${ownManager}`);
      },
      'unset-fields': ({ unset }) => isCreatedUnset(unset),
      'own-uid': ({ reply }) => {
        success(reply);
        nonEmptyString(at(reply.value(), 'metadata', 'uid'), `${reply.request}: metadata.uid`);
        for (const [field, sent] of Object.entries(foreign)) {
          // A time may be written in another way.
          const isTaken = String(at(reply.value(), 'metadata', field)).startsWith(String(sent).slice(0, 10));
          if (isTaken) fail(`${reply.request}: the ${field} that the client sent was taken over`);
        }
      },
    },
  }),
  group({
    subjects: 'generatedNames',
    setup: async ({ operation }, { client, sandbox }) => {
      const resource = resourceOf(operation);
      const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
      const { metadata, ...rest } = sandbox.body(resource, sandbox.name(resource), namespace);
      const prefix = `${sandbox.name()}-`;
      const body = JSON.stringify({
        ...rest,
        metadata: { ...Object(metadata), name: undefined, generateName: prefix },
      });
      const send = () => client.send({ method: 'POST', path: fill(operation.path, namespace), headers: json, body });
      return { first: await send(), second: await send(), prefix };
    },
    checks: {
      'generated-name': ({ first, second, prefix }) => {
        const names = [first, second].map((reply) => {
          success(reply);
          return nonEmptyString(at(reply.value(), 'metadata', 'name'), `${reply.request}: metadata.name`);
        });
        for (const name of names) {
          if (!name.startsWith(prefix) || name === prefix)
            fail(`${first.request}: ${name} does not continue ${prefix}`);
        }
        if (names[0] === names[1]) fail(`${first.request}: both creates made ${names[0]}`);
      },
    },
  }),
  group({
    subjects: 'refusedCreates',
    setup: async ({ operation }, { sandbox }) => {
      const resource = resourceOf(operation);
      const make = makerAtRest(sandbox, () => sandbox.make(resource));
      const create = (namespace: string | undefined, body: JsonObject) =>
        sendBody(sandbox, 'POST', fill(operation.path, namespace), body);
      const taken = await observeVain(sandbox, async () => {
        const made = await make();
        const body = merge(made.sent, { metadata: { labels: { 'kube-api-conformance/second': 'yes' } } });
        return { written: made, send: () => create(made.namespace, body) };
      });
      const versioned = await observeVain(sandbox, async () => {
        const { object, namespace } = await make();
        const name = sandbox.name(resource);
        const resourceVersion = versionOf(object) ?? fail('an object without a version');
        const body = merge(sandbox.body(resource, name, namespace), { metadata: { resourceVersion } });
        return { written: { resource, name, ...defined({ namespace }) }, send: () => create(namespace, body) };
      });
      return { taken, versioned };
    },
    checks: {
      'taken-name': ({ taken }, { operation }) => {
        isRefused(taken, [409], ['AlreadyExists']);
        namesObject(taken.reply, resourceOf(operation), at(taken.before, 'metadata', 'name'));
      },
      'sent-version': ({ versioned }) => {
        const { reply } = versioned;
        // Servers of long standing refuse it with 500.
        if (reply.status < 400)
          fail(`${reply.request}, with a resourceVersion: expected a refusal, got ${reply.status}`);
        isUntouched(versioned);
      },
    },
  }),
  group({
    subjects: 'namespacedCreates',
    setup: async ({ operation }, { client, sandbox, hasNamespaces }) => {
      const resource = resourceOf(operation);
      const [here, other] = [await sandbox.namespace(), await sandbox.namespace('other')];
      const nowhere = sandbox.name();
      const name = sandbox.name(resource);
      const send = (path: string, body: unknown) =>
        client.send({ method: 'POST', path, headers: json, body: JSON.stringify(body) });
      const absent = await send(fill(operation.path, nowhere), sandbox.body(resource, name, nowhere));
      const listedNowhere = itemsOf(await sandbox.list(resource, nowhere)).length;
      const made = { resource: namespaces, name: nowhere };
      const isProvided = hasNamespaces && absent.status < 300 && (await sandbox.current(made)) !== undefined;
      // It has no label of the run, by which the clean-up finds namespaces.
      if (isProvided) await client.send({ method: 'DELETE', path: pathTo(namespaces, 'delete', undefined, nowhere) });
      return {
        hasNamespaces,
        absent,
        listedNowhere,
        isProvided,
        mismatch: await send(fill(operation.path, here), sandbox.body(resource, name, other)),
        madeHere: objectsNamed(await sandbox.list(resource, here), name).length,
        madeThere: objectsNamed(await sandbox.list(resource, other), name).length,
      };
    },
    checks: {
      'absent-namespace': ({ hasNamespaces, absent, listedNowhere, isProvided }) => {
        if (!hasNamespaces)
          throw new Unchecked('not-supported', 'the target has no namespaces itself, and may take any name of one');
        if (isProvided)
          throw new Unchecked('not-supported', `${absent.request}: an admission plug-in creates the namespace`);
        status(absent, 404);
        equal(listedNowhere, 0, `${absent.request}: objects in the absent namespace`);
      },
      'namespace-mismatch': ({ mismatch, madeHere, madeThere }) => {
        status(mismatch, 400);
        equal(madeHere + madeThere, 0, `${mismatch.request}: objects that were made`);
      },
    },
  }),
]);
