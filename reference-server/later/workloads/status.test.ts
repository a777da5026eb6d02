// The status that a controller writes: never over a change that it has not seen.
import { expect, it } from 'vitest';
import type { KubeObject } from '../../schema/object.js';
import { writeStatus } from './status.js';

const objectAt = (resourceVersion: string, replicas: number): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'one', namespace: 'space', resourceVersion },
    status: { replicas },
  }) as unknown as KubeObject;

/** Returns what a write makes of the stored object, when the controller has seen another one. */
async function written(stored: KubeObject, seen: KubeObject, status: object): Promise<KubeObject> {
  let result = stored;
  const store = {
    updateInternally: async (_: unknown, change: (current: KubeObject) => KubeObject) => {
      result = change(stored);
      return { value: result } as never;
    },
  };
  await writeStatus(store, seen, 'ReplicaSetStatus', status);
  return result;
}

it('is written to the object that was seen', async () => {
  const stored = objectAt('7', 1);
  expect((await written(stored, objectAt('7', 1), { replicas: 2 })).status).toEqual({ replicas: 2 });
});

it('is not written over a later change, which is reconciled next', async () => {
  const stored = objectAt('8', 1);
  expect(await written(stored, objectAt('7', 1), { replicas: 2 })).toBe(stored);
});

it('is not written if nothing differs', async () => {
  const stored = objectAt('7', 2);
  expect(await written(stored, objectAt('7', 2), { replicas: 2 })).toBe(stored);
});
