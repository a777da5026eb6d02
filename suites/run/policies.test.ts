// A full range of addresses is believed only if the Services that hold them are there.
import { expect, it } from 'vitest';
import type { Client } from '../client/client.js';
import { fullRange, podPolicies, Reply } from '../client/reply.js';
import { knownPolicy } from './policies.js';

const services = (count: number, clusterIP: string): object[] =>
  Array.from({ length: count }, () => ({ metadata: { name: 'a' }, spec: { clusterIP } }));

it.each([
  ['ten with an address', services(10, '10.0.0.1'), fullRange],
  ['nine with an address', services(9, '10.0.0.1'), undefined],
  ['headless ones', services(12, 'None'), undefined],
  ['external names', services(12, ''), undefined],
])('a full range of a target with %s', async (_, items, known) => {
  const body = JSON.stringify({ kind: 'ServiceList', items });
  const reply = new Reply('GET /api/v1/services', 200, { 'content-type': 'application/json' }, Buffer.from(body));
  expect(await knownPolicy({ send: async () => reply } as Partial<Client> as Client, fullRange)).toBe(known);
});

it.each([
  [200, podPolicies],
  [404, undefined],
])('policies of pods of a target that answers %i for their kind', async (status, known) => {
  const reply = new Reply('GET /', status, { 'content-type': 'application/json' }, Buffer.from('{}'));
  expect(await knownPolicy({ send: async () => reply } as Partial<Client> as Client, podPolicies)).toBe(known);
});
