// Lists beside neighbours: each object of the scope once, no neighbour, and a change of one object changes no other.
import { equal, fail, status, success } from '../client/expect.js';
import { at, itemsOf } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { changedLabel, withLabel } from '../objects/callParts.js';
import { type Neighbourhood, neighbourhoodOf } from '../objects/neighbourhood.js';
import type { CreatedObject } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';

interface Listed {
  readonly reply: Reply;
  readonly near: Neighbourhood;
  /** Whether the list is of all namespaces. */
  readonly across: boolean;
}

/** Throws Failure unless the list has each object of its scope once, and nothing of another namespace or kind. */
export function listsItsScope({ reply, near: { own, neighbours }, across }: Listed): void {
  status(reply, 200);
  const items = itemsOf(reply.value());
  if (!across) {
    const foreign = items.map((item) => String(at(item, 'metadata', 'namespace'))).find((of) => of !== own.namespace);
    equal(foreign ?? own.namespace, String(own.namespace), `${reply.request}: the namespace of an item`);
  }
  const isInScope = (made: CreatedObject): boolean =>
    made.resource === own.resource && (across || made.namespace === own.namespace);
  for (const [what, made] of [['that was created', own] as const, ...Object.entries(neighbours)]) {
    const same = items.filter((item) => at(item, 'metadata', 'uid') === at(made.object, 'metadata', 'uid'));
    equal(same.length, isInScope(made) ? 1 : 0, `${reply.request}: items that are the object ${what}`);
  }
}

/** Changes the object of a neighbourhood with a replace, lists its scope, and reads the neighbours. */
export async function changeBesideNeighbours({ operation }: OperationSubject, { client, sandbox }: Context) {
  const near = await neighbourhoodOf(sandbox, resourceOf(operation));
  const value = sandbox.name();
  const own = { ...near.own, object: (await sandbox.current(near.own)) ?? near.own.object };
  const changed = await sandbox.put(own, (object) => withLabel(object, value));
  const list = await client.send({ method: 'GET', path: fill(operation.path, own.namespace) });
  const unlisted = Object.entries(near.neighbours).filter(
    ([, made]) => made.resource !== own.resource || (operation.verb !== 'listAll' && made.namespace !== own.namespace),
  );
  const read = await Promise.all(unlisted.map(async ([what, made]) => [what, await sandbox.current(made)] as const));
  return { value, uid: at(own.object, 'metadata', 'uid'), changed, list, read };
}

/** Throws Failure unless the change is in the object as it is listed, and in none of its neighbours. */
export function changesOnlyOne({ value, uid, changed, list, read }: Recorded<typeof changeBesideNeighbours>): void {
  success(changed);
  status(list, 200);
  const isChanged = (object: unknown): boolean => at(object, 'metadata', 'labels', changedLabel) === value;
  const listed = itemsOf(list.value()).filter(isChanged);
  const uids = listed.map((item) => at(item, 'metadata', 'uid')).join(' and ');
  equal(uids, String(uid), `${changed.request}, then ${list.request}: the uid of the object with the change`);
  for (const [what, object] of read) {
    if (object === undefined) fail(`${changed.request}: the object ${what} is gone`);
    equal(isChanged(object), false, `${changed.request}: the object ${what} has the change`);
  }
}
