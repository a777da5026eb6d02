// Namespaces: finalize, and the end of a namespace that its own finalizer holds.

import { equal, fail, holds, status, statusObject, success } from '../client/expect.js';
import { at, isEnding, type JsonObject, merge } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import {
  becomesTerminating,
  deleteDefault,
  endNamespace,
  isClosed,
  isEmptied,
  isForbidden,
  isTerminating,
} from '../deleteOptions/namespaceDeletion.js';
import { noted } from '../objects/callParts.js';
import { whenControlled } from '../objects/controllers.js';
import {
  isChange,
  isRefused,
  isUntouched,
  makerOfMoved,
  observe,
  observeVains,
  placesOf,
  seenIn,
  stateIn,
} from '../objects/effects/index.js';
import { configMaps, namespaces } from '../objects/related.js';
import type { CreatedObject, Sandbox } from '../objects/sandbox.js';
import { isUnchanged } from '../objects/unchanged.js';
import { objectsNamed } from '../objects/validCalls.js';
import { putChanged, sendBody } from '../objects/writes.js';
import { group } from '../run/group.js';

const held = 'kube-api-conformance/held';
const finalizePath = ({ name }: CreatedObject): string => pathTo(namespaces, 'finalize', undefined, name);

const finalizeWith = (sandbox: Sandbox, made: CreatedObject, finalizers: readonly string[]): Promise<Reply> =>
  putChanged(sandbox, made, finalizePath(made), (object) => merge(object, { spec: { finalizers } }));

export const namespaceGroups = [
  group({
    subjects: 'finalizes',
    setup: async (_, { sandbox }) => {
      const made = await sandbox.make(namespaces, { change: noted });
      const spec = { finalizers: ['kubernetes', held] };
      const put = (current: JsonObject) => sendBody(sandbox, 'PUT', finalizePath(made), merge(current, { spec }));
      const more = await observe(sandbox, made, put);
      const none = await finalizeWith(sandbox, made, []);
      return { more, spec, none, withNone: await sandbox.current(made) };
    },
    checks: {
      finalize: ({ more, spec }) => {
        success(more.reply);
        for (const place of placesOf(more)) holds(stateIn(more, place), { spec }, seenIn(more, place));
      },
      'finalize-keeps-rest': ({ more, spec }) => {
        success(more.reply);
        for (const place of placesOf(more)) isChange(more.before, stateIn(more, place), { spec }, seenIn(more, place));
      },
      'finalize-active': ({ none, withNone }) => {
        success(none);
        if (withNone === undefined) fail(`${none.request}: the namespace is gone, and nobody deleted it`);
        holds(withNone, { status: { phase: 'Active' } }, `${none.request}, then read`);
        if (isEnding(withNone)) fail(`${none.request}: the namespace has a deletionTimestamp, and nobody deleted it`);
        const finalizers = at(withNone, 'spec', 'finalizers');
        equal(Array.isArray(finalizers) ? finalizers.length : 0, 0, `${none.request}, then read: finalizers`);
      },
    },
  }),
  group({
    subjects: 'refusedFinalizes',
    setup: async (_, { sandbox }) => {
      const { make, moved } = makerOfMoved(sandbox, () => sandbox.make(namespaces));
      const refused = await observeVains(sandbox, async () => {
        const made = await make();
        const put = (object: JsonObject, finalizer: string) =>
          sendBody(sandbox, 'PUT', finalizePath(made), merge(object, { spec: { finalizers: [finalizer] } }));
        const sends = {
          invalid: (current: JsonObject) => put(current, 'nobody'),
          stale: () => put(made.old, held),
        };
        return { written: made, sends };
      });
      return { moved: moved(), ...refused };
    },
    checks: {
      'finalize-invalid': ({ invalid }) => {
        const { reply } = invalid;
        status(reply, 422);
        statusObject(reply, 'Invalid');
        const field = at(reply.value(), 'details', 'causes', 0, 'field');
        equal(field, 'spec.finalizers[0]', `${reply.request}: the field of its cause`);
        isUntouched(invalid);
      },
      'finalize-stale': ({ moved, stale }) => {
        success(moved);
        isRefused(stale, [409], ['Conflict']);
      },
    },
  }),
  group({
    subjects: 'namespaceLives',
    setup: async ({ operation }, context) => {
      const { client, sandbox } = context;
      const made = await sandbox.make(namespaces);
      const { name } = made;
      const inside = await sandbox.make(configMaps, { namespace: name });
      success(await finalizeWith(sandbox, made, ['kubernetes', held]));
      const ending = await endNamespace(context, operation, made, [inside]);
      const listed = objectsNamed(await sandbox.list(configMaps, name), inside.name).length;
      // Without a controller, only this check deletes the contents.
      for (const { name: left } of ending.left)
        await client.send({ method: 'DELETE', path: pathTo(configMaps, 'delete', name, left) });
      const last = await finalizeWith(sandbox, made, []);
      const end = await whenControlled(
        sandbox,
        () => sandbox.current(made),
        (object) => object === undefined,
      );
      return { ...ending, listed, last, end };
    },
    checks: {
      'namespace-terminating': becomesTerminating,
      'namespace-closed': isClosed,
      'namespace-emptied': (life) => {
        isEmptied(life);
        equal(life.listed, 0, `${life.reply.request}: objects that are still in it`);
      },
      'namespace-held': ({ reply, meanwhile }) => {
        success(reply);
        isTerminating(meanwhile, `${reply.request}, with a finalizer left`);
        const finalizers = at(meanwhile, 'spec', 'finalizers');
        if (!Array.isArray(finalizers) || !finalizers.includes(held)) fail(`${reply.request}: its finalizer is gone`);
      },
      'finalize-last': ({ last, end }) => {
        success(last);
        if (end !== undefined) fail(`${last.request}: the namespace has no finalizer and is still there`);
      },
    },
  }),
  group({
    subjects: 'keptNamespaces',
    setup: ({ operation }, context) => deleteDefault(context, operation),
    checks: {
      'namespace-kept': (deletion) => {
        const { reply, before, after } = isForbidden(deletion);
        isUnchanged(before, after, `${reply.request}: the namespace afterwards`);
        holds(after, { status: { phase: 'Active' } }, `${reply.request}: the namespace afterwards`);
      },
    },
  }),
];
