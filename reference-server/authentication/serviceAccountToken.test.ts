// Tests service account tokens on a running server: their creation, validity and end.
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../server.js';
import type { AnyShape } from '../testing/anyShape.js';
import { ask } from '../testing/standIn.js';

let server: RunningServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function call(method: string, path: string, body?: object): Promise<{ status: number; body: AnyShape }> {
  const { status, text } = await ask(server, path, { method, ...(body && { body: JSON.stringify(body) }) });
  return { status, body: JSON.parse(text) };
}
const namespaces = '/api/v1/namespaces';
const secretsOf = async (namespace: string): Promise<AnyShape[]> =>
  (await call('GET', `${namespaces}/${namespace}/secrets`)).body.items;

let made = 0;
/** Creates a namespace and returns its name at once. */
async function newNamespace(): Promise<string> {
  const name = `n${made++}`;
  expect((await call('POST', namespaces, { metadata: { name } })).status).toBe(200);
  return name;
}

/** Creates an account in a new namespace. Returns its first token. */
async function newAccount() {
  const namespace = await newNamespace();
  const path = `${namespaces}/${namespace}/serviceaccounts/robot`;
  const { body: account } = await call('POST', `${namespaces}/${namespace}/serviceaccounts`, {
    metadata: { name: 'robot' },
  });
  const secret = `${namespaces}/${namespace}/secrets/${account.secrets[0].name}`;
  return { namespace, path, account, secret, token: await tokenIn(secret) };
}
const tokenIn = async (secret: string): Promise<string> => fromBase64((await call('GET', secret)).body.data.token);
const fromBase64 = (text: string) => Buffer.from(text, 'base64').toString();

const whoami = async (token: string): Promise<{ status: number; user?: AnyShape }> => {
  const { status, text } = await ask(server, '/apis/authentication.k8s.io/v1/selfsubjectreviews', {
    method: 'POST',
    body: '{}',
    headers: { Authorization: `Bearer ${token}` },
  });
  return { status, user: JSON.parse(text).status.userInfo };
};
const statusWith = async (token: string) => (await whoami(token)).status;

