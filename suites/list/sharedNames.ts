// Two objects of one name in two namespaces: what is done to one leaves the other, and lists tell them apart.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { carriesLabel, withLabel } from '../support/callParts.js';
import { equal, fail, status, success } from '../support/expect.js';
import { at, type JsonObject } from '../support/json.js';
import type { Reply } from '../support/reply.js';
import { fill } from '../support/scope.js';
import { leaving, named } from '../support/validCalls.js';
import type { Context } from '../support/worker.js';
import { remove } from '../watch/removal.js';

const owner = 'kube-api-conformance/group';

/** Creates both, changes and deletes the first, and lists before and after. */
export async function shareName({ operation }: OperationSubject, { client, scope }: Context) {
  const resource = operation.resource ?? fail('a list without a resource');
  const name = scope.name(resource);
  const [here, there] = [await scope.namespace(), await scope.namespace('other')];
  const make = (namespace: string) => scope.make(resource, { name, namespace, labels: { [owner]: namespace } });
  const list = (): Promise<Reply> => client.send({ method: 'GET', path: fill(operation.path, here) });
  const [first, second] = [await make(here), await make(there)];
  const both = await list();
  const changed = await scope.put(first, (object) => withLabel(object, 'changed'));
  const besideChange = await scope.current(second);
  const firstChanged = await scope.current(first);
  await remove(scope, first);
  return {
    name,
    here,
    there,
    across: operation.verb === 'listAll',
    both,
    changed,
    firstChanged,
    besideChange,
    besideDelete: await scope.current(second),
    after: await list(),
  };
}

/** Each list holds what it should, and the second object is what it was. */
export function tellsApart(record: Awaited<ReturnType<typeof shareName>>): void {
  const { name, here, there, across, both, changed, firstChanged, besideChange, besideDelete, after } = record;
  lists(both, name, across ? [here, there] : [here]);
  success(changed);
  carriesLabel(firstChanged, 'changed', `${changed.request}, then read`);
  for (const [object, what] of [
    [besideChange, `${changed.request}, then read in the other namespace`],
    [besideDelete, `a delete of ${name} in ${here}, then read in the other namespace`],
  ] as const) {
    if (object === undefined || at(object, 'metadata', 'deletionTimestamp') !== undefined) fail(`${what}: it is gone`);
    equal(at(object, 'metadata', 'labels', owner), there, `${what}: the label of the object`);
    if (at(object, 'metadata', 'labels', 'kube-api-conformance/changed') !== undefined) fail(`${what}: it is changed`);
  }
  const left = named(after.value(), name).filter((item) => !leaving(item));
  equal(ownersOf(left), across ? there : '', `${after.request} after a delete in ${here}: namespaces of the items`);
}

function lists(reply: Reply, name: string, namespaces: readonly string[]): void {
  status(reply, 200);
  equal(
    ownersOf(named(reply.value(), name)),
    namespaces.toSorted().join(),
    `${reply.request}: namespaces of the items`,
  );
}

/** The namespaces of items, as both their metadata and their labels tell them. */
const ownersOf = (items: readonly JsonObject[]): string =>
  items
    .map((item) =>
      at(item, 'metadata', 'namespace') === at(item, 'metadata', 'labels', owner)
        ? String(at(item, 'metadata', 'namespace'))
        : 'mixed',
    )
    .toSorted()
    .join();
