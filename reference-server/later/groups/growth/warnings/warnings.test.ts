// What servers say about objects that they take, as kube-apiserver 1.36 does. `AGAINST` names a real one.
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../../../server.js';
import type { AnyShape } from '../../../../testing/anyShape.js';
import { peerCertificates } from '../../../../testing/httpsPeer.js';
import { ask } from '../../../../testing/standIn.js';
import { startFullServer } from '../../../index.js';
import { realServerOr } from '../../../testing/customResources.js';
import { warned } from '../../../testing/warned.js';
import { addressWarnings, blockWarnings } from './addresses.js';
import { whyNoPair } from './keyPairs.js';

let server: RunningServer;
beforeAll(async () => {
  server = await realServerOr({ without: ['service-account-admission'] });
});
afterAll(() => server.close());

/** Sends a request and returns the texts of the warnings, sorted. */
async function said(method: string, path: string, body: AnyShape, of = server): Promise<readonly string[]> {
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const sent = { method, headers: { 'content-type': type }, body: JSON.stringify(body) };
  const { status, text, headers } = await ask(of, path, sent);
  expect([200, 201], text).toContain(status);
  const all = [headers.warning ?? []].flat().flatMap((each) => each.split(/, (?=299 - ")/));
  return all.map((each) => JSON.parse(each.slice(each.indexOf('"')))).sort();
}
const named = ({ metadata, ...body }: AnyShape): AnyShape => ({ ...body, metadata: { name: 'warned', ...metadata } });

it.each(warned)('a new object in %s: %j', async (path, body, ...warnings) => {
  expect(await said('POST', `${path}?dryRun=All`, named(body))).toEqual(warnings);
});

it('a server of an earlier version does not say what servers said later', async () => {
  await using earlier = await startFullServer({ kubeVersion: '1.35', without: ['service-account-admission'] });
  const [[path, body]] = warned as readonly (readonly [string, AnyShape])[] as [readonly [string, AnyShape]];
  expect(await said('POST', `${path}?dryRun=All`, named(body), earlier)).toEqual([]);
});

describe('an update', () => {
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const pods = '/api/v1/namespaces/default/pods';
  const spec = { containers: [{ name: 'c', image: 'i' }], nodeSelector: { 'beta.kubernetes.io/os': 'x' } };

  it('of a template is warned of, that of labels and of the status is not', async () => {
    const name = `updated-${Date.now() % 1_000_000}`;
    const path = `${deployments}/${name}`;
    const template = { metadata: { labels: { a: 'b' } }, spec };
    await said('POST', deployments, { metadata: { name }, spec: { selector: { matchLabels: { a: 'b' } }, template } });
    const why =
      'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead';
    expect(await said('PATCH', path, { spec: { paused: true } })).toEqual([why]);
    expect(await said('PATCH', path, { metadata: { labels: { a: 'b' } } })).toEqual([]);
    expect(await said('PATCH', `${path}/status`, { status: { replicas: 1 } })).toEqual([]);
    await said('DELETE', path, {});
  });

  it('of a pod is not, but for the addresses in its status', async () => {
    const name = `updated-${Date.now() % 1_000_000}`;
    const path = `${pods}/${name}`;
    await said('POST', pods, { metadata: { name }, spec });
    expect(await said('PATCH', path, { metadata: { labels: { a: 'b' } } })).toEqual([]);
    const status = { podIP: 'FD00::1', podIPs: [{ ip: 'FD00::1' }] };
    expect(await said('PATCH', `${path}/status`, { status })).toEqual([
      'status.podIPs[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
    ]);
    await said('DELETE', path, { gracePeriodSeconds: 0 });
  });
});

it.each([
  ['1.2.3.4', []],
  ['fd00::1', []],
  ['x', []],
  ['01.2.3.4', ['at: non-standard IP address "01.2.3.4" is invalid: use "1.2.3.4"']],
  ['::ffff:1.2.3.4', ['at: non-standard IP address "::ffff:1.2.3.4" is invalid: use "1.2.3.4"']],
  ['FD00::1', ['at: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")']],
])('the address %s', (address, warnings) => expect(addressWarnings('at', address)).toEqual(warnings));

it.each([
  ['10.0.0.0/8', []],
  ['x', []],
  [
    '10.0.0.1/8',
    ['at: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)'],
  ],
  ['010.0.0.0/8', ['at: non-standard CIDR value "010.0.0.0/8" is invalid: use "10.0.0.0/8"']],
  ['FD00::/16', ['at: IPv6 CIDR value "FD00::/16" should be in RFC 5952 canonical format ("fd00::/16")']],
  [
    'fd00:1::1/16',
    ['at: CIDR value "fd00:1::1/16" is ambiguous in this context (should be "fd00::/16" or "fd00:1::1/128"?)'],
  ],
])('the block %s', (block, warnings) => expect(blockWarnings('at', block)).toEqual(warnings));

const keyOf = (type: 'rsa' | 'ec'): string => {
  const { privateKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
};
const { certificate, key } = peerCertificates.server;

it.each([
  [certificate, key, undefined],
  ['', key, 'tls: failed to find any PEM data in certificate input'],
  [
    key,
    key,
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [certificate, '', 'tls: failed to find any PEM data in key input'],
  [certificate, certificate, 'tls: found a certificate rather than a key in the PEM for the private key'],
  ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', key, 'x509: malformed certificate'],
  [certificate, keyOf('rsa'), /private key (type )?does not match public key/],
  [certificate, keyOf('ec'), /private key (type )?does not match public key/],
])('a pair of a certificate and a key (%#)', (one, other, why) => {
  const found = whyNoPair(one, other);
  if (why instanceof RegExp) expect(found).toMatch(why);
  else expect(found).toBe(why);
});
