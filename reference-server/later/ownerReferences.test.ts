// Tests the owner references that a client repeats: servers since 1.20 keep one, and warn.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../server.js';
import { startFullServer } from './index.js';
import { sendExactly } from './testing/exactRequests.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const maps = '/api/v1/namespaces/default/configmaps';
const owner = (index: number, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  name: `owner-${index}`,
  uid: `11111111-1111-1111-1111-11111111111${index}`,
  ...more,
});
const warning = (...uids: readonly number[]): string =>
  `299 - ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may ` +
  'reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ' +
  `${uids.map((index) => `11111111-1111-1111-1111-11111111111${index}`).join(', ')}"`;

describe('the owner references of an object', () => {
  beforeAll(async () => {
    await sendExactly(server, 'POST', maps, { metadata: { name: 'owned' } });
  });

  it.each<[string, object[], object[], number[]]>([
    ['twice the same', [owner(1), owner(1)], [owner(1)], [1]],
    ['some of several', [owner(2), owner(1), owner(2), owner(1), owner(1)], [owner(2), owner(1)], [2, 1, 1]],
    [
      'twice the same controller',
      [1, 1].map((i) => owner(i, { controller: true })),
      [owner(1, { controller: true })],
      [1],
    ],
    ['one UID of two kinds', [owner(1), owner(1, { kind: 'Pod' })], [owner(1), owner(1, { kind: 'Pod' })], []],
    ['one with a flag', [owner(1), owner(1, { controller: false })], [owner(1), owner(1, { controller: false })], []],
  ])('are there once: %s', async (_, ownerReferences, kept, repeated) => {
    const metadata = { name: 'owned', ownerReferences };
    const merge = { 'content-type': 'application/merge-patch+json' };
    const json = { 'content-type': 'application/json-patch+json' };
    const operation = { op: 'add', path: '/metadata/ownerReferences', value: ownerReferences };
    for (const [method, path, body, headers] of [
      ['POST', maps, { metadata: { name: 'other', ownerReferences } }, {}],
      ['PUT', `${maps}/owned`, { metadata }, {}],
      ['PATCH', `${maps}/owned`, { metadata: { ownerReferences } }, merge],
      ['PATCH', `${maps}/owned`, [operation], json],
    ] as const) {
      const reply = await sendExactly(server, method, `${path}?dryRun=All`, body, headers);
      expect([reply.body.metadata.ownerReferences, reply.warnings]).toEqual([
        kept,
        repeated.length === 0 ? '' : warning(...repeated),
      ]);
    }
  });

  it.each([
    [{ apiVersion: 'v1/a/b' }, 'metadata.ownerReferences.apiVersion'],
    [{ apiVersion: 'apps/' }, 'metadata.ownerReferences.apiVersion'],
    [{ apiVersion: '' }, 'metadata.ownerReferences.apiVersion'],
    [{ kind: 'Event' }, 'metadata.ownerReferences'],
    [{ kind: 'Event', apiVersion: 'events.k8s.io/v1' }, undefined],
    [{ apiVersion: '/v1' }, undefined],
    [{ apiVersion: 'no.such.group/v7' }, undefined],
  ])('with %j have a mistake in %s', async (more, field) => {
    const metadata = { name: 'other', ownerReferences: [owner(1, more)] };
    const { status, body } = await sendExactly(server, 'POST', `${maps}?dryRun=All`, { metadata });
    expect([status, body.details?.causes[0].field]).toEqual([field === undefined ? 200 : 422, field]);
  });
});
