// The events of controllers: what is counted, and what is too much.
import { beforeEach, expect, it } from 'vitest';
import type { KubeObject } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import { type Note, noteBy } from './events.js';

const deployment = { metadata: { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' } } as KubeObject;
const about = { apiVersion: 'apps/v1', kind: 'Deployment' };

let time: Date;
let stored: Map<string, KubeObject>;
let refusal: StatusError | undefined;
let note: Note;

const say = (message: string): Promise<void> => note(deployment, about, { type: 'Normal', reason: 'Said', message });

beforeEach(() => {
  time = new Date('2030-01-01T00:00:00Z');
  stored = new Map();
  refusal = undefined;
  const entryOf = (event: KubeObject) => ({ value: event }) as never;
  note = noteBy('deployment-controller', {
    now: () => time,
    events: {
      async create(_namespace, event) {
        if (refusal !== undefined) throw refusal;
        stored.set(event.metadata.name as string, event as KubeObject);
        return entryOf(event as KubeObject);
      },
      async updateInternally({ name }, change) {
        const event = stored.get(name);
        if (event === undefined) throw new StatusError(404, 'NotFound', 'gone');
        stored.set(name, change(event));
        return entryOf(event);
      },
    },
  });
});

it('say who did what to which object', async () => {
  await say('hello');
  expect([...stored.values()]).toEqual([
    {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: expect.stringMatching(/^web\.[0-9a-f]+$/), namespace: 'shop' },
      involvedObject: {
        kind: 'Deployment',
        namespace: 'shop',
        name: 'web',
        uid: 'u',
        apiVersion: 'apps/v1',
        resourceVersion: '7',
      },
      type: 'Normal',
      reason: 'Said',
      message: 'hello',
      source: { component: 'deployment-controller' },
      firstTimestamp: '2030-01-01T00:00:00Z',
      lastTimestamp: '2030-01-01T00:00:00Z',
      count: 1,
    },
  ]);
});

it('count what is said again within ten minutes', async () => {
  await say('hello');
  time = new Date('2030-01-01T00:09:00Z');
  await say('hello');
  await say('goodbye');
  time = new Date('2030-01-01T00:20:00Z');
  await say('hello');
  const counts = [...stored.values()].map(({ message, count, lastTimestamp }) => [message, count, lastTimestamp]);
  expect(counts).toEqual([
    ['hello', 2, '2030-01-01T00:09:00Z'],
    ['goodbye', 1, '2030-01-01T00:09:00Z'],
    ['hello', 1, '2030-01-01T00:20:00Z'],
  ]);
});

it('are 25 for an object at once, and one in five minutes after that', async () => {
  for (let at = 0; at < 40; at++) await say(`${at}`);
  expect(stored.size).toBe(25);
  time = new Date('2030-01-01T00:04:59Z');
  await say('too early');
  time = new Date('2030-01-01T00:05:00Z');
  await say('one');
  await say('two');
  expect([...stored.values()].slice(25).map(({ message }) => message)).toEqual(['one']);
});

it('are written again when somebody has deleted them', async () => {
  await say('hello');
  stored.clear();
  await say('hello');
  await say('hello');
  expect(stored.size).toBe(1);
});

it('are no errors when the server refuses them', async () => {
  refusal = new StatusError(403, 'Forbidden', 'the namespace is terminating');
  await say('hello');
  expect(stored.size).toBe(0);
});
