// A burst: hundreds of changes from several clients at once, and a watch that must show each of them once.
import { fail, Prerequisite } from '../client/expect.js';
import { at, type JsonObject } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import type { CreatedObject } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { mergePatch } from './bodies.js';
import { createdSurely, exchange, succeed } from './exchange.js';
import { nameOf, versionOf } from './record.js';
import { joined, watchToEnd } from './watchers.js';

const [objects, changes] = [10, 30];

/** Changes ten objects thirty times each, all objects at once. */
export async function writeBurst({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace('writers') : undefined;
  const made: CreatedObject[] = [];
  for (let count = 0; count < objects; count += 1)
    made.push(await sandbox.make(resource, namespace === undefined ? {} : { namespace }));
  const from = String(at(made.at(-1)?.object, 'metadata', 'resourceVersion'));
  const names = new Set(made.map(({ name }) => name));
  const marker = sandbox.name();
  let finish: (done?: unknown) => void = () => undefined;
  const written = new Promise<unknown>((resolve) => {
    finish = resolve;
  });
  const isOwn = (object: JsonObject): boolean => names.has(nameOf(object)) || nameOf(object) === marker;
  const path = pathTo(resource, 'list', namespace);
  const watched = { client, path, place: namespace ?? '', selector: undefined, isOwn, marker, written };
  const parts = watchToEnd(watched, from);
  const changed = made.map(async ({ name }) => {
    const versions: string[] = [];
    for (let count = 1; count <= changes; count += 1) {
      const change = { metadata: { annotations: { 'kube-api-conformance/step': String(count) } } };
      const reply = await succeed(client, 'PATCH', pathTo(resource, 'patch', namespace, name), change, mergePatch);
      versions.push(`${name} at version ${versionOf(reply)}`);
    }
    return versions;
  });
  try {
    const all = (await Promise.all(changed)).flat();
    const body = sandbox.body(resource, marker, namespace);
    await createdSurely(`create ${marker}`, () => exchange(client, 'POST', path, body));
    finish();
    const shown = await parts;
    if (shown.some(({ isOver }) => isOver))
      throw new Prerequisite(`GET ${path}?watch=true: the server forgot versions`);
    const seen = joined(shown).flatMap(({ name, version }) =>
      names.has(name) ? [`${name} at version ${version}`] : [],
    );
    return { request: `GET ${path}?watch=true`, all, seen };
  } finally {
    finish();
    await Promise.allSettled(changed);
  }
}

export function losesNone({ request, all, seen }: Recorded<typeof writeBurst>): void {
  const shown = new Set(seen);
  const lost = all.filter((one) => !shown.has(one));
  if (lost.length > 0) fail(`${request}: of ${all.length} changes, ${lost.length} have no event: first ${lost[0]}`);
  const twice = seen.find((one, index) => seen.indexOf(one) !== index);
  if (twice !== undefined) fail(`${request}: two events show ${twice}`);
}
