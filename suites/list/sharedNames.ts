// Two objects with one name in two namespaces: a write to one does not affect the other, and lists return both.

import { equal, fail, status, success } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { carriesLabel, withLabel } from '../objects/callParts.js';
import { groupLabel } from '../objects/sandbox.js';
import { leaving, objectsNamed } from '../objects/validCalls.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/worker.js';
import { remove } from '../watch/removal.js';

/** Creates both objects, changes and deletes the first, and lists before and after. */
export async function shareName({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const name = sandbox.name(resource);
  const [here, there] = [await sandbox.namespace(), await sandbox.namespace('other')];
  const make = (namespace: string) => sandbox.make(resource, { name, namespace, labels: { [groupLabel]: namespace } });
  const list = (): Promise<Reply> => client.send({ method: 'GET', path: fill(operation.path, here) });
  const [first, second] = [await make(here), await make(there)];
  const both = await list();
  const changed = await sandbox.put(first, (object) => withLabel(object, 'changed'));
  const besideChange = await sandbox.current(second);
  const firstChanged = await sandbox.current(first);
  await remove(sandbox, first);
  return {
    name,
    here,
    there,
    across: operation.verb === 'listAll',
    both,
    changed,
    firstChanged,
    besideChange,
    besideDelete: await sandbox.current(second),
    after: await list(),
  };
}

/** Throws Failure unless each list has the right objects and the second object is unchanged. */
export function keepsNamespacesApart(record: Awaited<ReturnType<typeof shareName>>): void {
  const { name, here, there, across, both, changed, firstChanged, besideChange, besideDelete, after } = record;
  lists(both, name, across ? [here, there] : [here]);
  success(changed);
  carriesLabel(firstChanged, 'changed', `${changed.request}, then read`);
  for (const [object, what] of [
    [besideChange, `${changed.request}, then read in the other namespace`],
    [besideDelete, `a delete of ${name} in ${here}, then read in the other namespace`],
  ] as const) {
    if (object === undefined || at(object, 'metadata', 'deletionTimestamp') !== undefined) fail(`${what}: it is gone`);
    equal(at(object, 'metadata', 'labels', groupLabel), there, `${what}: the label of the object`);
    if (at(object, 'metadata', 'labels', 'kube-api-conformance/changed') !== undefined) fail(`${what}: it is changed`);
  }
  const left = objectsNamed(after.value(), name).filter((item) => !leaving(item));
  equal(ownersOf(left), across ? there : '', `${after.request} after a delete in ${here}: namespaces of the items`);
}

function lists(reply: Reply, name: string, namespaces: readonly string[]): void {
  status(reply, 200);
  equal(
    ownersOf(objectsNamed(reply.value(), name)),
    namespaces.toSorted().join(),
    `${reply.request}: namespaces of the items`,
  );
}

/** Returns the namespaces of items, according to their metadata and their labels. */
const ownersOf = (items: readonly JsonObject[]): string =>
  items
    .map((item) =>
      at(item, 'metadata', 'namespace') === at(item, 'metadata', 'labels', groupLabel)
        ? String(at(item, 'metadata', 'namespace'))
        : 'mixed',
    )
    .toSorted()
    .join();