describe('an account', () => {
  it.each([
    ['of the server', 'default'],
    ['of a user', 'robot.one'],
  ])('%s has its token at once', async (_, name) => {
    const namespace = await newNamespace();
    const path = `${namespaces}/${namespace}/serviceaccounts`;
    const given = { metadata: { name }, secrets: [{ name: 'other' }] };
    if (name !== 'default') expect((await call('POST', path, given)).status).toBe(200);
    const { body: account } = await call('GET', `${path}/${name}`);
    const { uid } = account.metadata;
    const reference = account.secrets.at(-1).name;
    expect(reference).toMatch(new RegExp(`^${name}-token-[a-z0-9]{5}$`));
    expect(account.secrets).toHaveLength(name === 'default' ? 1 : 2);
    const { body: secret } = await call('GET', `${namespaces}/${namespace}/secrets/${reference}`);
    expect(secret.type).toBe('kubernetes.io/service-account-token');
    expect(secret.metadata.annotations).toEqual({
      'kubernetes.io/service-account.name': name,
      'kubernetes.io/service-account.uid': uid,
    });
    expect(Object.keys(secret.data).sort()).toEqual(['ca.crt', 'namespace', 'token']);
    expect(fromBase64(secret.data['ca.crt'])).toBe(server.caCertificate);
    expect(fromBase64(secret.data.namespace)).toBe(namespace);
    const token = fromBase64(secret.data.token);
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: expect.stringMatching(/^[\w-]{43}$/) });
    expect(decodeJwt(token)).toEqual({
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': namespace,
      'kubernetes.io/serviceaccount/secret.name': reference,
      'kubernetes.io/serviceaccount/service-account.name': name,
      'kubernetes.io/serviceaccount/service-account.uid': uid,
      sub: `system:serviceaccount:${namespace}:${name}`,
    });
    const user = {
      username: `system:serviceaccount:${namespace}:${name}`,
      uid,
      groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    };
    expect(await whoami(token)).toEqual({ status: 200, user });
    expect(await whoami(token)).toEqual({ status: 200, user });
  });

  it('has one token each, also if many are created at once', async () => {
    const namespace = await newNamespace();
    const names = Array.from({ length: 20 }, (_, index) => `robot-${index}`);
    const path = `${namespaces}/${namespace}/serviceaccounts`;
    await Promise.all(names.map((name) => call('POST', path, { metadata: { name } })));
    const pod = { metadata: { generateName: 'p-' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await Promise.all(names.map(() => call('POST', `${namespaces}/${namespace}/pods`, pod)));
    const owners = (await secretsOf(namespace)).map(
      ({ metadata }) => metadata.annotations['kubernetes.io/service-account.name'],
    );
    expect(owners.sort()).toEqual(['default', ...names].sort());
  });

  it('with the longest name has its token', async () => {
    const namespace = await newNamespace();
    const name = `${'a'.repeat(60)}.${'b'.repeat(192)}`;
    const path = `${namespaces}/${namespace}`;
    const { body: account } = await call('POST', `${path}/serviceaccounts`, { metadata: { name } });
    expect(await statusWith(await tokenIn(`${path}/secrets/${account.secrets[0].name}`))).toBe(200);
    const spec = { serviceAccountName: name, containers: [{ name: 'c', image: 'i' }] };
    expect((await call('POST', `${path}/pods`, { metadata: { name: 'p' }, spec })).status).toBe(200);
  });

  it('leaves nothing behind after a dry run', async () => {
    const namespace = await newNamespace();
    const path = `${namespaces}/${namespace}/serviceaccounts?dryRun=All`;
    expect((await call('POST', path, { metadata: { name: 'robot' } })).status).toBe(200);
    expect(await secretsOf(namespace)).toHaveLength(1);
  });

  it('keeps its token after an update without it', async () => {
    const { path, account, token } = await newAccount();
    const sent = { metadata: { name: 'robot' }, secrets: [{ name: 'other' }] };
    const { body } = await call('PUT', path, sent);
    expect(body.secrets).toEqual([{ name: 'other' }, ...account.secrets]);
    expect(await statusWith(token)).toBe(200);
  });

  it('gets its token once the quota of its namespace allows it', async () => {
    const namespace = await newNamespace();
    const quota = `${namespaces}/${namespace}/resourcequotas`;
    await call('POST', quota, { metadata: { name: 'q' }, spec: { hard: { secrets: '1' } } });
    await expect.poll(async () => (await call('GET', `${quota}/q`)).body.status.used?.secrets).toBe('1');
    const accounts = `${namespaces}/${namespace}/serviceaccounts`;
    expect((await call('POST', accounts, { metadata: { name: 'robot' } })).status).toBe(200);
    expect(await secretsOf(namespace)).toHaveLength(1);
    const spec = { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] };
    const { status, body } = await call('POST', `${namespaces}/${namespace}/pods`, { metadata: { name: 'p' }, spec });
    expect([status, body.reason, body.details.retryAfterSeconds]).toEqual([500, 'ServerTimeout', 1]);
    await call('DELETE', `${quota}/q`);
    await expect.poll(async () => (await secretsOf(namespace)).length).toBe(2);
    await expect
      .poll(async () => (await call('GET', `${accounts}/robot`)).body.secrets)
      .toEqual([{ name: expect.stringMatching(/^robot-token-/) }]);
  });
});

