// Namespaces: finalize, and what happens between the delete of a namespace and its end.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { withLabel } from '../support/callParts.js';
import { eventually } from '../support/eventually.js';
import { equal, fail, holds, nonEmptyString, status, statusObject, success } from '../support/expect.js';
import { at, itemsOf, type JsonObject, merge } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { configMaps, namespaces } from '../support/related.js';
import type { Reply } from '../support/reply.js';
import { fill, type Made, pathTo, type Scope } from '../support/scope.js';
import { isUntouched } from '../support/untouched.js';
import { named } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import { putChanged, sendBody } from '../support/writes.js';

const held = 'kube-api-conformance/held';
const foreignUid = '11111111-2222-3333-4444-555555555555';
const finalizePath = ({ name }: Made): string => pathTo(namespaces, 'finalize', undefined, name);

const finalizeWith = (scope: Scope, made: Made, finalizers: readonly string[]): Promise<Reply> =>
  putChanged(scope, made, finalizePath(made), (object) => merge(object, { spec: { finalizers } }));

export const namespacePerformers = {
  finalizes: async (_: OperationSubject, { scope }: Context) => {
    const made = await scope.make(namespaces);
    const more = await finalizeWith(scope, made, ['kubernetes', held]);
    const withMore = await scope.current(made);
    const none = await finalizeWith(scope, made, []);
    return { more, withMore, none, withNone: await scope.current(made) };
  },
  refusedFinalizes: async (_: OperationSubject, { scope }: Context) => {
    const made = await scope.make(namespaces);
    const moved = await scope.put(made, (object) => withLabel(object, 'moved'));
    const before = await scope.current(made);
    const put = (object: JsonObject, finalizer: string) =>
      sendBody(scope, 'PUT', finalizePath(made), merge(object, { spec: { finalizers: [finalizer] } }));
    const invalid = await put(before ?? made.object, 'nobody');
    const stale = await put(made.object, held);
    return { moved, invalid, stale, before, after: await scope.current(made) };
  },
  namespaceLives: async ({ operation }: OperationSubject, { client, scope }: Context) => {
    const made = await scope.make(namespaces);
    const { name } = made;
    const inside = await scope.make(configMaps, { namespace: name });
    success(await finalizeWith(scope, made, ['kubernetes', held]));
    const deleted = await client.send({ method: 'DELETE', path: fill(operation.path, undefined, name) });
    const terminating = await scope.current(made);
    const lateName = scope.name();
    const late = scope.body(configMaps, lateName, name);
    const closed = await sendBody(scope, 'POST', pathTo(configMaps, 'create', name), late);
    const listed = async () => itemsOf(await scope.list(configMaps, name));
    const madeLate = named({ items: await listed() }, lateName).length;
    const left = await eventually(listed, (items) => named({ items }, inside.name).length === 0);
    const afterwards = await scope.current(made);
    // Where no controller does it, nobody else removes what is in it.
    for (const item of left) {
      const path = pathTo(configMaps, 'delete', name, String(at(item, 'metadata', 'name')));
      await client.send({ method: 'DELETE', path });
    }
    const last = await finalizeWith(scope, made, []);
    const end = await eventually(
      () => scope.current(made),
      (object) => object === undefined,
    );
    return {
      deleted,
      terminating,
      closed,
      madeLate,
      left: named({ items: left }, inside.name).length,
      afterwards,
      last,
      end,
    };
  },
  keptNamespaces: async (_: OperationSubject, { client, scope }: Context) => {
    const kept = { resource: namespaces, name: 'default' };
    const before = await scope.current(kept);
    const tryDelete = (name: string, query: string, options: JsonObject) => {
      const path = pathTo(namespaces, 'delete', undefined, name) + query;
      const body = JSON.stringify({ kind: 'DeleteOptions', apiVersion: 'v1', ...options });
      return client.send({ method: 'DELETE', path, headers: { 'content-type': 'application/json' }, body });
    };
    // A server without this rule must not lose its default namespace to this check: it is a dry run where the server
    // has shown that it knows them, and carries a precondition that fails where it does not.
    const canary = await scope.make(namespaces);
    await tryDelete(canary.name, '?dryRun=All', {});
    const survived = await scope.current(canary);
    const tries = survived !== undefined && at(survived, 'metadata', 'deletionTimestamp') === undefined;
    const reply = tries
      ? await tryDelete('default', '?dryRun=All', {})
      : await tryDelete('default', '', { preconditions: { uid: foreignUid } });
    return { reply, tries, before, after: await scope.current(kept) };
  },
};

