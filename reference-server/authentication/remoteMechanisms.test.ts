import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../optionValues.js';
import type { ServerOptions } from '../server.js';
import { type PeerAnswer, type PeerCall, peerCertificates, startHttpsPeer } from '../testing/httpsPeer.js';
import { good, keys, startIssuer } from '../testing/openidIssuer.js';
import { ask, startStandIn } from '../testing/standIn.js';

const { ca, client, server } = peerCertificates;
const tls = { ...server, ca: ca.certificate };
const path = '/api/v1/namespaces/default/pods/x';
let folder: string;
const inFolder = (name: string) => join(folder, name);
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'remote-mechanisms-'));
  await writeFile(inFolder('ca.crt'), ca.certificate);
  await writeFile(inFolder('client.crt'), client.certificate);
  await writeFile(inFolder('client.key'), client.key);
  await writeFile(inFolder('no.pem'), 'no PEM');
  await writeFile(inFolder('config'), configuration('https://127.0.0.1:1/'));
  await writeFile(inFolder('plain'), configuration('http://127.0.0.1:1/'));
});
afterAll(() => rm(folder, { recursive: true }));

const configuration = (url: string) =>
  JSON.stringify({
    clusters: [{ name: 'a', cluster: { server: url, 'certificate-authority': 'ca.crt' } }],
    users: [{ name: 'b', user: { 'client-certificate': 'client.crt', 'client-key': 'client.key' } }],
    contexts: [{ name: 'c', context: { cluster: 'a', user: 'b' } }],
    'current-context': 'c',
  });

/** Returns options for all remote mechanisms and a static token. */
async function optionsFor(issuer: string, reviewer: string, service: string): Promise<ServerOptions> {
  const file = inFolder(`config-${new URL(reviewer).port}`);
  await writeFile(file, configuration(`${reviewer}/authenticate`));
  return {
    tls,
    tokens: [{ token: 'static', user: { name: 'admin', groups: [] } }],
    oidcIssuerUrl: issuer,
    oidcClientId: 'me',
    oidcCaFile: inFolder('ca.crt'),
    oidcGroupsClaim: 'roles',
    authenticationTokenWebhookConfigFile: file,
    runtimeConfig: 'authentication.k8s.io/v1beta1=true',
    experimentalKeystoneUrl: `${service}/v2.0`,
    experimentalKeystoneCaFile: inFolder('ca.crt'),
  };
}

function judge({ body }: PeerCall): PeerAnswer {
  const { apiVersion, kind, spec } = JSON.parse(body);
  const known = spec.token === 'reviewed';
  const user = { username: 'jane', uid: '7', groups: ['dev'], extra: { scopes: ['a', 'b'] } };
  return { body: { apiVersion, kind, status: known ? { authenticated: true, user } : { authenticated: false } } };
}

describe('a server with every remote mechanism', () => {
  it('accepts the credentials of each mechanism, sends no further requests, and shows no credential', async () => {
    await using issuer = await startIssuer();
    await using reviewer = await startHttpsPeer(judge);
    await using service = await startHttpsPeer(({ body }) =>
      body.includes('the-secret') ? { body: { access: { token: { id: 'x' } } } } : { status: 401 },
    );
    const rejections: string[] = [];
    const onRejection = (mechanism: string, reason: string) => rejections.push(`${mechanism}: ${reason}`);
    const options = await optionsFor(issuer.issuer, reviewer.url, service.url);
    await using running = await startStandIn({}, { ...options, onRejection });
    const come = async (authorization: string) => {
      const { status, text } = await ask(running, path, { headers: { Authorization: authorization } });
      return status === 200 ? JSON.parse(text).user : status;
    };
    const everybody = 'system:authenticated';

    expect(await come('Bearer static')).toEqual({ name: 'admin', groups: [everybody] });
    expect(reviewer.calls).toEqual([]);
    expect(await come(`Bearer ${await issuer.sign({ roles: 'ops' })}`)).toEqual({
      name: `${issuer.issuer}#jane`,
      groups: ['ops', everybody],
    });
    expect(await come(basic('joe:the-secret'))).toEqual({ name: 'joe', groups: [everybody] });
    expect(await come(basic('joe:guessed'))).toBe(401);
    expect(reviewer.calls).toEqual([]);
    expect(await come('Bearer reviewed')).toEqual({
      name: 'jane',
      uid: '7',
      groups: ['dev', everybody],
      extra: { scopes: ['a', 'b'] },
    });
    expect(await come('Bearer unknown-secret')).toBe(401);
    expect(await come('Bearer unknown-secret')).toBe(401);
    const stolen = await issuer.sign({}, keys.foreign);
    expect(await come(`Bearer ${stolen}`)).toBe(401);

    expect(reviewer.calls.map(({ client }) => client)).toEqual(['api server', 'api server', 'api server']);
    expect(service.calls).toHaveLength(2);
    expect(rejections.join('\n')).not.toMatch(/secret|guessed|eyJ|jane/);
    expect(new Set(rejections.map((told) => told.split(':')[0]))).toEqual(
      new Set(['identityServicePassword', 'webhookTokenReview', 'openidConnect']),
    );
  });

  it('starts and serves while no backend can be reached', async () => {
    const gone = await startHttpsPeer(() => ({}));
    await gone.close();
    await using running = await startStandIn({}, await optionsFor(gone.url, gone.url, gone.url));
    const { SignJWT } = await import('jose');
    const token = await new SignJWT({ iss: gone.url, ...good })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(keys.rs.privateKey);
    for (const [authorization, status] of [
      ['Bearer static', 200],
      [`Bearer ${token}`, 401],
      ['Bearer other', 401],
      [basic('joe:pw'), 401],
      ['Basic !', 401],
    ] as const) {
      expect(await ask(running, path, { headers: { Authorization: authorization } })).toMatchObject({ status });
    }
  });

  it('stops while no backend responds', async () => {
    let called = () => {};
    const asked = new Promise<void>((resolve) => {
      called = resolve;
    });
    await using silent = await startHttpsPeer(() => {
      called();
      return 'silence';
    });
    const running = await startStandIn({}, await optionsFor(silent.url, silent.url, silent.url));
    const request = ask(running, path, { headers: { Authorization: 'Bearer other' } }).catch((error: Error) => error);
    await asked;
    await running.close();
    expect(await request).toBeInstanceOf(Error);
  });
});

