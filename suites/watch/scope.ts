// The reach of a watch: every write in its path is an event, whoever writes and however, and no write beside it is.
import { type Operation, type Resource, resourceId } from '../../matrix/api/index.js';
import { equal, fail, Prerequisite } from '../client/expect.js';
import { at, brief, isEnding, type JsonObject } from '../client/json.js';
import { fill } from '../client/paths.js';
import { eventsOf, type WatchEvent, watching } from '../client/streams/watches.js';
import { difference } from '../objects/effects/index.js';
import type { Sandbox } from '../objects/sandbox.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group, type Recorded } from '../run/group.js';
import { versionNow } from './forms.js';
import { type Cast, castOf, type ToldWrite, tell } from './story.js';

/** A story that was written, and a version from which a watch sees all of it. */
interface Written {
  readonly cast: Cast;
  readonly start: string;
  readonly writes: readonly ToldWrite[];
}

/** The stories of a run, by kind: the contexts of a worker share them, and a story under way is waited for. */
const known = new WeakMap<object, Map<string, Promise<Written | undefined>>>();
const keyOf = (resource: Resource): string => `${resource.groupVersion.prefix} ${resourceId(resource)}`;

/**
 * Watches a path while the story is written, or from the version before it if another case wrote it. A server that has
 * forgotten that version gets a new story.
 */
async function followed({ operation }: OperationSubject, context: Context): Promise<Seen> {
  const { resource } = operation;
  if (resource === undefined) throw new Prerequisite('a watch without a resource');
  const stories = known.get(context.run) ?? new Map<string, Promise<Written | undefined>>();
  known.set(context.run, stories);
  const key = keyOf(resource);
  for (let story = stories.get(key); story !== undefined; story = stories.get(key)) {
    const written = await story;
    if (written === undefined) {
      if (stories.get(key) === story) stories.delete(key);
      continue;
    }
    const seen = await watchStory(operation, context, written.cast, written.start, async () => written.writes);
    if (!isExpired(seen)) return seen;
    if (stories.get(key) === story) stories.delete(key);
  }
  let finish: (written: Written | undefined) => void = () => undefined;
  stories.set(key, new Promise((resolve) => (finish = resolve)));
  try {
    return await liveStory(operation, resource, context, finish);
  } finally {
    // a story that could not be written is written again by the next case
    finish(undefined);
  }
}

async function liveStory(
  operation: Operation,
  resource: Resource,
  context: Context,
  finish: (written: Written) => void,
): Promise<Seen> {
  const { sandbox } = context;
  const cast = await castOf(sandbox, resource);
  const start = await versionNow(sandbox, { resource, ...inNamespace(cast.here) });
  return watchStory(operation, context, cast, start, async () => {
    const writes = await tell(sandbox, cast);
    finish({ cast, start, writes });
    return writes;
  });
}

const inNamespace = (namespace: string | undefined) => (namespace === undefined ? {} : { namespace });

async function watchStory(
  operation: Operation,
  { client, sandbox }: Context,
  cast: Cast,
  resourceVersion: string,
  write: () => Promise<readonly ToldWrite[]>,
) {
  const path = fill(operation.path, cast.here, cast.name);
  return watching(client, path, { resourceVersion }, async (stream) => {
    const all = await write();
    const writes = all.filter((each) => isInPath(operation, cast, each));
    // The last write is in every path. What is not told before it has no event.
    const isTold = (write: ToldWrite): boolean => eventsOf(stream).some((event) => reports(event, write, all));
    await stream.until(() => writes.every(isTold) || isExpired({ status: stream.status, events: eventsOf(stream) }));
    const untold = await withoutHeld(
      sandbox,
      cast,
      writes.filter((write) => !isTold(write)),
    );
    // What a controller has finished just now is told a moment later.
    if (untold.some(({ type }) => type === 'DELETED')) await stream.until(() => untold.every(isTold));
    return {
      ...{ operation, cast, all, resourceVersion },
      ...{ request: stream.request, status: stream.status, refusal: stream.refusal, events: eventsOf(stream) },
      writes,
      untold: untold.filter((write) => !isTold(write)),
    };
  });
}

type Seen = Recorded<typeof watchStory>;

/** Watches the story again with `watch=false`: under the prefix, the path decides. */
function followedUnasked({ operation }: OperationSubject, { client }: Context, { cast, resourceVersion }: Seen) {
  const path = fill(operation.path, cast.here, cast.name);
  return watching(client, path, { resourceVersion, watch: 'false' }, async (stream) => {
    await stream.until((events) => events.length > 0);
    return { request: stream.request, status: stream.status, first: eventsOf(stream)[0] };
  });
}

/** Leaves out the removals of objects that are still there: a controller has to finish them. */
async function withoutHeld(sandbox: Sandbox, { resource }: Cast, untold: readonly ToldWrite[]): Promise<ToldWrite[]> {
  const missing = [];
  for (const write of untold) {
    const { type, name, namespace, uid } = write;
    const left = type === 'DELETED' && (await sandbox.current({ resource, name, ...inNamespace(namespace) }));
    const isLeaving = left && at(left, 'metadata', 'uid') === uid && isEnding(left);
    if (!isLeaving) missing.push(write);
  }
  return missing;
}

const isExpired = ({ status, events }: Pick<Seen, 'status' | 'events'>): boolean =>
  status === 410 || events.some(({ type, object }) => type === 'ERROR' && at(object, 'code') === 410);

