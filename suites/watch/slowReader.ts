// A watcher that does not read its stream, beside one that does.
import { fail } from '../client/expect.js';
import { at } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import { eventsAbout, watching } from '../client/streams/watches.js';
import { byId } from '../objects/related.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';

/** More events than the buffers between a server and a reader can hold. */
const writes = 40;
const bytes = 256 * 1024;

async function watchBesideSlowReader({ client, sandbox }: Context) {
  const made = await sandbox.make(byId('core/configmaps'), { change: { data: {} } });
  const { resource, name, namespace } = made;
  const path = pathTo(resource, 'list', namespace);
  const query = { resourceVersion: String(at(made.object, 'metadata', 'resourceVersion')) };
  const written: string[] = [];
  return watching(client, path, query, async (slow) => {
    slow.pause();
    return watching(client, path, query, async (attentive) => {
      for (let count = 0; count < writes; count += 1) {
        const data = { large: String(count).padEnd(bytes, '.') };
        const reply = await sandbox.attempt('change', 'PATCH', pathTo(resource, 'patch', namespace, name), { data });
        written.push(String(at(reply.tryValue(), 'metadata', 'resourceVersion')));
      }
      const received = () => eventsAbout(name, attentive).map(({ version }) => version);
      await attentive.until(() => lateOf(written, received()) === undefined);
      return { request: attentive.request, written, received: received() };
    });
  });
}

/** Returns the number of the first change that was not received; undefined if there is none. Others may write too. */
function lateOf(written: readonly string[], received: readonly string[]): number | undefined {
  const late = written.findIndex((version) => !received.includes(version));
  return late === -1 ? undefined : late + 1;
}

function isNotDelayed({ request, written, received }: Recorded<typeof watchBesideSlowReader>): void {
  const late = lateOf(written, received);
  if (late !== undefined)
    fail(`${request}: beside a watcher that does not read, change ${late} of ${writes} is not told`);
}

export const slowReaderGroups = [
  group({
    subjects: 'slowReaders',
    setup: (_, context) => watchBesideSlowReader(context),
    checks: { 'slow-reader': isNotDelayed },
  }),
];
