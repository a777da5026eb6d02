// Tests that the server goes on while a controller creates and deletes pods without an end.
import { expect, test } from 'vitest';
import type { KubeObject } from '../../schema/object.js';
import { PodControl } from './podControl.js';

const object = { metadata: { name: 'a', namespace: 'default' } } as KubeObject;

test.each(['create', 'remove'] as const)('other work comes between two pods: %s', async (verb) => {
  const pods = { create: async () => ({ value: object }), delete: async () => object };
  const control = new PodControl(pods as never, async () => {}, { apiVersion: 'apps/v1', kind: 'ReplicaSet' });
  let isOver = false;
  setImmediate(() => {
    isOver = true;
  });
  for (let count = 0; count < 3; count++) await control[verb](object, object);
  expect(isOver).toBe(true);
});
