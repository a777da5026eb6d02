// Selections of a watch: objects that start and stop to match by a label or a field, and the watches that see it.
import { defined } from '../../matrix/api/index.js';
import type { Client } from '../client/client.js';
import { Prerequisite } from '../client/expect.js';
import { at, type JsonObject, merge } from '../client/json.js';
import { pathTo } from '../client/paths.js';
import type { Stream } from '../client/streams/stream.js';
import { eventsAbout, eventsOf, type WatchEvent, type WatchQuery, watching } from '../client/streams/watches.js';
import { type CreatedObject, groupLabel, type Sandbox } from '../objects/sandbox.js';
import { putChanged } from '../objects/writes.js';
import type { Context } from '../run/context.js';
import { change, versionNow, type WatchForm } from './forms.js';

export const labelled = (value: string): JsonObject => ({ metadata: { labels: { [groupLabel]: value } } });

/** The label of the object that the narrower watches leave out. */
const sideLabel = 'kube-api-conformance/side';
const aside: JsonObject = { metadata: { labels: { [sideLabel]: 'b' } } };
/** The label of the last object alone. */
const lastLabel = 'kube-api-conformance/last';
const marked: JsonObject = { metadata: { labels: { [lastLabel]: '' } } };

/** A selection that an object enters and leaves, by a label or by a field that clients can write. */
interface Selection {
  readonly query: WatchQuery;
  readonly into: JsonObject;
  readonly out: JsonObject;
  /** Whether the field is one of the status, which another path writes. */
  readonly ofStatus?: true;
  /** Watches of some of the objects: those without the other label, or the one of this name. */
  readonly narrower?: (mover: string) => readonly WatchQuery[];
}

export const byLabel = (id: string): Selection => {
  const query = { labelSelector: `${groupLabel}=${id}` };
  return {
    query,
    into: labelled(id),
    out: labelled(`${id}-left`),
    narrower: (mover) => [
      { labelSelector: `${groupLabel} in (${id}-none, ${id}),${sideLabel} notin (a, b)` },
      { labelSelector: `${groupLabel}==${id},${sideLabel}!=b`, fieldSelector: '' },
      { labelSelector: `${groupLabel}=${id},!${sideLabel}` },
      { ...query, fieldSelector: `metadata.name=${mover}` },
    ],
  };
};

/** Fields, other than name and namespace, that clients can write and by which a kind is selected. */
export const byField: Readonly<Record<string, Selection>> = {
  'core/nodes': {
    query: { fieldSelector: 'spec.unschedulable=true' },
    into: { spec: { unschedulable: true } },
    out: { spec: { unschedulable: false } },
  },
  'core/pods': {
    query: { fieldSelector: 'status.phase=Running' },
    into: { status: { phase: 'Running' } },
    out: { status: { phase: 'Pending' } },
    ofStatus: true,
  },
};

/**
 * Watches a selection while an object enters and leaves it, and another object matches from its create. The event of a
 * last object shows that no more events are to come.
 */
export async function move({ client, sandbox }: Context, form: WatchForm, selection: Selection) {
  const { query, into, out, ofStatus, narrower } = selection;
  const resourceVersion = await versionNow(sandbox, form);
  const name = sandbox.name(form.resource);
  const queries = [query, ...(narrower?.(name) ?? [])].map((each) => ({ resourceVersion, ...each }));
  return watchingAll(client, form.path, queries, async ([stream, ...others]) => {
    const write = (made: CreatedObject, fields: JsonObject): Promise<JsonObject> =>
      ofStatus ? putStatus(sandbox, made, fields) : change(sandbox, made, fields);
    const make = async (fields: JsonObject): Promise<CreatedObject> => {
      const made = await sandbox.make(form.resource, { change: fields });
      if (ofStatus) await putStatus(sandbox, made, fields);
      return made;
    };
    const mover = await sandbox.make(form.resource, { name, change: out });
    const stays = await make(merge(into, aside));
    const entered = await write(mover, into);
    const left = await write(mover, out);
    const last = await make(merge(into, marked));
    const comes = ({ name }: CreatedObject, on: Stream) => on.until(() => eventsAbout(name, on).length > 0);
    await comes(last, stream);
    const about = ({ name }: { name: string }) => eventsAbout(name, stream);
    return {
      ...seenIn(stream),
      into,
      made: [mover, stays, last].map(({ name }) => name),
      mover: { events: about(mover), entered: versionOf(entered), left: versionOf(left) },
      stays: about(stays),
      last: about(last),
      narrower: await Promise.all(
        others.map(async (other, index) => {
          const byFields = Boolean(queries[index + 1]?.fieldSelector);
          const isOver = (): boolean => typesOf(eventsAbout(mover.name, other)).includes('DELETED');
          await (byFields ? other.until(isOver) : comes(last, other));
          const selected = byFields ? [mover.name] : [mover.name, last.name];
          return { ...seenIn(other), byFields, selected, mover: eventsAbout(mover.name, other) };
        }),
      ),
      begun: narrower === undefined ? [] : await begun(client, form, query, stays, last),
    };
  });
}

/**
 * Watches from any version, as clients do that have listed nothing: what is there, by both labels, or by a label and a
 * name. Each selection leaves the object `stays` out.
 */
function begun(
  client: Client,
  { path }: WatchForm,
  { labelSelector }: WatchQuery,
  stays: CreatedObject,
  { name }: CreatedObject,
) {
  const queries: readonly WatchQuery[] = [
    { labelSelector: `${labelSelector},!${sideLabel}` },
    { labelSelector: `${labelSelector},${lastLabel}` },
    { ...defined({ labelSelector }), fieldSelector: `metadata.name=${name}` },
    { ...defined({ labelSelector }), fieldSelector: `metadata.name!=${stays.name}` },
  ];
  return Promise.all(
    queries.map((query) =>
      watching(client, path, { resourceVersion: '0', ...query }, async (stream) => {
        await stream.until(() => eventsAbout(name, stream).length > 0);
        return { ...seenIn(stream), byFields: query.fieldSelector !== undefined };
      }),
    ),
  );
}

async function putStatus(sandbox: Sandbox, made: CreatedObject, fields: JsonObject): Promise<JsonObject> {
  const path = pathTo(made.resource, 'replaceStatus', made.namespace, made.name);
  const reply = await putChanged(sandbox, made, path, (object) => merge(object, fields));
  if (reply.status > 299) throw new Prerequisite(`${reply.request}: ${reply.status} ${reply.excerpt()}`);
  return reply.value() as JsonObject;
}

/** Opens a watch for each query, and passes all of them to `read`. */
async function watchingAll<T>(
  client: Client,
  path: string,
  [query = {}, ...queries]: readonly WatchQuery[],
  read: (streams: readonly [Stream, ...Stream[]]) => Promise<T>,
): Promise<T> {
  return watching(client, path, query, (stream) =>
    queries.length === 0 ? read([stream]) : watchingAll(client, path, queries, (streams) => read([stream, ...streams])),
  );
}

/** Returns what a check needs of a stream. */
export const seenIn = (stream: Stream) => ({
  request: `${stream.request}, ${stream.status}`,
  status: stream.status,
  events: eventsOf(stream),
});

export const versionOf = (object: JsonObject): string => String(at(object, 'metadata', 'resourceVersion'));

export const typesOf = (events: readonly WatchEvent[]): string => events.map(({ type }) => String(type)).join();
