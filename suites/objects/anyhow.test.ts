// A change as a means works on a target that does one or two of its ways wrongly, and says what was tried on others.
import { expect, it } from 'vitest';
import type { Call } from '../client/calls.js';
import { at, type JsonObject } from '../client/json.js';
import { NoAnswer, Reply } from '../client/reply.js';
import { changeAnyhow } from './anyhow.js';
import { mergePatched } from './mergePatch.js';

type Way = 'merge-patch' | 'json-patch' | 'PUT';
type Fault = 'is ignored' | 'is refused' | 'is not answered' | 'is only shown';

const hold = { metadata: { name: 'a', finalizers: ['x'] } };
const wayOf = ({ method, headers }: Call): Way | undefined =>
  method === 'GET'
    ? undefined
    : method === 'PUT'
      ? 'PUT'
      : headers?.['content-type']?.includes('merge')
        ? 'merge-patch'
        : 'json-patch';

/** A server of one object, which does some ways wrongly. */
function serverWith(faults: Partial<Record<Way, Fault>>, stored: JsonObject | undefined = hold) {
  const sent: string[] = [];
  const send = async (call: Call): Promise<Reply> => {
    const way = wayOf(call);
    sent.push(way ?? call.method);
    const fault = way && faults[way];
    if (fault === 'is not answered') throw new NoAnswer(`${call.method} ${call.path}: no answer`);
    const body = call.body === undefined ? {} : JSON.parse(String(call.body));
    const written = () =>
      way === 'PUT'
        ? body
        : way === 'json-patch'
          ? { ...stored, metadata: body[0].value }
          : (mergePatched(stored, body) as JsonObject);
    const shown = way && fault !== 'is ignored' ? written() : stored;
    if (way && fault === undefined) stored = written();
    const status = stored === undefined ? 404 : fault === 'is refused' ? 500 : 200;
    const bytes = Buffer.from(JSON.stringify(status === 200 ? shown : { kind: 'Status' }));
    return new Reply(`${call.method} ${call.path}`, status, { 'content-type': 'application/json' }, bytes);
  };
  return { client: { send } as Parameters<typeof changeAnyhow>[0], sent, now: () => stored };
}

const released = {
  patches: [{ metadata: { finalizers: null } }],
  isDone: (object: JsonObject) => at(object, 'metadata', 'finalizers') === undefined,
} as const;

it.each([
  [{}, 'response', ['merge-patch']],
  [{ 'merge-patch': 'is ignored' }, 'response', ['merge-patch', 'GET', 'json-patch']],
  [{ 'merge-patch': 'is refused', 'json-patch': 'is not answered' }, 'response', undefined],
  [{ 'merge-patch': 'is only shown' }, 'read', undefined],
  [{ 'merge-patch': 'is only shown', 'json-patch': 'is only shown' }, 'read', undefined],
] as const)('works where %j, as a %s shows', async (faults, shownBy, ways) => {
  const { client, sent, now } = serverWith(faults);
  expect(await changeAnyhow(client, '/a', { ...released, shownBy })).toBeUndefined();
  expect(now()).toEqual({ metadata: { name: 'a' } });
  if (ways !== undefined) expect(sent).toEqual(ways);
});

it.each(['response', 'read'] as const)('says what was tried where nothing works, as a %s shows', async (shownBy) => {
  const faults = { 'merge-patch': 'is ignored', 'json-patch': 'is refused', PUT: 'is not answered' } as const;
  const tried = await changeAnyhow(serverWith(faults).client, '/a', { ...released, shownBy });
  expect(tried).toBe('merge patch: 200, JSON patch: 500, PUT: no answer');
});

it('has nothing to change where the object is gone', async () => {
  const { client } = serverWith({}, undefined);
  for (const shownBy of ['response', 'read'] as const)
    expect(await changeAnyhow(client, '/a', { ...released, shownBy })).toBeUndefined();
});
