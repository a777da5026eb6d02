// Observes a write that must change nothing: refused, dry, or in conflict with another.
import { equal, fail, Prerequisite, status, statusObject } from '../../client/expect.js';
import { at, type JsonObject } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import type { Reply } from '../../client/reply.js';
import { annotateAnyhow } from '../anyhow.js';
import { conflicts, type Sandbox } from '../sandbox.js';
import { isSame } from './compare.js';
import {
  listedOne,
  type Past,
  readOne,
  type Seen,
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

/** Writes to one object, each of which must change nothing, by name. They get the current state of the object. */
export interface Vains<N extends string> {
  readonly written: Written;
  readonly sends: Readonly<Record<N, (current: JsonObject) => Promise<Reply>>>;
  /** Another object that a write names, and must not change either. */
  readonly beside?: Written;
}

export interface Untouched {
  readonly reply: Reply;
  readonly before: JsonObject | undefined;
  readonly read: Shown;
  /** What a list shows after the last of the writes, and the state that it must show. */
  readonly list: Shown;
  readonly last: JsonObject | undefined;
  /** The events between the state before and a later write of the suite; undefined if the watch shows no such write. */
  readonly events: readonly Past[] | undefined;
  /** Why there is no such later write: the ways to write it, with their statuses; undefined if it was written. */
  readonly unmarked: string | undefined;
  /** The other object before and after the write. */
  readonly beside?: { readonly before: Shown; readonly after: Shown };
}

const mark = 'kube-api-conformance/end-marker';

/** Sends one write that must change nothing: see `observeVains`. */
export async function observeVain(sandbox: Sandbox, prepare: () => Promise<Vain>): Promise<Untouched> {
  const { one } = await observeVains(sandbox, async () => {
    const { written, send } = await prepare();
    return { written, sends: { one: send } };
  });
  return one;
}

/**
 * Sends writes that must change nothing, and looks at the object: in a read after each of them, and after the last one
 * in a list and a watch. One more write ends the watch: no time is waited for events that must not come. Sends those
 * after which the object changed to a new object, and those that could not be told apart: a controller changes an object
 * only soon after its create, and a server that executes the write changes every object.
 */
export async function observeVains<N extends string>(
  sandbox: Sandbox,
  prepare: () => Promise<Vains<N>>,
): Promise<Readonly<Record<N, Untouched>>> {
  const seen = {} as Record<N, Untouched>;
  const tries = new Map<N, number>();
  for (;;) {
    const vains = await prepare();
    const left = (Object.keys(vains.sends) as N[]).filter((name) => !Object.hasOwn(seen, name));
    const fresh = left.filter((name) => !tries.has(name));
    // A write after which the object had changed is sent alone, so that nothing else is blamed for it.
    const round = await observeRound(sandbox, vains, fresh.length > 0 ? fresh : left.slice(0, 1));
    const culprit = round.length > 1 ? round.find(([, { hasMoved }]) => hasMoved) : undefined;
    for (const [name, { hasMoved, isMoved, ...untouched }] of culprit === undefined ? round : [culprit]) {
      const count = (tries.get(name) ?? 0) + 1;
      tries.set(name, count);
      if (!isMoved || count === conflicts) seen[name] = untouched;
    }
    if (left.every((name) => Object.hasOwn(seen, name))) return seen;
  }
}

/** Sends writes to one object, up to the first one after which a read shows another object. */
async function observeRound<N extends string>(
  sandbox: Sandbox,
  { written, sends, beside }: Vains<N>,
  names: readonly N[],
): Promise<readonly (readonly [N, Untouched & { readonly hasMoved: boolean; readonly isMoved: boolean }])[]> {
  const start = versionOf(written.object) ?? (await versionBefore(sandbox, written));
  interface Done extends Pick<Untouched, 'reply' | 'before' | 'beside'> {
    readonly name: N;
    readonly read: Seen;
    readonly hasOtherMoved: boolean;
  }
  const done: Done[] = [];
  let before = written.object;
  let other = beside && (await readOne(sandbox, beside));
  for (const name of names) {
    const reply = await sends[name](before ?? {});
    const [read, after] = await Promise.all([readOne(sandbox, written), beside && readOne(sandbox, beside)]);
    done.push({
      ...{ name, reply, before, read },
      ...(other && after && { beside: { before: other.shown, after: after.shown } }),
      hasOtherMoved: other?.version !== after?.version,
    });
    if (read.version !== versionOf(before)) break;
    before = 'object' in read.shown ? read.shown.object : before;
    other = after;
  }
  const final = done.at(-1) ?? fail('no write was sent');
  const hasMoved = ({ before, read }: Pick<Done, 'before' | 'read'>): boolean => read.version !== versionOf(before);
  const list = await listedOne(sandbox, written, written.namespace);
  const value = sandbox.name();
  const unmarked = await writeMarker(sandbox, written, value);
  const isMarker = ({ object }: Past): boolean => at(object, 'metadata', 'annotations', mark) === value;
  const { states } = await statesInWatch(sandbox, written, unmarked === undefined ? start : undefined, (told) =>
    told.some((state) => isMarker(state) || state.type === 'DELETED'),
  );
  const end = states.findIndex(isMarker);
  const isOver = end >= 0 || states.some(({ type }) => type === 'DELETED');
  const events = isOver ? states.slice(0, end < 0 ? states.length : end) : undefined;
  return done.map(({ name, read, hasOtherMoved, ...one }) => {
    const moved = hasMoved({ ...one, read });
    return [
      name,
      {
        ...one,
        read: read.shown,
        list: list.shown,
        last: 'object' in final.read.shown ? final.read.shown.object : undefined,
        events,
        unmarked,
        hasMoved: moved,
        isMoved: moved || hasOtherMoved || (events ?? []).length > 0 || isOlderOrNewer(list, final.read),
      },
    ] as const;
  });
}

/** Reports whether a list shows the object at another version than a read; one that shows no object is wrong at once. */
const isOlderOrNewer = (list: Seen, read: Seen): boolean => 'object' in list.shown && list.version !== read.version;

/** Changes the object, or creates the absent one. Returns what was tried if nothing worked. */
async function writeMarker(sandbox: Sandbox, written: Written, value: string): Promise<string | undefined> {
  const { client } = sandbox;
  const { resource, name, namespace, object } = written;
  if (object !== undefined) return annotateAnyhow(client, pathTo(resource, 'patch', namespace, name), mark, value);
  const reply = await client.send({
    method: 'POST',
    path: pathTo(resource, 'create', namespace),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      sandbox.body(resource, name, namespace, { change: { metadata: { annotations: { [mark]: value } } } }),
    ),
  });
  return reply.status > 299 ? `create: ${reply.status} ${reply.excerpt()}` : undefined;
}

