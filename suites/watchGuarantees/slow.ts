// A watcher that does not read, beside one that does and a writer.
import { fail } from '../support/expect.js';
import { at } from '../support/json.js';
import type { Recorded } from '../support/recorded.js';
import { byId } from '../support/related.js';
import { pathTo } from '../support/scope.js';
import { eventsAbout, watching } from '../support/watching.js';
import type { Context } from '../support/worker.js';

/** More than the buffers between a server and a reader hold. */
const writes = 40;
const bytes = 256 * 1024;

export async function besideASlowOne({ client, scope }: Context) {
  const made = await scope.make(byId('core/configmaps'), { change: { data: {} } });
  const { resource, name, namespace } = made;
  const path = pathTo(resource, 'list', namespace);
  const query = { resourceVersion: String(at(made.object, 'metadata', 'resourceVersion')) };
  const written: string[] = [];
  return watching(client, path, query, async (slow) => {
    slow.pause();
    return watching(client, path, query, async (attentive) => {
      for (let count = 0; count < writes; count += 1) {
        const data = { large: String(count).padEnd(bytes, '.') };
        const reply = await scope.attempt('change', 'PATCH', pathTo(resource, 'patch', namespace, name), { data });
        written.push(String(at(reply.tryValue(), 'metadata', 'resourceVersion')));
      }
      const told = () => eventsAbout(name, attentive).map(({ version }) => version);
      await attentive.until(() => told().length >= written.length);
      return { request: attentive.request, written, told: told() };
    });
  });
}

export function isNotHeldUp({ request, written, told }: Recorded<typeof besideASlowOne>): void {
  const late = written.findIndex((version) => !told.includes(version));
  if (late !== -1) fail(`${request}: beside a watcher that does not read, change ${late + 1} of ${writes} is not told`);
}
