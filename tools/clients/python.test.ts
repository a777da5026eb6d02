// The client of Kubernetes for Python against `serve`.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Serving, startServing } from '../../cli/testing/serving.js';
import { fileHere, hasClient, outputOf, python } from './debian.js';

let serving: Serving;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.stop());

it.skipIf(!hasClient())('a program in Python does what it does on a cluster', async () => {
  const lines = await outputOf(python, [fileHere('client.py'), serving.kubeconfig]);
  expect(lines.trim().split('\n').at(-1)).toBe('17 steps');
});
