// A burst: hundreds of changes from several clients at once, and a watch that must show each of them once.
import { fail } from '../client/expect.js';
import { at } from '../client/json.js';
import { pathTo, resourceOf } from '../client/paths.js';
import { eventsOf, watching } from '../client/streams/watches.js';
import type { CreatedObject } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import type { Recorded } from '../run/group.js';
import { mergePatch } from './bodies.js';
import { succeed } from './exchange.js';
import { versionOf } from './record.js';

const [objects, changes] = [10, 30];

/** Changes ten objects thirty times each, all objects at once. */
export async function writeBurst({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace('writers') : undefined;
  const made: CreatedObject[] = [];
  for (let count = 0; count < objects; count += 1)
    made.push(await sandbox.make(resource, namespace === undefined ? {} : { namespace }));
  const from = String(at(made.at(-1)?.object, 'metadata', 'resourceVersion'));
  return watching(client, pathTo(resource, 'list', namespace), { resourceVersion: from }, async (stream) => {
    const written = await Promise.all(
      made.map(async ({ name }) => {
        const versions: string[] = [];
        for (let count = 1; count <= changes; count += 1) {
          const change = { metadata: { annotations: { 'kube-api-conformance/step': String(count) } } };
          const path = pathTo(resource, 'patch', namespace, name);
          const reply = await succeed(client, 'PATCH', path, change, mergePatch);
          versions.push(`${name} at version ${versionOf(reply)}`);
        }
        return versions;
      }),
    );
    const names = new Set(made.map(({ name }) => name));
    const own = (): string[] =>
      eventsOf(stream).flatMap(({ name, version }) => (names.has(name) ? [`${name} at version ${version}`] : []));
    const all = written.flat();
    await stream.until(() => {
      const seen = new Set(own());
      return all.every((one) => seen.has(one));
    });
    return { request: stream.request, all, seen: own() };
  });
}

export function losesNone({ request, all, seen }: Recorded<typeof writeBurst>): void {
  const shown = new Set(seen);
  const lost = all.filter((one) => !shown.has(one));
  if (lost.length > 0) fail(`${request}: of ${all.length} changes, ${lost.length} have no event: first ${lost[0]}`);
  const twice = seen.find((one, index) => seen.indexOf(one) !== index);
  if (twice !== undefined) fail(`${request}: two events show ${twice}`);
}
