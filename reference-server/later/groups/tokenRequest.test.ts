// Tokens of TokenRequest: for whom they are, how long they last, and what ends them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default';
const reviews = '/apis/authentication.k8s.io/v1/tokenreviews';
const issuer = 'https://kubernetes.default.svc.cluster.local';
const send = async (method: string, path: string, body?: object) => {
  const { status, text } = await ask(server, path, { method, ...(body && { body: JSON.stringify(body) }) });
  return { status, body: JSON.parse(text) as AnyShape };
};
const request = (spec: object = {}, account = 'default') =>
  send('POST', `${core}/serviceaccounts/${account}/token`, { spec });
const statusWith = async (token: string): Promise<number> =>
  (await ask(server, '/api/v1', { headers: { authorization: `Bearer ${token}` } })).status;
const claimsOf = (token: string): AnyShape =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('a token request', () => {
  it('is answered with a token of the account that expires', async () => {
    const { status, body } = await request({ expirationSeconds: 1200 });
    expect([status, body.kind, body.apiVersion]).toEqual([201, 'TokenRequest', 'authentication.k8s.io/v1']);
    const { exp, iat, sub, aud } = claimsOf(body.status.token);
    expect([exp - iat, sub, aud]).toEqual([1200, 'system:serviceaccount:default:default', [issuer]]);
    expect(Date.parse(body.status.expirationTimestamp)).toBe(exp * 1000);
    const reviewed = (await send('POST', reviews, { spec: { token: body.status.token } })).body.status;
    expect(reviewed).toMatchObject({ authenticated: true, user: { username: sub } });
    expect(await statusWith(body.status.token)).toBe(200);
  });

  it('for a pod names its node, and one for a node ends with the node', async () => {
    const node = (await send('POST', '/api/v1/nodes', { metadata: { name: 'there' } })).body.metadata;
    const containers = [{ name: 'c', image: 'i' }];
    for (const nodeName of ['there', 'absent'])
      await send('POST', `${core}/pods`, { metadata: { name: `on-${nodeName}` }, spec: { nodeName, containers } });
    const tokenFor = async (kind: string, name: string): Promise<[string, AnyShape]> => {
      const { token } = (await request({ boundObjectRef: { apiVersion: 'v1', kind, name } })).body.status;
      const { user } = (await send('POST', reviews, { spec: { token } })).body.status;
      const ofNode = Object.entries(user.extra).filter(([key]) => key.includes('/node-'));
      return [token, Object.fromEntries(ofNode)];
    };
    const named = {
      'authentication.kubernetes.io/node-name': ['there'],
      'authentication.kubernetes.io/node-uid': [node.uid],
    };
    const [ofPod, podExtra] = await tokenFor('Pod', 'on-there');
    expect([claimsOf(ofPod)['kubernetes.io'].node, podExtra]).toEqual([{ name: 'there', uid: node.uid }, named]);
    const [ofOther, otherExtra] = await tokenFor('Pod', 'on-absent');
    expect(claimsOf(ofOther)['kubernetes.io'].node).toEqual({ name: 'absent' });
    expect(otherExtra).toEqual({ 'authentication.kubernetes.io/node-name': ['absent'] });
    const [ofNode, nodeExtra] = await tokenFor('Node', 'there');
    expect([claimsOf(ofNode)['kubernetes.io'].pod, nodeExtra, await statusWith(ofNode)]).toEqual([
      undefined,
      named,
      200,
    ]);
    await send('DELETE', '/api/v1/nodes/there');
    expect(await statusWith(ofNode)).toBe(401);
    expect(await statusWith(ofPod)).toBe(200);
    for (const name of ['on-there', 'on-absent'])
      await send('DELETE', `${core}/pods/${name}`, { gracePeriodSeconds: 0 });
  });

  it('for other audiences gives a token that the server itself refuses', async () => {
    const { body } = await request({ audiences: ['vault'] });
    expect(claimsOf(body.status.token).aud).toEqual(['vault']);
    expect(await statusWith(body.status.token)).toBe(401);
  });

  it.each([
    ['vault', ['vault'], ['vault', 'other'], { authenticated: true, audiences: ['vault'] }],
    ['two', ['a', 'b', 'c'], ['c', 'b'], { authenticated: true, audiences: ['b', 'c'] }],
    [
      'vault for this server',
      ['vault'],
      undefined,
      { authenticated: false, error: expect.stringContaining('["vault"]') },
    ],
    ['vault for no audience in particular', ['vault'], [], { authenticated: false }],
    [
      'this server for another',
      undefined,
      ['vault'],
      { authenticated: false, error: expect.stringContaining('vault') },
    ],
    ['this server', undefined, undefined, { authenticated: true, audiences: [issuer] }],
  ])('of %s is reviewed for audiences', async (_, audiences, asked, expected) => {
    const { token } = (await request({ ...(audiences && { audiences }) })).body.status;
    const { status, body } = await send('POST', reviews, { spec: { token, ...(asked && { audiences: asked }) } });
    expect([status, body.status.audiences]).toEqual([201, 'audiences' in expected ? expected.audiences : undefined]);
    expect(body.status).toMatchObject(expected);
  });

  it.each([
    [['vault'], false],
    [[issuer, 'vault'], true],
  ])('leaves a token without audiences to this server: %j', async (audiences, authenticated) => {
    const { body } = await send('POST', reviews, { spec: { token: server.token, audiences } });
    expect(body.status.authenticated).toBe(authenticated);
    expect(JSON.stringify(body)).not.toContain(server.token);
  });

  it('refuses a forged token', async () => {
    const { body } = await request();
    const [head, , signature] = body.status.token.split('.');
    const claims = { ...claimsOf(body.status.token), sub: 'system:serviceaccount:kube-system:default' };
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
    expect(await statusWith(forged)).toBe(401);
  });

  it('bound to a Secret ends with it', async () => {
    const secret = (await send('POST', `${core}/secrets`, { metadata: { name: 'bound' } })).body;
    const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'bound', uid: secret.metadata.uid };
    const { token } = (await request({ boundObjectRef })).body.status;
    expect(await statusWith(token)).toBe(200);
    await send('DELETE', `${core}/secrets/bound`);
    expect(await statusWith(token)).toBe(401);
  });

  it('is not bound to the pod of another account', async () => {
    await send('POST', `${core}/serviceaccounts`, { metadata: { name: 'other' } });
    const spec = { serviceAccountName: 'other', containers: [{ name: 'a', image: 'a' }] };
    await send('POST', `${core}/pods`, { metadata: { name: 'of-other' }, spec });
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'of-other' };
    expect((await request({ boundObjectRef }, 'other')).status).toBe(201);
    const { status, body } = await request({ boundObjectRef });
    expect([status, body.message]).toEqual([
      400,
      'cannot bind token for serviceaccount "default" to pod running with different serviceaccount name.',
    ]);
  });

  it('ends with its account', async () => {
    await send('POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } });
    const { token } = (await request({}, 'robot')).body.status;
    expect(await statusWith(token)).toBe(200);
    await send('DELETE', `${core}/serviceaccounts/robot`);
    expect(await statusWith(token)).toBe(401);
    await send('POST', `${core}/serviceaccounts`, { metadata: { name: 'robot' } });
    expect(await statusWith(token)).toBe(401);
  });

  it.each<[string, object, number]>([
    ['less than ten minutes', { expirationSeconds: 599 }, 422],
    ['an object of another kind', { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'a' } }, 400],
    ['an object of no kind', { boundObjectRef: {} }, 400],
    ['a pod of another group', { boundObjectRef: { kind: 'Pod', apiVersion: 'apps/v1', name: 'a' } }, 400],
    ['an object without a name', { boundObjectRef: { kind: 'Pod' } }, 400],
    ['an object that does not exist', { boundObjectRef: { kind: 'Pod', name: 'a' } }, 404],
  ])('for %s is refused', async (_, spec, status) => expect((await request(spec)).status).toBe(status));

  it('with another uid of the object is a conflict, and without an account 404', async () => {
    await send('POST', `${core}/secrets`, { metadata: { name: 'other' } });
    expect((await request({ boundObjectRef: { kind: 'Secret', name: 'other', uid: 'u' } })).status).toBe(409);
    expect((await request({}, 'absent')).status).toBe(404);
  });

  it('is not served without the later groups', async () => {
    await using plain = await startFullServer({ modern: false });
    const path = `${core}/serviceaccounts/default/token`;
    expect((await ask(plain, path, { method: 'POST', body: '{}' })).status).toBe(404);
  });
});