/**
 * Throws Failure unless the object is what it was in the read, the list and the watch, its version included; Prerequisite
 * if no later write ends the watch.
 */
export function isUntouched({ reply, before, read, list, last, events, unmarked, beside }: Untouched): void {
  isStill(before, read, `${reply.request}, then a read`);
  isStill(last, list, `${reply.request}, then a list`);
  if (beside !== undefined && 'object' in beside.before)
    isStill(beside.before.object, beside.after, `${reply.request}, then a read of the other object`);
  if (unmarked !== undefined)
    throw new Prerequisite(`${reply.request}, then a write to end the watch: no effect (${unmarked})`);
  equal(events?.length ?? 0, 0, `${reply.request}, then a watch: the number of events of the object`);
}

/** Throws Failure unless a write was refused with one of the codes and reasons, and left the object untouched. */
export function isRefused(untouched: Untouched, codes: readonly number[], reasons: readonly string[]): void {
  status(untouched.reply, ...codes);
  statusObject(untouched.reply, ...reasons);
  isUntouched(untouched);
}

function isStill(before: JsonObject | undefined, shown: Shown, what: string): void {
  if (before === undefined) {
    if ('object' in shown) fail(`${what}: the object is there`);
  } else if ('object' in shown) isSame(shown.object, before, what);
  else fail(`${what}: ${shown.lack}`);
}
