// The rights to approve and to sign certificate signing requests, under RBAC.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { generateKey, makeSigningRequest } from '../../../test-certs/index.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const signerName = 'example.com/signer';
const users = ['admin', 'plain', 'one', 'domain', 'signer'];
const tokens = users.map((name) => ({
  token: name,
  user: { name, uid: name, groups: name === 'admin' ? ['system:masters'] : ['team'] },
}));

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({ tokens, authorizationMode: 'RBAC' });
  const subresources = ['certificatesigningrequests/approval', 'certificatesigningrequests/status'];
  const apiGroups = ['certificates.k8s.io'];
  const writing = { apiGroups, resources: subresources, verbs: ['update', 'patch'] };
  const right = (verb: string, resourceName: string) => ({
    apiGroups,
    resources: ['signers'],
    verbs: [verb],
    resourceNames: [resourceName],
  });
  const rules: Readonly<Record<string, readonly object[]>> = {
    plain: [writing],
    one: [writing, right('approve', signerName)],
    domain: [writing, right('approve', 'example.com/*')],
    signer: [writing, right('sign', signerName)],
  };
  for (const [name, own] of Object.entries(rules)) {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
    await send('admin', 'POST', `${rbac}/clusterroles`, { metadata: { name }, rules: own });
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
    await send('admin', 'POST', `${rbac}/clusterrolebindings`, { metadata: { name }, roleRef, subjects });
  }
});
afterAll(() => server.close());

async function send(user: string, method: string, path: string, body: object, type = 'application/json') {
  const headers = { authorization: `Bearer ${user}`, 'content-type': type };
  const { status, text } = await ask(server, path, { method, headers, body: JSON.stringify(body) });
  return { status, body: JSON.parse(text) as AnyShape };
}

async function request(name: string): Promise<void> {
  const key = await generateKey('rsa-2048');
  const text = Buffer.from(makeSigningRequest(key, '10.0.0.1')).toString('base64');
  const spec = { request: text, signerName, usages: ['client auth'] };
  const { status, body } = await send('admin', 'POST', requests, { metadata: { name }, spec });
  expect([status, body.message]).toEqual([201, undefined]);
}

const merge = 'application/merge-patch+json';
const conditions = (type: string) => ({
  status: { conditions: [{ type, status: 'True', reason: 'r', message: 'm' }] },
});
const refused = (verb: string, name: string) =>
  `certificatesigningrequests.certificates.k8s.io "${name}" is forbidden: user not permitted to ${verb} requests with signerName "${signerName}"`;

it.each([
  ['plain', 403],
  ['signer', 403],
  ['one', 200],
  ['domain', 200],
  ['admin', 200],
])('an approval by %s is answered %i', async (user, status) => {
  const name = `approved-by-${user}`;
  await request(name);
  const answer = await send(user, 'PATCH', `${requests}/${name}/approval`, conditions('Approved'), merge);
  expect([answer.status, answer.body.message]).toEqual([status, status === 200 ? undefined : refused('approve', name)]);
});

it.each([
  ['plain', 403],
  ['one', 403],
  ['signer', 200],
])('a failure that %s writes into the status is answered %i', async (user, status) => {
  const name = `failed-by-${user}`;
  await request(name);
  const answer = await send(user, 'PATCH', `${requests}/${name}/status`, conditions('Failed'), merge);
  expect([answer.status, answer.body.message]).toEqual([status, status === 200 ? undefined : refused('sign', name)]);
});
