// The places that show an object: the response to a write, a read, lists, and a watch with its past states.
import { defined, type Resource } from '../../../matrix/api/index.js';
import { at, isObject, itemsOf, type JsonObject } from '../../client/json.js';
import { pathTo, selectingName } from '../../client/paths.js';
import { NoAnswer, type Reply } from '../../client/reply.js';
import { eventsAbout, watching } from '../../client/streams/watches.js';
import type { Transport } from '../../client/whole.js';
import type { CreatedObject, Sandbox } from '../sandbox.js';

/** An object to write: `object` is its last known state, absent before a create. */
export type Written = Pick<CreatedObject, 'resource' | 'name' | 'namespace'> & { readonly object?: JsonObject };

/** The state of an object as one place shows it, or what the place shows instead. */
export type Shown = { readonly object: JsonObject } | { readonly lack: string };

/** A state that a place shows, with its version. */
export interface Seen {
  readonly shown: Shown;
  readonly version: string | undefined;
}

/** A place that the observer did not ask, or that the kind does not have. */
export const unasked: Seen = { shown: { lack: 'not asked' }, version: undefined };

/** The watch after a write that changed nothing: it has no version of its own, and no event. */
export const unchanged: Seen = {
  shown: { lack: 'no event, as the write left the resourceVersion as it was' },
  version: undefined,
};

export function versionOf(object: unknown): string | undefined {
  const version = at(object, 'metadata', 'resourceVersion');
  return typeof version === 'string' && version !== '' ? version : undefined;
}

const seen = (object: JsonObject): Seen => ({ shown: { object }, version: versionOf(object) });
const lacking = (lack: string): Seen => ({ shown: { lack }, version: undefined });

export function answered(reply: Reply, resource: Resource, name: string): Seen {
  const body = reply.tryValue();
  if (reply.status > 299 || !isObject(body)) return lacking(`${reply.status} ${reply.excerpt()}`);
  if (body.kind !== resource.kind) return lacking(`a ${String(body.kind)}, not the ${resource.kind}`);
  return at(body, 'metadata', 'name') === name ? seen(body) : lacking(`an object of another name: ${reply.excerpt()}`);
}

/** Reads the object; `over` is the way to send the request, if it is not that of the client. */
export async function readOne(
  { client }: Sandbox,
  { resource, name, namespace }: Written,
  over?: Transport,
): Promise<Seen> {
  const path = pathTo(resource, 'read', namespace, name);
  const reply = await client.send({ method: 'GET', path, ...defined({ over }) });
  const body = reply.tryValue();
  return reply.status === 200 && isObject(body) ? seen(body) : lacking(`${reply.status} ${reply.excerpt()}`);
}

/** Lists a namespace, or all, narrowed to the name if the target selects by it. Items get the type of the list. */
export async function listedOne({ client }: Sandbox, written: Written, where: string | undefined): Promise<Seen> {
  const { resource, name, namespace } = written;
  const path = listPath(resource, where);
  if (path === undefined) return unasked;
  let reply = await client.send({ method: 'GET', path: `${path}?${selectingName(name)}` });
  if (reply.status === 400) reply = await client.send({ method: 'GET', path });
  if (reply.status !== 200) return lacking(`${reply.status} ${reply.excerpt()}`);
  const list = reply.tryValue();
  const items = itemsOf(list).filter(
    ({ metadata }) => at(metadata, 'name') === name && at(metadata, 'namespace') === namespace,
  );
  const [item] = items;
  if (item === undefined || items.length > 1) return lacking(`${items.length} items named ${name}`);
  return seen({ ...defined({ apiVersion: at(list, 'apiVersion') }), kind: resource.kind, ...item });
}

/** Reports whether a state is that of a place that was asked. */
export const wasAsked = (shown: Shown): boolean => shown !== unasked.shown && shown !== unchanged.shown;

/** Returns the path of a list; undefined if the kind states no list of all namespaces. */
function listPath(resource: Resource, namespace: string | undefined): string | undefined {
  if (!resource.namespaced || namespace !== undefined) return pathTo(resource, 'list', namespace);
  return resource.stated.includes('listAll') ? pathTo(resource, 'listAll', undefined) : undefined;
}

/** Returns a version at which the object does not exist yet: that of a list without it. */
export async function versionBefore(
  { client }: Sandbox,
  { resource, name, namespace }: Written,
): Promise<string | undefined> {
  const path = `${pathTo(resource, 'list', namespace)}?${selectingName(name)}`;
  return versionOf((await client.send({ method: 'GET', path })).tryValue());
}

/** A state of the object as an event of a watch shows it. */
export interface Past {
  readonly type: unknown;
  readonly object: JsonObject;
}

/** The states since a version, in order, and what the watch lacks if the wanted one is not among them. */
export interface History {
  readonly states: readonly Past[];
  readonly lack: string;
}

/**
 * Watches the object from a version until the states are enough, or as long as events may take. A watch that does not
 * begin is a lack of the watch alone.
 */
export async function statesInWatch(
  { client }: Sandbox,
  { resource, name, namespace }: Written,
  resourceVersion: string | undefined,
  areEnough: (states: readonly Past[]) => boolean,
): Promise<History> {
  if (resourceVersion === undefined) return { states: [], lack: 'no version to watch from' };
  const query = { resourceVersion, fieldSelector: `metadata.name=${name}` };
  const begun = watching(client, pathTo(resource, 'list', namespace), query, async (stream): Promise<History> => {
    if (stream.refusal !== undefined) return { states: [], lack: `${stream.status} ${stream.refusal.excerpt()}` };
    const states = (): readonly Past[] => eventsAbout(name, stream).map(({ type, object }) => ({ type, object }));
    await stream.until(() => areEnough(states()));
    const told = states();
    return { states: told, lack: `${told.length} events from version ${resourceVersion}, none of the write` };
  });
  return begun.catch((error: unknown) => {
    if (error instanceof NoAnswer) return { states: [], lack: error.message };
    throw error;
  });
}