/** Reports whether a path shows the object of a write, or of an event. */
function isInPath(
  { verb, path }: Operation,
  { name, here }: Cast,
  object: { readonly name: string; readonly namespace?: string },
): boolean {
  if (verb === 'watchOne' && object.name !== name) return false;
  return !path.includes('{namespace}') || object.namespace === here;
}

/** Reports whether an event is that of a write. A response without the object is told from the other writes by its effect. */
function reports({ type, object, version }: WatchEvent, write: ToldWrite, all: readonly ToldWrite[]): boolean {
  if (type !== write.type || at(object, 'metadata', 'uid') !== write.uid) return false;
  if (write.version !== undefined) return version === write.version;
  if (write.isEffect === undefined) return true;
  return write.isEffect(object) && !all.some((other) => other.uid === write.uid && other.version === version);
}

const words = ({ what, name, namespace }: ToldWrite): string =>
  `${what}, ${namespace === undefined ? name : `${namespace}/${name}`}`;

function streams({ request, status, refusal, events }: Seen): void {
  equal(status, 200, `${request}: ${refusal?.excerpt() ?? 'status'}`);
  const malformed = events.find(({ type }) => typeof type !== 'string');
  if (malformed !== undefined) fail(`${request}: it is not a stream of changes: ${brief(malformed.streamed.value)}`);
}

function beginsWithCreates(seen: Seen): void {
  streams(seen);
  const missing = seen.untold.find(({ type }) => type === 'ADDED');
  if (missing !== undefined) fail(`${seen.request}: no ADDED for ${words(missing)}`);
}

/** Throws Failure if an event is about an object beside the path, or removes one that is there. */
function staysInPath({ operation, cast, all, request, events }: Seen): void {
  if (events.length === 0) fail(`${request}: no events of the objects of the path`);
  for (const event of events) {
    const { type, name, namespace, object } = event;
    if (type === 'ERROR' || type === 'BOOKMARK') continue;
    const what = `${request}: ${brief(type)} of ${[namespace, name].filter(Boolean).join('/')}`;
    if (!isInPath(operation, cast, event)) fail(`${what}, which is not in the path`);
    const uid = at(object, 'metadata', 'uid');
    const own = all.filter((write) => write.uid === uid);
    if (own.length > 0 && type === 'DELETED' && !own.some((write) => write.type === 'DELETED'))
      fail(`${what}, which was not deleted`);
    const isNamesake = own.length > 0 && own[0]?.namespace !== undefined && own[0].namespace !== namespace;
    if (isNamesake) fail(`${what}, whose uid is of ${own[0]?.namespace}`);
  }
}

function tellsEach(seen: Seen): void {
  streams(seen);
  const [first, ...others] = seen.untold;
  if (first === undefined) return;
  const version = first.version === undefined ? '' : ` at version ${first.version}`;
  const more = others.length === 0 ? '' : `, nor for ${others.map(words).join('; ')}`;
  fail(`${seen.request}: no ${first.type}${version} for ${words(first)}${more}`);
}

/** Throws Failure unless each write has one event, with the object that the write returned, in the order of the writes. */
function tellsItsState(seen: Seen): void {
  streams(seen);
  isInOrder(seen);
  for (const write of seen.writes) {
    const told = seen.events.filter((event) => reports(event, write, seen.all));
    // A state that several writes have is reported with each of them.
    if (write.isEffect === undefined) {
      const isUntold = seen.untold.includes(write) || told.length === 0;
      equal(isUntold ? 1 : told.length, 1, `${seen.request}: ${write.type} for ${words(write)}`);
    }
    const [event] = told;
    if (event === undefined || write.object === undefined) continue;
    const found = difference(withoutLink(event.object), withoutLink(write.object));
    if (found !== undefined) fail(`${seen.request}: ${write.type} for ${words(write)}, against its response: ${found}`);
  }
}

/** The writes came one after the other. A controller may finish a removal later. */
function isInOrder({ request, events, writes, all }: Seen): void {
  let [place, before] = [-1, ''];
  for (const write of writes.filter(({ type }) => type !== 'DELETED')) {
    const index = events.findIndex((event) => reports(event, write, all));
    if (index < 0) continue;
    if (index < place) fail(`${request}: ${write.type} for ${words(write)} comes before the event of ${before}`);
    [place, before] = [index, words(write)];
  }
}

/** A selfLink is of the request. */
function withoutLink(object: JsonObject): JsonObject {
  const { selfLink: _, ...metadata } = Object(object.metadata) as JsonObject;
  return { ...object, metadata };
}

export const reachGroups = [
  group({ subjects: 'listForms', setup: followed, checks: { 'list-form': beginsWithCreates } }),
  group({
    subjects: 'prefixForms',
    setup: async (subject, context) => {
      const seen = await followed(subject, context);
      return { seen, unasked: await followedUnasked(subject, context, seen) };
    },
    checks: {
      'prefix-form': ({ seen, unasked: { request, status, first } }) => {
        beginsWithCreates(seen);
        equal(status, 200, `${request}: status`);
        equal(typeof first?.type, 'string', `${request}: it is a stream of changes`);
      },
    },
  }),
  group({
    subjects: 'writtenWatches',
    setup: followed,
    checks: { scope: staysInPath, 'every-write': tellsEach, 'one-state': tellsItsState },
  }),
];
