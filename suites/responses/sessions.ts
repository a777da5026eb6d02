// HTTP/2, where a target offers it: one connection carries a watch and other requests, with the responses of HTTP/1.1.

import { equal, fail, nonEmptyString, same, success, Unchecked } from '../client/expect.js';
import { at, brief, readJson, utf8Of } from '../client/json.js';
import { OverHttp2, offersHttp2 } from '../client/otherTransports.js';
import { pathTo } from '../client/paths.js';
import type { Reply } from '../client/reply.js';
import { configMaps } from '../objects/related.js';
import { groupLabel } from '../objects/sandbox.js';
import type { Context } from '../run/context.js';

/** Reads, lists and misses over both protocols; over HTTP/2 during a watch, which sees a create of the same connection. */
export async function converse(_: unknown, { client, sandbox }: Context) {
  if (!(await offersHttp2(client.target, client.timeout)))
    throw new Unchecked('not-supported', 'the target does not offer HTTP/2');
  const label = sandbox.name();
  const made = await sandbox.make(configMaps, { labels: { [groupLabel]: label } });
  const { namespace, name } = made;
  const read = (object: string): string => pathTo(configMaps, 'read', namespace, object);
  const list = pathTo(configMaps, 'list', namespace);
  const selected = `?labelSelector=${encodeURIComponent(`${groupLabel}=${label}`)}`;
  const asked = [read(name), list + selected, read(`${name}-absent`), '/version'];
  const session = new OverHttp2(client.target);
  const { transport: over } = session;
  const get = (path: string): Promise<Reply> => client.send({ method: 'GET', path, over });
  try {
    const version = nonEmptyString(at(made.object, 'metadata', 'resourceVersion'), 'resourceVersion of the object');
    const created = `${name}-created`;
    // The target ends the watch of a create that it does not tell, before the client gives up.
    const seconds = Math.max(1, Math.floor(client.timeout / 2000));
    const since = `&resourceVersion=${encodeURIComponent(version)}&timeoutSeconds=${seconds}`;
    const watch = client.send({
      method: 'GET',
      path: `${list}${selected}&watch=true${since}`,
      over: session.until((bytes) => bytes.includes(created)),
    });
    // If another request fails first, nobody waits for the watch.
    watch.catch(() => undefined);
    const body = JSON.stringify(sandbox.body(configMaps, created, namespace, { labels: { [groupLabel]: label } }));
    const plain: Reply[] = [];
    for (const path of asked) plain.push(await client.send({ method: 'GET', path }));
    const fast = await Promise.all(asked.map(get));
    const headers = { 'content-type': 'application/json' };
    const create = await client.send({ method: 'POST', path: list, headers, body, over });
    return { plain, fast, create, created, watched: await watch };
  } finally {
    session.close();
  }
}

/** Throws Failure unless all responses over HTTP/2 are right. */
export function agrees({ plain, fast, create, created, watched }: Awaited<ReturnType<typeof converse>>): void {
  for (const [index, reply] of fast.entries()) {
    const other = plain[index] ?? fail('a response is missing');
    const what = `${reply.request}, over HTTP/2`;
    equal(reply.status, other.status, `${what}: status, compared with HTTP/1.1`);
    equal(reply.mediaType, other.mediaType, `${what}: Content-Type, compared with HTTP/1.1`);
    same(withoutVersion(reply.value()), withoutVersion(other.value()), `${what}, compared with HTTP/1.1`);
  }
  success(create);
  success(watched);
  const events = utf8Of(watched.bytes).trim().split('\n').filter(Boolean);
  const names = events.map((line) => at(readJson(line), 'object', 'metadata', 'name'));
  if (!names.includes(created)) fail(`${watched.request}, over HTTP/2: no event of ${created}, got ${brief(names)}`);
}

/** A list has the version of its moment, and others write in between. */
function withoutVersion(body: unknown): unknown {
  const kind = String(at(body, 'kind'));
  return kind.endsWith('List') ? { kind, items: at(body, 'items') } : body;
}
