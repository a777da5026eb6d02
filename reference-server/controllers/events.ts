// The events of controllers: one for each thing that they do, and a count for what they do again.
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { timestamp } from '../registry/metadata.js';
import type { Store } from '../registry/store.js';
import type { KubeObject, ObjectKey } from '../schema/object.js';
import { reportError, StatusError } from '../statusError.js';

/** What a controller says about an object. */
export interface Remark {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** The kind of the object as the event names it. */
interface About {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Writes the event of a remark about an object. A refused event is not an error. */
export type Note = (object: KubeObject, about: About, remark: Remark) => Promise<void>;

/** The stores that events need. */
export interface EventParts {
  readonly events: Pick<Store, 'create' | 'updateInternally'>;
  readonly now: () => Date;
}

/** The objects whose events are remembered. */
const most = 4096;
/** The events of an object at once. After these, it gets one in each interval. */
const atOnce = 25;
const interval = 300_000;
/** The time for which an equal remark counts as the same, in milliseconds. */
const sameFor = 600_000;

interface Known {
  /** How many events the object may get now, at the time of its last one. */
  left: number;
  time: number;
  readonly events: Map<string, { readonly key: ObjectKey; time: number }>;
}

/** Makes the function by which a component of the server writes its events. */
export function noteBy(component: string, { events, now }: EventParts): Note {
  const known = new Map<string, Known>();
  const knownOf = (uid: string, time: number): Known => {
    const found = known.get(uid) ?? { left: atOnce, time, events: new Map() };
    known.delete(uid);
    known.set(uid, found);
    if (known.size > most) known.delete(known.keys().next().value as string);
    return found;
  };
  return async (object, about, { type, reason, message }) => {
    const time = now();
    const { uid = '' } = object.metadata;
    const state = knownOf(uid, time.getTime());
    const id = `${reason}\n${message}`;
    const before = state.events.get(id);
    if (!mayWrite(state, time.getTime())) return;
    try {
      if (before !== undefined && time.getTime() - before.time < sameFor) {
        before.time = time.getTime();
        return void (await events.updateInternally(before.key, (event) => counted(event, time)));
      }
      const event = eventOf(object, about, { type, reason, message }, component, time);
      await events.create(event.metadata.namespace, event);
      state.events.set(id, { key: event.metadata, time: time.getTime() });
    } catch (error) {
      state.events.delete(id);
      if (!(error instanceof StatusError && [403, 404, 409].includes(error.code))) reportError(error);
    }
  };
}

function mayWrite(state: Known, time: number): boolean {
  const more = Math.floor((time - state.time) / interval);
  if (more > 0 || state.left === atOnce) state.time = time;
  state.left = Math.min(atOnce, state.left + Math.max(0, more));
  if (state.left === 0) return false;
  state.left -= 1;
  return true;
}

function counted(event: KubeObject, time: Date): KubeObject {
  const { count = 1 } = event as ObjectOf<'Event'>;
  return { ...event, count: count + 1, lastTimestamp: timestamp(time) };
}

function eventOf(object: KubeObject, about: About, remark: Remark, component: string, time: Date) {
  const { name = '', namespace = 'default', uid, resourceVersion } = object.metadata;
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${micros.toString(16)}`, namespace },
    involvedObject: { kind: about.kind, namespace, name, uid, apiVersion: about.apiVersion, resourceVersion },
    ...remark,
    source: { component },
    firstTimestamp: timestamp(time),
    lastTimestamp: timestamp(time),
    count: 1,
  };
}
