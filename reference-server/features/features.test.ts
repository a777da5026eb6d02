import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { OptionError } from '../optionError.js';
import type { ServerOptions } from '../options.js';
import { startServer } from '../server.js';
import { peerCertificates, startHttpsPeer } from '../testing/httpsPeer.js';
import { keys, startIssuer } from '../testing/openidIssuer.js';
import { Seen } from '../testing/seen.js';
import { features } from './features.js';

const folder = mkdtempSync(join(tmpdir(), 'features-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const peerCa = file('peer.crt', peerCertificates.ca.certificate);
const basicAuthFile = file('passwords.csv', 'secret,anna,u1\n');
const issuer = await startIssuer();
const peer = await startHttpsPeer(() => ({ body: { access: { token: { id: 'x' } } } }));
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await Promise.all([issuer.close(), peer.close()]);
});

const core = '/api/v1/namespaces/default';
const anna = `Basic ${btoa('anna:secret')}`;
const pod = (more: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'm', image: 'x', ...more }] },
});

/** One answer that tells a server from one that lacks the feature. */
interface Row {
  readonly options?: ServerOptions;
  /** `lacks`: what must not happen is waited for only so long. */
  readonly look: (seen: Seen, lacks: boolean) => Promise<unknown>;
  readonly usual: unknown;
  readonly without: unknown;
}

