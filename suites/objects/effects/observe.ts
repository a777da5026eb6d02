// Observes one write: the state before it, and the state at its version in each place that shows the object.
import { fail } from '../../client/expect.js';
import type { JsonObject } from '../../client/json.js';
import { OwnConnection } from '../../client/otherTransports.js';
import type { Reply } from '../../client/reply.js';
import { conflicts, type Sandbox } from '../sandbox.js';
import { difference } from './compare.js';
import {
  answered,
  type History,
  listedOne,
  readOne,
  type Seen,
  type Shown,
  statesInWatch,
  unasked,
  unchanged,
  versionBefore,
  versionOf,
  type Written,
  wasAsked,
} from './places.js';

/** The places that show an object: the response to the write, a read, the two lists, and a watch. */
export type Place = 'answer' | 'read' | 'list' | 'everywhere' | 'watch';

export interface Observed {
  readonly reply: Reply;
  /** The state that the write changed; undefined before a create. */
  readonly before: JsonObject | undefined;
  readonly shown: Readonly<Record<Place, Shown>>;
}

interface Options {
  /** Recognises the state after the write, if the response is not the object, as for a Binding. */
  readonly isEffect?: (object: JsonObject) => boolean;
  /**
   * Set to list the objects of all namespaces too, where the kind states that list, and to read through a connection that
   * has read the object before the write, and carries nothing else.
   */
  readonly everywhere?: boolean;
}

/**
 * Sends a write, and looks at the object in each place. At one resourceVersion an object is the same everywhere: where a
 * place is already at the version of a later writer, it must show what the watch shows at that version, and the state
 * at the version of the write is the watch's. `write` gets the last known state; it is repeated with the current one
 * after a conflict with a controller. A broken watch is a lack of the watch alone.
 */
export async function observe(
  sandbox: Sandbox,
  written: Written,
  write: (current: JsonObject) => Promise<Reply>,
  { isEffect = () => true, everywhere = false }: Options = {},
): Promise<Observed> {
  const { resource, name, namespace } = written;
  const start = versionOf(written.object) ?? (await versionBefore(sandbox, written));
  const reader = everywhere ? new OwnConnection() : undefined;
  if (reader !== undefined) await readOne(sandbox, written, reader.transport);
  const { reply, used } = await writeUntilTaken(sandbox, written, write);
  const listIn = (where: string | undefined) => listedOne(sandbox, written, where);
  const [read, list, all] = await Promise.all([
    readOne(sandbox, written, reader?.transport),
    listIn(namespace),
    everywhere && namespace !== undefined ? listIn(undefined) : unasked,
  ]);
  await reader?.close();
  const isCreate = written.object === undefined;
  const answer = answered(reply, resource, name);
  const places = { answer, read, list, everywhere: all };
  if (resource.found?.watchable === false) return judged({ reply, used, places, isEffect, isCreate });
  // What neither a read nor a list shows was not stored: no event of it will come.
  const isNowhere = [read, list].every(({ version }) => version === versionOf(used));
  const past = await statesInWatch(sandbox, written, start, (states) => {
    const versions = states.map((state) => versionOf(state.object));
    const wanted = isNowhere ? [] : Object.values(places).flatMap(({ version }) => version ?? []);
    const isOver = wanted.every((version) => version === versionOf(used) || versions.includes(version));
    return isOver && (isNowhere || states.some(({ object }) => isEffect(object)));
  });
  return judged({ reply, used, places, past, isEffect, isCreate });
}

/**
 * Throws Failure unless all places show the same object at the version of the write, bookkeeping included. A place that
 * lacks it is left to the check of that place.
 */
export function isOneState({ reply, shown }: Observed): void {
  const places = Object.entries(shown).flatMap(([place, state]) =>
    'object' in state ? [[place as Place, state.object] as const] : [],
  );
  const [first, ...others] = places;
  for (const [place, object] of others) {
    const found = difference(object, first?.[1]);
    if (found !== undefined) fail(`${reply.request}: ${words[place]} against ${words[first?.[0] ?? place]}: ${found}`);
  }
}

/** Returns the places that were asked for the object. */
export const placesOf = ({ shown }: Observed): Place[] =>
  (Object.keys(shown) as Place[]).filter((place) => wasAsked(shown[place]));

