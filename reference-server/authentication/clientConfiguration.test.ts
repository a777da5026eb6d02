import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OptionError } from '../optionValues.js';
import { peerCertificates } from '../testing/httpsPeer.js';
import { readClientConfiguration } from './clientConfiguration.js';

const { ca, server, client } = peerCertificates;
const inline = (pem: string) => Buffer.from(pem).toString('base64');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-configuration-'));
  await mkdir(join(folder, 'pki'));
  await writeFile(join(folder, 'pki', 'ca.crt'), ca.certificate);
  await writeFile(join(folder, 'pki', 'client.crt'), client.certificate);
  await writeFile(join(folder, 'pki', 'client.key'), client.key);
  await writeFile(join(folder, 'pki', 'other.key'), server.key);
  await writeFile(join(folder, 'pki', 'no.pem'), 'no PEM');
  await writeFile(join(folder, 'pki', 'broken.crt'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
});
afterAll(() => rm(folder, { recursive: true }));

const cluster = { server: 'https://authn.example/authenticate', 'certificate-authority': 'pki/ca.crt' };
const user = { 'client-certificate': 'pki/client.crt', 'client-key': 'pki/client.key' };
const configuration = (changed: object = {}, clusterFields: object = cluster, userFields: object = user) => ({
  clusters: [
    { name: 'other', cluster: { server: 'https://other.example' } },
    { name: 'reviewer', cluster: clusterFields },
  ],
  users: [{ name: 'api-server', user: userFields }],
  contexts: [{ name: 'webhook', context: { cluster: 'reviewer', user: 'api-server' } }],
  'current-context': 'webhook',
  ...changed,
});

async function read(content: unknown) {
  const file = join(folder, 'config');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readClientConfiguration('--config', file);
}

const everything = {
  server: new URL('https://authn.example/authenticate'),
  tls: { authority: ca.certificate, certificate: client.certificate, key: client.key },
};

describe('a client configuration', () => {
  it.each<[string, () => unknown, object]>([
    ['with files', () => configuration(), everything],
    ['with absolute files', () => configuration({}, absolute(cluster), absolute(user)), everything],
    ['with its kind', () => configuration({ apiVersion: 'v1', kind: 'Config', preferences: {} }), everything],
    [
      'with inline data, which wins over files',
      () =>
        configuration(
          {},
          {
            ...cluster,
            'certificate-authority': '/nowhere',
            'certificate-authority-data': inline(ca.certificate),
          },
          { 'client-certificate-data': inline(client.certificate), 'client-key-data': inline(client.key) },
        ),
      everything,
    ],
    [
      'without certificates',
      () => configuration({}, { server: 'https://authn.example' }, {}),
      { server: new URL('https://authn.example'), tls: {} },
    ],
    [
      'as YAML',
      () =>
        [
          'clusters: [{name: a, cluster: {server: "https://authn.example"}}]',
          'users:\n- name: b',
          'contexts:\n- name: c\n  context:\n    cluster: a\n    user: b',
          'current-context: c',
        ].join('\n'),
      { server: new URL('https://authn.example'), tls: {} },
    ],
  ])('%s', async (_, content, expected) => expect(await read(content())).toEqual(expected));

  const lonely = (key: keyof typeof user) => configuration({}, cluster, { [key]: user[key] });
  const withUser = (changed: object) => configuration({}, cluster, { ...user, ...changed });
  const withCluster = (changed: object) => configuration({}, { ...cluster, ...changed });
  it.each<[string, unknown, string]>([
    ['no YAML', 'a: b: secret', 'config, line 1: '],
    ['no object', 'secret', 'no client configuration'],
    ['nothing', '', 'the input is empty'],
    ['of another kind', configuration({ kind: 'Pod' }), 'no client configuration'],
    ['of another version', configuration({ apiVersion: 'v2' }), 'no client configuration'],
    ['no current context', configuration({ 'current-context': undefined }), 'current-context is missing'],
    ['an empty one', configuration({ 'current-context': '' }), 'current-context is missing'],
    ['one that is not a name', configuration({ 'current-context': 1 }), 'current-context is not a string'],
    ['no such context', configuration({ 'current-context': 'x' }), 'there is no context "x" in contexts'],
    ['no contexts', configuration({ contexts: undefined }), 'there is no context "webhook" in contexts'],
    ['contexts that are no list', configuration({ contexts: { webhook: {} } }), 'there is no context "webhook"'],
    ['no such cluster', configuration({ clusters: [] }), 'there is no cluster "reviewer" in clusters'],
    ['no such user', configuration({ users: [null] }), 'there is no user "api-server" in users'],
    ['a user without fields', configuration({ users: [{ name: 'api-server', user: 'x' }] }), 'has no fields'],
    [
      'a context without a user',
      configuration({ contexts: [{ name: 'webhook', context: { cluster: 'reviewer' } }] }),
      'the context "webhook" names no user',
    ],
    [
      'a context without a cluster',
      configuration({ contexts: [{ name: 'webhook', context: { user: 'api-server' } }] }),
      'the context "webhook" names no cluster',
    ],
    ['no server', withCluster({ server: undefined }), 'the cluster has no server'],
    ['a server that is not https', withCluster({ server: 'http://authn.example' }), 'server is not an https URL'],
    ['no verification', withCluster({ 'insecure-skip-tls-verify': true }), 'insecure-skip-tls-verify is not supported'],
    ['a missing authority', withCluster({ 'certificate-authority': 'none.crt' }), 'certificate-authority: cannot read'],
    [
      'an authority that is not PEM',
      withCluster({ 'certificate-authority': 'pki/no.pem' }),
      'holds no PEM certificate',
    ],
    ['a broken authority', withCluster({ 'certificate-authority': 'pki/broken.crt' }), 'certificate 1 cannot be read'],
    ['inline data that is not PEM', withCluster({ 'certificate-authority-data': 'c2VjcmV0' }), 'no PEM certificate'],
    ['a certificate alone', lonely('client-certificate'), 'client-certificate and client-key go together'],
    ['a key alone', lonely('client-key'), 'client-certificate and client-key go together'],
    [
      'a certificate that is none',
      withUser({ 'client-certificate': 'pki/no.pem' }),
      'client-certificate is not a PEM certificate',
    ],
    ['a key that is none', withUser({ 'client-key': 'pki/no.pem' }), 'client-key is not a PEM key'],
    ['the key of another', withUser({ 'client-key': 'pki/other.key' }), 'client-key does not belong to'],
    ['a missing key', withUser({ 'client-key': 'none.key' }), 'client-key: cannot read'],
    ['another way of login', withUser({ token: 'secret' }), 'token is not supported; remove it'],
  ])('with %s is refused', async (_, content, complaint) => {
    const error: unknown = await read(content).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OptionError);
    const { message } = error as OptionError;
    expect(message).toContain(`--config: ${join(folder, 'config')}`);
    expect(message).toContain(complaint);
    expect(message).not.toMatch(/secret|\n/);
  });

  it('that does not exist is refused', async () => {
    await expect(readClientConfiguration('--config', join(folder, 'none'))).rejects.toThrow(
      /^--config: cannot read .*none: there is none/,
    );
  });
});

function absolute(fields: Readonly<Record<string, string>>): object {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, value.startsWith('pki') ? join(folder, value) : value]),
  );
}
