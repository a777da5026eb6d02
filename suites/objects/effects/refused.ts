// Observes a write that must change nothing: refused, dry, or in conflict with another.
import { equal, fail } from '../../client/expect.js';
import { at, type JsonObject } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { conflicts, type Sandbox } from '../sandbox.js';
import { isSame } from './compare.js';
import {
  listedOne,
  type Past,
  readOne,
  type Shown,
  statesInWatch,
  versionBefore,
  versionOf,
  type Written,
} from './places.js';

/** A write that must change nothing, and its object; an object without a state must stay absent. */
export interface Vain {
  readonly written: Written;
  readonly send: () => Promise<Reply>;
}

export interface Untouched {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly read: Shown;
  readonly list: Shown;
  /** The events between the state before and a later write of the suite; undefined if the watch shows no such write. */
  readonly events: readonly Past[] | undefined;
  /** The response to that later write. */
  readonly marker: Reply;
}

const mark = 'kube-api-conformance/end-marker';

/**
 * Sends a write that must change nothing, and looks at the object in a read, a list and a watch. One more write ends the
 * watch: no time is waited for events that must not come. Repeats all with a new object if the object changed: a
 * controller changes an object only soon after its create, and a server that executes the write changes every object.
 */
export async function observeVain(sandbox: Sandbox, prepare: () => Promise<Vain>): Promise<Untouched> {
  for (let attempt = 1; ; attempt += 1) {
    const { written, send } = await prepare();
    const before = written.object;
    const start = versionOf(before) ?? (await versionBefore(sandbox, written));
    const reply = await send();
    const [read, list] = await Promise.all([readOne(sandbox, written), listedOne(sandbox, written, written.namespace)]);
    const value = sandbox.name();
    const marker = await writeMarker(sandbox, written, value);
    const isMarker = ({ object }: Past): boolean => at(object, 'metadata', 'annotations', mark) === value;
    const { states } = await statesInWatch(sandbox, written, marker.status > 299 ? undefined : start, (told) =>
      told.some((state) => isMarker(state) || state.type === 'DELETED'),
    );
    const end = states.findIndex(isMarker);
    const isOver = end >= 0 || states.some(({ type }) => type === 'DELETED');
    const events = isOver ? states.slice(0, end < 0 ? states.length : end) : undefined;
    const isMoved = read.version !== versionOf(before) || (events ?? []).length > 0;
    if (!isMoved || attempt === conflicts) {
      return { reply, before, read: read.shown, list: list.shown, events, marker };
    }
  }
}

/** Changes the object, or creates the absent one. */
function writeMarker(sandbox: Sandbox, written: Written, value: string): Promise<Reply> {
  const { resource, name, namespace, object } = written;
  const metadata = { annotations: { [mark]: value } };
  const change = { metadata };
  if (object === undefined) {
    const created = sandbox.body(resource, name, namespace, { change });
    return sendAs('POST', pathTo(resource, 'create', namespace), created, 'application/json');
  }
  return sendAs('PATCH', pathTo(resource, 'patch', namespace, name), change, 'application/merge-patch+json');

  function sendAs(method: string, path: string, content: JsonObject, type: string): Promise<Reply> {
    return sandbox.client.send({ method, path, headers: { 'content-type': type }, body: JSON.stringify(content) });
  }
}

/** Throws Failure unless the object is what it was in the read, the list and the watch, its version included. */
export function isUntouched({ reply, before, read, list, events, marker }: Untouched): void {
  for (const [place, shown] of Object.entries({ read, list })) {
    const what = `${reply.request}, then a ${place}`;
    if (before === undefined) {
      if ('object' in shown) fail(`${what}: the object is there`);
    } else if ('object' in shown) isSame(shown.object, before, what);
    else fail(`${what}: ${shown.lack}`);
  }
  if (marker.status > 299) {
    fail(`${reply.request}, then ${marker.request}: expected success, got ${marker.status} ${marker.excerpt()}`);
  }
  equal(events?.length ?? 0, 0, `${reply.request}, then a watch: the number of events of the object`);
}