/** Returns the state that a place shows at the version of the write. Throws Failure with what it shows instead. */
export function stateIn({ reply, shown }: Observed, place: Place): JsonObject {
  const found = shown[place];
  return 'object' in found ? found.object : fail(`${reply.request}, then ${words[place]}: ${found.lack}`);
}

/** Returns the request and the place, for a message. */
export const seenIn = ({ reply }: Observed, place: Place): string => `${reply.request}, then ${words[place]}`;

const words: Readonly<Record<Place, string>> = {
  answer: 'its response',
  read: 'a read',
  list: 'a list',
  everywhere: 'a list of all namespaces',
  watch: 'a watch',
};

async function writeUntilTaken(
  sandbox: Sandbox,
  written: Written,
  write: (current: JsonObject) => Promise<Reply>,
): Promise<{ readonly reply: Reply; readonly used: JsonObject | undefined }> {
  let used = written.object;
  for (let attempt = 1; ; attempt += 1) {
    const reply = await write(used ?? {});
    if (reply.status !== 409 || used === undefined || attempt === conflicts) return { reply, used };
    used = (await sandbox.current(written)) ?? used;
  }
}

interface Evidence {
  readonly reply: Reply;
  readonly used: JsonObject | undefined;
  readonly places: Readonly<Record<Exclude<Place, 'watch'>, Seen>>;
  /** Absent if the kind has no watch. */
  readonly past?: History;
  readonly isEffect: (object: JsonObject) => boolean;
  readonly isCreate: boolean;
}

/** Finds the version of the write, and what each place shows at it. */
function judged({ reply, used, places, past, isEffect, isCreate }: Evidence): Observed {
  const { states, lack } = past ?? { states: [], lack: '' };
  const isNew = (version: string | undefined): version is string =>
    version !== undefined && version !== versionOf(used);
  const versions = states.map(({ object }) => versionOf(object));
  const asked = Object.values(places).flatMap(({ version }) => (isNew(version) ? [version] : []));
  const told = versions.find((version, index) => isNew(version) && isEffect(states[index]?.object ?? {}));
  const inAnswer = places.answer.version;
  const known = asked.filter((version) => versions.includes(version));
  // The write changed nothing: any new version is that of another writer.
  const isIdle = used !== undefined && [places.answer, places.read].every(({ version }) => version === versionOf(used));
  // The response is at the version of the write. Where it is no object, the first state with the effect is.
  const version = isIdle
    ? versionOf(used)
    : isNew(inAnswer) && known.includes(inAnswer)
      ? inAnswer
      : (told ?? mostOften(asked) ?? versionOf(used));
  const index = versions.indexOf(version);
  const event = states[index];
  const atVersion = isIdle ? { object: used } : event;
  const isOther = ({ shown, version: its }: Seen): boolean => 'object' in shown && its !== version;
  const lackOf = ({ version: its }: Seen): Shown => ({
    lack: `resourceVersion ${its ?? 'absent'}, not that of the write, ${version ?? 'which nothing shows'}`,
  });
  const shownBy = (one: Seen): Shown => {
    if (!isOther(one)) return one.shown;
    const later = states[versions.indexOf(one.version)];
    if (later === undefined || atVersion === undefined || versions.indexOf(one.version) < index) return lackOf(one);
    const wrong = 'object' in one.shown ? difference(one.shown.object, later.object) : undefined;
    return wrong === undefined ? atVersion : { lack: `against the watch at version ${one.version}: ${wrong}` };
  };
  const type = isCreate ? 'ADDED' : 'MODIFIED';
  const inWatch = (): Shown => {
    if (past === undefined) return unasked.shown;
    if (used !== undefined && version === versionOf(used)) return unchanged.shown;
    if (event === undefined) return { lack };
    return event.type === type ? event : { lack: `a write reported as ${String(event.type)}` };
  };
  const { answer, read, list, everywhere } = places;
  return {
    reply,
    before: states[index - 1]?.object ?? used,
    shown: {
      answer: isOther(answer) ? lackOf(answer) : answer.shown,
      read: shownBy(read),
      list: shownBy(list),
      everywhere: shownBy(everywhere),
      watch: inWatch(),
    },
  };
}

/** Returns the value that occurs most often, the first of several. */
function mostOften(values: readonly string[]): string | undefined {
  const count = (value: string): number => values.filter((other) => other === value).length;
  return [...values].sort((one, other) => count(other) - count(one))[0];
}
