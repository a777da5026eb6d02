// Changes an object as a means to an end: in the first way that works, as the case is about something else.
import { at, isObject, type Json, type JsonObject } from '../client/json.js';
import { NoAnswer, type Reply } from '../client/reply.js';
import { mergePatched } from './mergePatch.js';
import type { Sandbox } from './sandbox.js';

/** What a change needs of its client. */
type Sender = Pick<Sandbox['client'], 'send'>;

export interface Change {
  /** The change as a merge patch, and other ones with the same effect. */
  readonly patches: readonly [JsonObject, ...JsonObject[]];
  readonly isDone: (object: JsonObject) => boolean;
  /** What shows the change: the response to the write, or a read, for a target whose responses may be wrong. */
  readonly shownBy: 'response' | 'read';
}

/** Annotates the object of a path, as a response shows. Returns the ways that were tried if none worked. */
export function annotateAnyhow(client: Sender, path: string, name: string, value: string): Promise<string | undefined> {
  const isDone = (now: JsonObject): boolean => at(now, 'metadata', 'annotations', name) === value;
  return changeAnyhow(client, path, {
    patches: [{ metadata: { annotations: { [name]: value } } }],
    isDone,
    shownBy: 'response',
  });
}

/** Removes the finalizers of the object of a path. Returns the ways that were tried if none worked. */
export const releaseAnyhow = (
  client: Sender,
  path: string,
  shownBy: Change['shownBy'] = 'response',
): Promise<string | undefined> =>
  changeAnyhow(client, path, {
    patches: [{ metadata: { finalizers: null } }, { metadata: { finalizers: [] } }],
    isDone: (now) => !isHeld(now),
    shownBy,
  });

/** Reports whether an object has finalizers. */
export function isHeld(object: unknown): boolean {
  const finalizers = at(object, 'metadata', 'finalizers');
  return Array.isArray(finalizers) && finalizers.length > 0;
}

/**
 * Changes the metadata of the object of a path: by merge patches, then by a JSON patch, then by a replacement of what a
 * read shows. Any of them may be what the target does wrongly, so the next way follows until the change is shown.
 * Returns undefined if it is shown, or if the object is gone; otherwise the ways with their statuses, in words.
 */
export async function changeAnyhow(client: Sender, path: string, change: Change): Promise<string | undefined> {
  const { patches, isDone, shownBy } = change;
  const [patch] = patches;
  const mergePatches = patches.map((one) => ['merge patch', 'PATCH', mergeType, () => one] as const);
  const ways = [
    ...mergePatches,
    ['JSON patch', 'PATCH', 'application/json-patch+json', (now: JsonObject) => replacing(mergePatched(now, patch))],
    ['PUT', 'PUT', 'application/json', (now: JsonObject) => mergePatched(now, patch)],
  ] as const;
  const read = async (): Promise<JsonObject | undefined> => objectIn(await client.send({ method: 'GET', path }));
  const tried: string[] = [];
  for (const [name, method, type, bodyOf] of ways) {
    const isFirst = tried.length === 0 && shownBy === 'response';
    const now = isFirst ? {} : await read();
    if (now === undefined || (!isFirst && isDone(now))) return undefined;
    const headers = { 'content-type': type };
    try {
      const reply = await client.send({ method, path, headers, body: JSON.stringify(bodyOf(now)) });
      const shown = shownBy === 'read' ? await read() : objectIn(reply);
      if (shown !== undefined ? isDone(shown) : shownBy === 'read') return undefined;
      tried.push(`${name}: ${reply.status}`);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      tried.push(`${name}: no answer`);
    }
  }
  return tried.join(', ');
}

const mergeType = 'application/merge-patch+json';

/** A JSON patch with the metadata of an object. */
const replacing = (object: Json | undefined): Json => [
  { op: 'replace', path: '/metadata', value: isObject(object) ? (object.metadata ?? {}) : {} },
];

function objectIn(reply: Reply): JsonObject | undefined {
  const body = reply.tryValue();
  return reply.status < 300 && isObject(body) ? body : undefined;
}