type Performers = typeof namespacePerformers;
type Life = Recorded<Performers['namespaceLives']>;
type Refused = Recorded<Performers['refusedFinalizes']>;

function isTerminating(namespace: unknown, what: string): void {
  nonEmptyString(at(namespace, 'metadata', 'deletionTimestamp'), `${what}: metadata.deletionTimestamp`);
  holds(namespace, { status: { phase: 'Terminating' } }, what);
}

export const namespaceChecks = {
  finalize: ({ more, withMore }: Recorded<Performers['finalizes']>) => {
    success(more);
    holds(more.value(), { kind: 'Namespace', spec: { finalizers: ['kubernetes', held] } }, more.request);
    holds(withMore, { spec: { finalizers: ['kubernetes', held] } }, `${more.request}, then read`);
  },
  'finalize-active': ({ none, withNone }: Recorded<Performers['finalizes']>) => {
    success(none);
    if (withNone === undefined) fail(`${none.request}: the namespace is gone, and nobody deleted it`);
    holds(withNone, { status: { phase: 'Active' } }, `${none.request}, then read`);
    const deletion = at(withNone, 'metadata', 'deletionTimestamp');
    if (deletion !== undefined) fail(`${none.request}: the namespace has a deletionTimestamp, and nobody deleted it`);
    const finalizers = at(withNone, 'spec', 'finalizers');
    equal(Array.isArray(finalizers) ? finalizers.length : 0, 0, `${none.request}, then read: finalizers`);
  },
  'finalize-invalid': ({ invalid, before, after }: Refused) => {
    status(invalid, 422);
    statusObject(invalid, 'Invalid');
    const field = at(invalid.value(), 'details', 'causes', 0, 'field');
    equal(field, 'spec.finalizers[0]', `${invalid.request}: the field of its cause`);
    isUntouched(before, after, `${invalid.request}: the namespace afterwards`);
  },
  'finalize-stale': ({ moved, stale, before, after }: Refused) => {
    success(moved);
    status(stale, 409);
    statusObject(stale, 'Conflict');
    isUntouched(before, after, `${stale.request}: the namespace afterwards`);
  },
  'namespace-terminating': ({ deleted, terminating }: Life) => {
    success(deleted);
    isTerminating(deleted.value(), deleted.request);
    isTerminating(terminating, `${deleted.request}, then read`);
  },
  'namespace-closed': ({ closed, madeLate }: Life) => {
    status(closed, 403);
    statusObject(closed, 'Forbidden');
    equal(madeLate, 0, `${closed.request}: objects that were made`);
  },
  'namespace-emptied': ({ deleted, left }: Life) => {
    success(deleted);
    equal(left, 0, `${deleted.request}: objects that are still in it`);
  },
  'namespace-held': ({ deleted, afterwards }: Life) => {
    success(deleted);
    isTerminating(afterwards, `${deleted.request}, with a finalizer left`);
    const finalizers = at(afterwards, 'spec', 'finalizers');
    if (!Array.isArray(finalizers) || !finalizers.includes(held)) fail(`${deleted.request}: its finalizer is gone`);
  },
  'finalize-last': ({ last, end }: Life) => {
    success(last);
    if (end !== undefined) fail(`${last.request}: the namespace has no finalizer and is still there`);
  },
  'namespace-kept': ({ reply, tries, before, after }: Recorded<Performers['keptNamespaces']>) => {
    status(reply, ...(tries ? [403] : [403, 409]));
    statusObject(reply, 'Forbidden', ...(tries ? [] : ['Conflict']));
    isUntouched(before, after, `${reply.request}: the namespace afterwards`);
    holds(after, { status: { phase: 'Active' } }, `${reply.request}: the namespace afterwards`);
  },
};