describe('at the start', () => {
  const oidc = { oidcIssuerUrl: 'https://issuer.example', oidcClientId: 'me' };
  const webhook = () => ({
    authenticationTokenWebhookConfigFile: inFolder('config'),
    runtimeConfig: 'authentication.k8s.io/v1beta1',
  });
  it.each<[string, () => ServerOptions, string]>([
    [
      'an issuer without a client',
      () => ({ oidcIssuerUrl: oidc.oidcIssuerUrl }),
      '--oidc-issuer-url and --oidc-client',
    ],
    ['a client without an issuer', () => ({ oidcClientId: 'me' }), '--oidc-issuer-url and --oidc-client-id'],
    ['a claim without an issuer', () => ({ oidcGroupsClaim: 'x' }), '--oidc-issuer-url and --oidc-client-id'],
    [
      'an issuer in plain text',
      () => ({ ...oidc, oidcIssuerUrl: 'http://x' }),
      '--oidc-issuer-url is not an https URL',
    ],
    ['no client', () => ({ ...oidc, oidcClientId: '' }), '--oidc-client-id is empty'],
    [
      'a missing authority',
      () => ({ ...oidc, oidcCaFile: '/nowhere' }),
      '--oidc-ca-file: cannot read /nowhere: there is none (ENOENT)',
    ],
    ['no authority', () => ({ ...oidc, oidcCaFile: inFolder('no.pem') }), 'no.pem holds no PEM certificate'],
    [
      'reviews that are not enabled',
      () => ({ ...webhook(), runtimeConfig: 'batch/v1=true' }),
      'needs authentication.k8s.io/v1beta1: add --runtime-config=authentication.k8s.io/v1beta1=true',
    ],
    [
      'reviews that are disabled',
      () => ({ ...webhook(), runtimeConfig: 'api/all,authentication.k8s.io/v1beta1=false' }),
      'add --runtime-config=authentication.k8s.io/v1beta1=true',
    ],
    [
      'reviews of another domain',
      () => ({ ...webhook(), authenticationDomain: 'example.org' }),
      'needs authentication.example.org/v1beta1',
    ],
    [
      'a domain that is none',
      () => ({ authenticationDomain: 'a/b' }),
      '--authentication-domain: "a/b" is not a domain',
    ],
    ['a wrong switch', () => ({ runtimeConfig: 'x/y=z' }), '--runtime-config: "x/y=z" is not understood'],
    [
      'a reviewer in plain text',
      () => ({ ...webhook(), authenticationTokenWebhookConfigFile: inFolder('plain') }),
      'plain: server is not an https URL',
    ],
    [
      'not a duration',
      () => ({ ...webhook(), authenticationTokenWebhookCacheTtl: 'long' }),
      '--authentication-token-webhook-cache-ttl: "long" is not a duration',
    ],
    ['a duration alone', () => ({ authenticationTokenWebhookCacheTtl: '2m' }), 'config-file, which is missing'],
    [
      'an identity service in plain text',
      () => ({ experimentalKeystoneUrl: 'http://x' }),
      '--experimental-keystone-url is not an https URL',
    ],
    [
      'an authority of no identity service',
      () => ({ experimentalKeystoneCaFile: inFolder('ca.crt') }),
      '--experimental-keystone-ca-file goes with --experimental-keystone-url',
    ],
    [
      'a missing authority of the identity service',
      () => ({ experimentalKeystoneUrl: 'https://x', experimentalKeystoneCaFile: '/nowhere' }),
      '--experimental-keystone-ca-file: cannot read',
    ],
  ])('%s is refused', async (_, options, complaint) => {
    const error: unknown = await startStandIn({}, { tls, ...options() }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OptionError);
    expect((error as OptionError).message).toContain(complaint);
    expect((error as OptionError).message).not.toContain('\n');
  });

  it('another domain is taken', async () => {
    const options = { ...webhook(), authenticationDomain: 'example.org', runtimeConfig: 'api/all=true' };
    await using running = await startStandIn({}, { tls, ...options });
    expect((await ask(running, path)).status).toBe(200);
  });
});
