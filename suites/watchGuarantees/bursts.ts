// A burst of creates: many writers at once, and one watch, which must report each object.
import { equal, fail, Prerequisite } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { fill, pathTo, resourceOf } from '../client/paths.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { versionNow } from '../watch/forms.js';

/** More events than the queues of servers hold, and more writers than they have workers. */
const objects = 300;
const writers = 30;

async function watchBurst({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  await sandbox.selectorsAreRespected(resource);
  const namespace = await sandbox.namespace('burst');
  const label = sandbox.name();
  const names = Array.from({ length: objects }, () => sandbox.name(resource));
  const created: string[] = [];
  const create = async (name: string): Promise<void> => {
    const body = sandbox.body(resource, name, namespace, { labels: { [groupLabel]: label } });
    const path = pathTo(resource, 'create', namespace);
    const headers = { 'content-type': 'application/json' };
    const reply = await client.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
    if (reply.status < 300) created.push(String(at(reply.tryValue(), 'metadata', 'uid')));
  };
  const start = await versionNow(sandbox, { resource, namespace, name: '', path: '' });
  return watching(client, fill(operation.path, namespace), { resourceVersion: start }, async (stream) => {
    const waiting = [...names];
    const write = async (): Promise<void> => {
      for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) await create(name);
    };
    await Promise.all(Array.from({ length: writers }, write));
    const selector = encodeURIComponent(`${groupLabel}=${label}`);
    const uidOf = (object: JsonObject): string => String(at(object, 'metadata', 'uid'));
    const added = (): string[] =>
      eventsOf(stream).flatMap(({ type, object }) => (type === 'ADDED' ? uidOf(object) : []));
    await stream.until((events) => events.length >= created.length && isSubset(created, new Set(added())));
    await sandbox.deleteCollection(`${pathTo(resource, 'deleteCollection', namespace)}?labelSelector=${selector}`);
    return { request: stream.request, status: stream.status, created, added: added() };
  });
}

const isSubset = (few: readonly string[], many: ReadonlySet<string>): boolean => few.every((one) => many.has(one));

function losesNone({ request, status, created, added }: Recorded<typeof watchBurst>): void {
  equal(status, 200, `${request}: status`);
  if (created.length < objects / 2)
    throw new Prerequisite(`only ${created.length} of ${objects} creates were accepted`);
  const told = new Set(added);
  const lost = created.filter((uid) => !told.has(uid)).length;
  if (lost > 0) fail(`${request}: ${lost} of ${created.length} creates, ${writers} at a time, are not reported`);
  const own = added.filter((uid) => created.includes(uid)).length;
  equal(own, created.length, `${request}: the number of ADDED events of ${created.length} objects`);
}

export const burstGroups = [group({ subjects: 'bursts', setup: watchBurst, checks: { burst: losesNone } })];