describe('a token Secret that a client created', () => {
  const byHand = (name: string, annotations?: object) => ({
    metadata: { name, ...(annotations && { annotations }) },
    type: 'kubernetes.io/service-account-token',
  });

  it('gets a token of its account, and the account does not list it', async () => {
    const { namespace, path, account } = await newAccount();
    const secret = byHand('by-hand', { 'kubernetes.io/service-account.name': 'robot', other: 'x' });
    const { body } = await call('POST', `${namespaces}/${namespace}/secrets`, secret);
    expect(body.metadata.annotations).toEqual({
      'kubernetes.io/service-account.name': 'robot',
      'kubernetes.io/service-account.uid': account.metadata.uid,
      other: 'x',
    });
    expect(await whoami(await tokenIn(`${namespaces}/${namespace}/secrets/by-hand`))).toMatchObject({
      status: 200,
      user: { username: `system:serviceaccount:${namespace}:robot` },
    });
    expect((await call('GET', path)).body.secrets).toEqual(account.secrets);
  });

  it('is refused without an account', async () => {
    const { body } = await call('POST', `${namespaces}/default/secrets`, byHand('nobody'));
    expect([body.code, body.details.causes[0].field]).toEqual([
      422,
      'metadata.annotations[kubernetes.io/service-account.name]',
    ]);
  });

  it.each([
    ['an account that is not there', { 'kubernetes.io/service-account.name': 'nobody' }],
    [
      'an account that there was',
      { 'kubernetes.io/service-account.name': 'default', 'kubernetes.io/service-account.uid': 'of-another' },
    ],
  ])('is removed if it names %s', async (_, annotations) => {
    const path = `${namespaces}/default/secrets`;
    const { body } = await call('POST', path, byHand('vain', annotations));
    expect(body.data).toBeUndefined();
    await expect.poll(async () => (await call('GET', `${path}/vain`)).status).toBe(404);
  });

  it('gets removed fields again', async () => {
    const { secret, token } = await newAccount();
    const { body } = await call('GET', secret);
    expect((await call('PUT', secret, { ...body, data: { token: body.data.token, more: 'eA==' } })).status).toBe(200);
    const read = async () => (await call('GET', secret)).body.data;
    await expect.poll(read).toEqual({ ...body.data, more: 'eA==' });
    expect(await statusWith(token)).toBe(200);
  });
});

describe('a token ends', () => {
  it('with its Secret, and its account gets a new one', async () => {
    const { namespace, path, secret, token } = await newAccount();
    expect((await call('DELETE', secret)).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
    const references = async () => (await call('GET', path)).body.secrets?.map(({ name }: { name: string }) => name);
    await expect.poll(references).toEqual([expect.stringMatching(/^robot-token-/)]);
    await expect.poll(async () => secret.endsWith((await references())[0])).toBe(false);
    const [name] = await references();
    expect(await statusWith(await tokenIn(`${namespaces}/${namespace}/secrets/${name}`))).toBe(200);
    expect(await statusWith(token)).toBe(401);
  });

  it('with its account and the Secrets of the account', async () => {
    const { namespace, path, token } = await newAccount();
    expect((await call('DELETE', path)).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
    await expect.poll(async () => (await secretsOf(namespace)).length).toBe(1);
  });

  it('with its account, also if a new account has the same name', async () => {
    const { namespace, path, token, account } = await newAccount();
    await call('DELETE', path);
    await call('POST', `${namespaces}/${namespace}/serviceaccounts`, { metadata: { name: 'robot' } });
    expect(await statusWith(token)).toBe(401);
    const { body: again } = await call('GET', path);
    expect(again.metadata.uid).not.toBe(account.metadata.uid);
    const fresh = await tokenIn(`${namespaces}/${namespace}/secrets/${again.secrets[0].name}`);
    expect(await statusWith(fresh)).toBe(200);
  });

  it('with the deletion of its account, before the finalizers are done', async () => {
    const { path, token } = await newAccount();
    const finalizers = ['example.com/hold'];
    await call('PUT', path, { metadata: { name: 'robot', finalizers } });
    await call('DELETE', path);
    expect((await call('GET', path)).status).toBe(200);
    expect(await statusWith(token)).toBe(401);
    await call('PUT', path, { metadata: { name: 'robot' } });
  });

  it('with its namespace', async () => {
    const { namespace, token } = await newAccount();
    await call('DELETE', `${namespaces}/${namespace}`);
    await expect.poll(() => statusWith(token)).toBe(401);
    await expect.poll(async () => (await call('GET', `${namespaces}/${namespace}`)).status).toBe(404);
  });

  it('when its Secret holds another token', async () => {
    const { secret, token } = await newAccount();
    const { body } = await call('GET', secret);
    const data = { ...body.data, token: Buffer.from(`${token}x`).toString('base64') };
    await call('PUT', secret, { ...body, data });
    expect(await statusWith(token)).toBe(401);
    expect(await statusWith(`${token}x`)).toBe(401);
  });
});
