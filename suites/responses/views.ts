// Views of a list: a table, or the metadata of its objects, whole, in pages, and watched.

import { equal, nonEmptyString, success } from '../client/expect.js';
import { at, brief, objectsIn } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import { groupLabel } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { acceptOf, partialOrJson } from './clauses.js';

/**
 * Lists two objects by their label with the Accept header of the subject: both, and the first page. Then watches from the
 * version of the list until a third object comes.
 */
export async function view({ operation, variant = '' }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const labels = { [groupLabel]: sandbox.name() };
  const labelSelector = `${groupLabel}=${labels[groupLabel]}`;
  const made = [await sandbox.make(resource, { labels }), await sandbox.make(resource, { labels })];
  await sandbox.make(resource);
  const path = pathTo(resource, 'list', made[0]?.namespace);
  const accept = acceptOf(variant);
  const list = (query: string, accept: string) =>
    client.send({
      method: 'GET',
      path: `${path}?labelSelector=${encodeURIComponent(labelSelector)}${query}`,
      headers: { accept },
    });
  const whole = await list('', accept);
  const page = await list('&limit=1', accept);
  const plainPage = await list('&limit=1', 'application/json');
  const resourceVersion = String(at(whole.tryValue(), 'metadata', 'resourceVersion'));
  const later = await sandbox.make(resource, { labels });
  // The events of a watch are not lists.
  const headers = { accept: variant.startsWith('a table') ? accept : partialOrJson };
  const watched = await watching(
    client,
    path,
    { resourceVersion, labelSelector },
    async (stream) => {
      await stream.until((events) => events.length > 0);
      const [event] = eventsOf(stream);
      return { request: stream.request, status: stream.status, type: event?.type, names: namesIn(event?.object) };
    },
    { headers },
  );
  return { accept, made, whole, page, plainPage, later, watched };
}

/** Throws Failure unless the view has what a client needs of the list that it stands for. */
export function isUsable({ accept, made, whole, page, plainPage, later, watched }: Recorded<typeof view>): void {
  const what = `${whole.request}, Accept: ${accept}`;
  success(whole);
  const identities = (objects: readonly unknown[]) =>
    brief(objects.map((object) => `${at(object, 'metadata', 'name')} ${at(object, 'metadata', 'uid')}`).sort());
  const expected = identities(made.map(({ object }) => object));
  equal(identities(objectsOf(whole.value())), expected, `${what}: names and uids`);
  nonEmptyString(at(whole.value(), 'metadata', 'resourceVersion'), `${what}: metadata.resourceVersion`);
  success(page);
  const continues = (body: unknown): boolean => Boolean(at(body, 'metadata', 'continue'));
  equal(
    continues(page.value()),
    continues(plainPage.tryValue()),
    `${what}, with limit=1: whether it continues, as the page in JSON`,
  );
  equal(watched.status, 200, `${watched.request}, Accept: ${accept}: status`);
  equal(
    brief([watched.type, watched.names]),
    brief(['ADDED', [later.name]]),
    `${watched.request}, Accept: ${accept}: the first event`,
  );
}

/** Returns the objects of a table, of a list, or of one object. */
function objectsOf(body: unknown): readonly unknown[] {
  if (at(body, 'kind') === 'Table') return objectsIn(at(body, 'rows')).map(({ object }) => object);
  const items = at(body, 'items');
  return items === undefined ? [body] : objectsIn(items);
}

const namesIn = (body: unknown) => objectsOf(body).map((object) => String(at(object, 'metadata', 'name')));
