// Removes events some time after they were last written: nobody else does, and a server may run for weeks.
import type { Controller } from '../../controllers/controller.js';
import type { Store } from '../../registry/store.js';
import { type KubeObject, objectKeyIn } from '../../schema/object.js';
import { unless } from '../../statusError.js';

/** In milliseconds, as kube-apiserver has it by default (`--event-ttl`). */
const timeToLive = 60 * 60_000;
/** How exactly the time is kept, in milliseconds: many events can go together. */
const step = 10_000;

/**
 * Returns when an event was last written, in milliseconds since 1970: by its managers, or by a controller of this server,
 * which says so in the event. A time to come is a mistake of a client.
 */
function lastWriteOf(event: KubeObject, now: number): number {
  const { creationTimestamp, managedFields = [] } = event.metadata;
  const { lastTimestamp } = event as { readonly lastTimestamp?: string | null };
  const times = [creationTimestamp, lastTimestamp, ...managedFields.map(({ time }) => time)];
  return Math.max(0, ...times.map((time) => Date.parse(time ?? '')).filter((time) => time <= now));
}

export const eventExpiry = (events: Pick<Store, 'delete'>, now: () => Date): Controller => ({
  name: 'event-expiry',
  resource: 'core/events',
  async reconcile(event) {
    const present = now().getTime();
    const left = lastWriteOf(event, present) + timeToLive - present;
    if (left > 0) return Math.ceil(left / step) * step;
    const { uid } = event.metadata;
    await events
      .delete(objectKeyIn(event), { dryRun: false, ...(uid !== undefined && { uid }) })
      .catch(unless(404, 409));
    return undefined;
  },
});
