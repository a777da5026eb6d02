// Tests what an agent refuses before it listens.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type NodeAgentOptions, startNodeAgent } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'agent-'));
afterAll(() => rmSync(folder, { recursive: true }));

const api = { url: 'https://127.0.0.1:1' } as NodeAgentOptions['api'];
const node = { name: 'n', address: '10.250.0.1', podCidr: '10.244.0.0/24' };

it.each([
  ['a name with a space', { ...node, name: 'A B' }, '"A B" is not the name of a node'],
  ['no name', { ...node, name: '' }, '"" is not the name of a node'],
  ['a real address', { ...node, address: '192.0.2.1' }, '"192.0.2.1" is not a virtual address'],
  ['a large range', { ...node, podCidr: '10.0.0.0/8' }, '"10.0.0.0/8" is not a range of pods'],
])('%s', async (_, wrong, message) => {
  const options = { api, nodes: [wrong], egressSocket: join(folder, 'socket') };
  await expect(startNodeAgent(options)).rejects.toThrow(message);
  expect(readdirSync(folder)).toEqual([]);
});

it('a socket in a folder that is not there', async () => {
  const egressSocket = join(folder, 'none', 'socket');
  await expect(startNodeAgent({ api, nodes: [node], egressSocket })).rejects.toThrow(
    /none is not there: make it first$/,
  );
});