const rows: Readonly<Record<keyof typeof features | `group:${string}` | `resource:${string}`, Row>> = {
  'dry-run': {
    async look(seen) {
      await seen.config('a');
      await seen.call('DELETE', `${core}/configmaps/a`, { dryRun: ['All'] });
      await seen.call('POST', `${core}/configmaps?dryRun=All`, { metadata: { name: 'b' } });
      return [await seen.status('GET', `${core}/configmaps/a`), await seen.status('GET', `${core}/configmaps/b`)];
    },
    usual: [200, 404],
    without: [404, 200],
  },
  limit: {
    look: async (seen) => (await seen.call('GET', '/api/v1/namespaces?limit=1&continue=')).items.length,
    usual: 1,
    without: 3,
  },
  'resource-version-match': {
    look: (seen) => seen.status('GET', '/api/v1/namespaces?resourceVersionMatch=Sometimes&resourceVersion=1'),
    usual: 422,
    without: 200,
  },
  'propagation-policy': {
    async look(seen) {
      await seen.config('a');
      await seen.config('b');
      const options = { propagationPolicy: 'Sometimes' };
      const asked = await seen.status('DELETE', `${core}/configmaps/b`, options);
      return [await seen.status('DELETE', `${core}/configmaps/a?propagationPolicy=Sometimes`), asked];
    },
    usual: [422, 422],
    without: [200, 200],
  },
  'precondition-version': {
    async look(seen) {
      await seen.config('a');
      return seen.status('DELETE', `${core}/configmaps/a`, { preconditions: { resourceVersion: '1' } });
    },
    usual: 409,
    without: 200,
  },
  'strategic-directives': {
    async look(seen) {
      await seen.config('a', { finalizers: ['x/a', 'x/b'] });
      const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': ['x/a'] } };
      return (await seen.patch(`${core}/configmaps/a`, patch)).metadata.finalizers;
    },
    usual: ['x/b'],
    without: ['x/a', 'x/b'],
  },
  bookmarks: {
    look: (seen) => seen.events('allowWatchBookmarks=1&sendInitialEvents=1&resourceVersionMatch=NotOlderThan'),
    usual: ['BOOKMARK'],
    without: [],
  },
  'initial-events': {
    look: (seen) => seen.status('GET', `${core}/configmaps?watch=true&timeoutSeconds=1&sendInitialEvents=true`),
    usual: 422,
    without: 200,
  },
  'cause-names': {
    async look(seen) {
      const resources = { limits: { cpu: '1' }, requests: { cpu: '2' } };
      const { message, details } = await seen.call('POST', `${core}/pods`, pod({ resources }));
      return [details.causes[0].field, message.includes(`${details.causes[0].field}: Invalid value`)];
    },
    usual: ['spec.containers[0].resources.requests', true],
    without: ['spec.containers[0].resources.limits', true],
  },
  'jwt-algorithms': {
    options: { oidcIssuerUrl: issuer.issuer, oidcClientId: 'me', oidcCaFile: peerCa },
    look: async (seen) => [
      await seen.authorized(`Bearer ${await issuer.sign({}, keys.rs)}`),
      await seen.authorized(`Bearer ${await issuer.sign({}, keys.es)}`),
    ],
    usual: [200, 200],
    without: [200, 401],
  },
  'self-review': {
    look: (seen) => seen.status('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', {}),
    usual: 200,
    without: 404,
  },
  'access-review': {
    look: (seen) => seen.status('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', {}),
    usual: 404,
    without: 404,
  },
  export: {
    look: (seen) => seen.status('GET', '/api/v1/namespaces/default?export=true'),
    usual: 200,
    without: 400,
  },
  'legacy-proxy': {
    look: async (seen) => (await seen.call('GET', '/api/v1/proxy/nodes/none')).message,
    usual: 'nodes "none" not found',
    without: 'the server could not find the requested resource',
  },
  'static-password': {
    options: { basicAuthFile },
    look: (seen) => seen.authorized(anna),
    usual: 200,
    without: 401,
  },
  'identity-service': {
    options: { experimentalKeystoneUrl: peer.url, experimentalKeystoneCaFile: peerCa },
    look: (seen) => seen.authorized(anna),
    usual: 200,
    without: 401,
  },
  'token-secrets': {
    async look(seen) {
      const { secrets = [] } = await seen.call('GET', `${core}/serviceaccounts/default`);
      const { spec } = await seen.call('POST', `${core}/pods`, pod());
      const again = await seen.status('PUT', `${core}/pods/a`, await seen.call('GET', `${core}/pods/a`));
      return [secrets.length, Object.keys(spec.volumes[0]).includes('projected'), again];
    },
    usual: [1, false, 200],
    without: [0, true, 200],
  },
  protobuf: {
    look: (seen) => seen.accepted('/apis/batch/v1/jobs', 'application/vnd.kubernetes.protobuf'),
    usual: 200,
    without: 406,
  },
  'garbage-collection': {
    async look(seen, lacks) {
      await seen.config('a');
      await seen.status('DELETE', `${core}/configmaps/a`, { orphanDependents: true });
      return seen.eventually(404, `${core}/configmaps/a`, lacks);
    },
    usual: 404,
    without: 200,
  },
  'quota-controller': {
    async look(seen, lacks) {
      await seen.call('POST', `${core}/resourcequotas`, { metadata: { name: 'a' }, spec: { hard: { secrets: '0' } } });
      if (!lacks)
        await seen.until(async () => (await seen.call('GET', `${core}/resourcequotas/a`)).status.hard !== undefined);
      const before = await seen.status('POST', `${core}/secrets`, { metadata: { name: 'a' } });
      // admission goes by the status, whoever writes it
      await seen.patch(`${core}/resourcequotas/a/status`, {
        status: { hard: { secrets: '1' }, used: { secrets: '1' } },
      });
      return [before, await seen.status('POST', `${core}/secrets`, { metadata: { name: 'b' } })];
    },
    usual: [403, 403],
    without: [200, 403],
  },
  'namespace-controller': {
    async look(seen, lacks) {
      await seen.call('POST', '/api/v1/namespaces', { metadata: { name: 'a' } });
      await seen.status('DELETE', '/api/v1/namespaces/a');
      return seen.eventually(404, '/api/v1/namespaces/a', lacks);
    },
    usual: 404,
    without: 200,
  },
  'service-account-controller': {
    look: async (seen) => [
      await seen.status('GET', `${core}/serviceaccounts/default`),
      await seen.status('POST', `${core}/pods`, pod()),
    ],
    usual: [200, 200],
    without: [404, 403],
  },
  'service-account-admission': {
    look: async (seen) => (await seen.call('POST', `${core}/pods`, pod())).spec.serviceAccountName,
    usual: 'default',
    without: undefined,
  },
  'group:extensions': {
    look: async (seen) => [
      (await seen.call('GET', '/apis')).groups.map(({ name }: { name: string }) => name).includes('extensions'),
      await seen.status('GET', '/apis/extensions/v1beta1'),
      await seen.status('GET', '/apis/extensions/v1beta1/deployments'),
    ],
    usual: [true, 200, 200],
    without: [false, 404, 404],
  },
  'resource:extensions/jobs': {
    look: async (seen) => [
      JSON.stringify(await seen.call('GET', '/apis/extensions/v1beta1')).includes('"jobs"'),
      await seen.status('GET', '/apis/extensions/v1beta1/jobs'),
      await seen.status('GET', '/apis/batch/v1/jobs'),
    ],
    usual: [true, 200, 200],
    without: [false, 404, 200],
  },
};

describe('a server', () => {
  it.each(Object.entries(rows))(
    'without %s is one that never had it',
    async (feature, { options = {}, look, usual, without }) => {
      await using whole = await startServer(options);
      await using lacking = await startServer({ ...options, without: [feature] });
      expect(await look(new Seen(whole), false)).toEqual(usual);
      expect(await look(new Seen(lacking), true)).toEqual(without);
    },
  );

  it('has a row here for each feature', () => {
    for (const feature of Object.keys(features)) expect(rows).toHaveProperty(feature);
  });

  it.each(['none', 'group:none', 'resource:core/none', 'group:', 'toString'])('does not know %s', async (name) => {
    const start = startServer({ without: [name] });
    await expect(start).rejects.toThrow(OptionError);
    await expect(start).rejects.toThrow(/^--without: .* is not a feature; known are dry-run, .*group:extensions/);
  });
});
