// Writes make one change, in the form of each type of patch.
import { expect, it } from 'vitest';
import { patchOf } from './writes.js';

it('writes a change as each type of patch', () => {
  const change = { spec: { replicas: 2 }, status: { replicas: 1 } };
  expect(patchOf('mergePatch', change)).toEqual(change);
  expect(patchOf('strategicMergePatch', change)).toEqual(change);
  expect(patchOf('jsonPatch', change)).toEqual([
    { op: 'add', path: '/spec/replicas', value: 2 },
    { op: 'add', path: '/status/replicas', value: 1 },
  ]);
});
