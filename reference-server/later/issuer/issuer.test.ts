// The pages with which others verify the tokens of service accounts.
import { createLocalJWKSet } from 'jose/jwks/local';
import { jwtVerify } from 'jose/jwt/verify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const configurationPath = '/.well-known/openid-configuration';

describe.each(['', '/k8s/c1'])('the issuer of a server below "%s"', (basePath) => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startFullServer({ authorizationMode: 'RBAC', ...(basePath && { basePath }) });
  });
  afterAll(() => server.close());

  const get = (path: string, more: object = {}) => ask(server, basePath + path, more);
  const tokenFor = async (audiences: readonly string[]): Promise<string> => {
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const { text } = await get(path, { method: 'POST', body: JSON.stringify({ spec: { audiences } }) });
    return JSON.parse(text).status.token;
  };

  it('has keys that verify the tokens of its accounts', async () => {
    const configuration = JSON.parse((await get(configurationPath)).text);
    expect(configuration.jwks_uri).toBe(`${server.url}/openid/v1/jwks`);
    const { text, headers } = await get(configuration.jwks_uri.slice(server.url.length));
    expect(headers['content-type']).toBe('application/jwk-set+json');
    expect(headers['cache-control']).toBe('public, max-age=3600');
    const { issuer, id_token_signing_alg_values_supported: algorithms } = configuration;
    const { payload } = await jwtVerify(await tokenFor(['vault']), createLocalJWKSet(JSON.parse(text)), {
      issuer,
      algorithms,
      audience: 'vault',
    });
    expect(payload.sub).toBe('system:serviceaccount:default:default');
    expect(text).not.toContain('"d"');
  });

  it('shows its pages to service accounts', async () => {
    const headers = { authorization: `Bearer ${await tokenFor(['https://kubernetes.default.svc.cluster.local'])}` };
    expect((await get(configurationPath, { headers })).status).toBe(200);
    expect((await get(configurationPath, { method: 'POST' })).status).toBe(405);
  });
});

it.each([
  ['1.19', 404],
  ['1.20', 200],
])('a server of %s has the pages: %i', async (kubeVersion, status) => {
  const server = await startFullServer({ kubeVersion });
  expect((await ask(server, configurationPath)).status).toBe(status);
  await server.close();
});
