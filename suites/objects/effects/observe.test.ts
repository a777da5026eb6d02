// The state at the version of a write is found in each place, also when another writer follows, or the watch is broken.
import { expect, it } from 'vitest';
import type { Call } from '../../client/calls.js';
import type { JsonObject } from '../../client/json.js';
import { Reply } from '../../client/reply.js';
import { configMaps } from '../related.js';
import type { Sandbox } from '../sandbox.js';
import { isOneState, observe, type Place, placesOf, stateIn } from './observe.js';
import { isUntouched, observeVain } from './refused.js';

const state = (resourceVersion: string, data: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'n', resourceVersion },
  data,
});
const listOf = (...items: readonly JsonObject[]): JsonObject => ({ apiVersion: 'v1', items });
const modified = (object: JsonObject): JsonObject => ({ type: 'MODIFIED', object });

interface Shows {
  readonly answer?: JsonObject;
  readonly read?: JsonObject;
  readonly list?: JsonObject;
  readonly watch: readonly JsonObject[];
}

function sandboxOf({ answer = state('2'), read = state('2'), list = listOf(state('2')), watch }: Shows): Sandbox {
  const send = async ({ method, path, body }: Call): Promise<Reply> => {
    const marked = (): JsonObject => {
      const { metadata } = JSON.parse(String(body));
      const marker = state('9');
      return { ...marker, metadata: { ...(marker.metadata as JsonObject), ...metadata } };
    };
    const found = method === 'PATCH' ? marked() : method !== 'GET' ? answer : path.includes('?') ? list : read;
    if (method === 'PATCH') watched.push(modified(found));
    return new Reply(
      `${method} ${path}`,
      200,
      { 'content-type': 'application/json' },
      Buffer.from(JSON.stringify(found)),
    );
  };
  const watched = [...watch];
  const stream = async <T>(_: unknown, look: (stream: unknown) => Promise<T>): Promise<T> =>
    look({ events: watched.map((value) => ({ value })), until: async () => true });
  return { client: { send, stream }, current: async () => read, name: () => 'marker' } as unknown as Sandbox;
}

const written = { resource: configMaps, name: 'a', namespace: 'n', object: state('1') };
const write = (sandbox: Sandbox) =>
  observe(sandbox, written, () => sandbox.client.send({ method: 'PUT', path: '/a', body: '{}' }));

const lacksOf = async (shows: Shows): Promise<Place[]> => {
  const observed = await write(sandboxOf(shows));
  const places: readonly Place[] = ['answer', 'read', 'list', 'watch'];
  return places.filter((place) => 'lack' in observed.shown[place]);
};
const all = [modified(state('2'))];

it.each<[what: string, shows: Shows, lacks: Place[]]>([
  ['every place has it', { watch: all }, []],
  ['the watch is broken', { watch: [] }, ['watch']],
  ['a read is old', { read: state('1'), watch: all }, ['read']],
  ['a list is old, and the watch is broken', { list: listOf(state('1')), watch: [] }, ['list', 'watch']],
  ['a list is empty', { list: listOf(), watch: all }, ['list']],
  ['the response is the object before', { answer: state('1'), watch: all }, ['answer']],
  ['the response is a Status', { answer: { kind: 'Status' }, watch: all }, ['answer']],
  ['a create is reported', { watch: [{ type: 'ADDED', object: state('2') }] }, ['watch']],
  ['another writer followed', { read: state('3', { b: 'c' }), watch: [...all, modified(state('3', { b: 'c' }))] }, []],
  [
    'another writer followed a write that changed nothing',
    { answer: state('1'), read: state('1'), watch: all },
    ['watch'],
  ],
  [
    'a list invents a later state',
    { answer: state('1'), read: state('1'), list: listOf(state('2', { b: 'd' })), watch: all },
    ['list', 'watch'],
  ],
  ['a read invents a later state', { read: state('3', { b: 'd' }), watch: [...all, modified(state('3'))] }, ['read']],
])('%s', async (_, shows, lacks) => {
  expect(await lacksOf(shows)).toEqual(lacks);
});

it('finds the state before the write, if another writer came between', async () => {
  const read = state('3');
  const shows = { answer: read, read, list: listOf(read), watch: [...all, modified(read)] };
  const observed = await write(sandboxOf(shows));
  expect(observed.before).toEqual(state('2'));
  expect(stateIn(observed, 'list')).toEqual({ ...state('3') });
});

it('says that a write changed nothing, where a watch is expected to report it', async () => {
  const observed = await write(
    sandboxOf({ answer: state('1'), read: state('1'), list: listOf(state('1')), watch: [] }),
  );
  expect(() => stateIn(observed, 'watch')).toThrow(
    /then a watch: no event, as the write left the resourceVersion as it/,
  );
  expect(placesOf(observed)).toEqual(['answer', 'read', 'list']);
});

it('compares the places at one version', async () => {
  const observed = await write(sandboxOf({ read: state('2', { b: 'c' }), watch: all }));
  expect(() => isOneState(observed)).toThrow('a read against its response: data.b is "c", not absent');
});

it.each<[what: string, shows: Shows, message: string | undefined]>([
  ['nothing', { read: state('1'), list: listOf(state('1')), watch: [] }, undefined],
  ['what is read', { read: state('1', { a: 'b' }), list: listOf(state('1')), watch: [] }, 'then a read: data.a is "b"'],
  [
    'what is listed',
    { read: state('1'), list: listOf(state('2')), watch: [] },
    'then a list: metadata.resourceVersion',
  ],
  ['a watch', { read: state('1'), list: listOf(state('1')), watch: all }, 'then a watch: the number of events'],
])('a write in vain that changes %s', async (_, shows, message) => {
  const sandbox = sandboxOf(shows);
  const send = () => sandbox.client.send({ method: 'PUT', path: '/a', body: '{}' });
  const untouched = await observeVain(sandbox, async () => ({ written, send }));
  const act = () => isUntouched(untouched);
  if (message === undefined) expect(act).not.toThrow();
  else expect(act).toThrow(message);
});
