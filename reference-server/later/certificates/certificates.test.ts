// Certificate signing requests, from the request to a connection with the certificate. What is refused, with its words, is
// what kube-apiserver and kube-controller-manager 1.20 refuse.
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueCertificate } from '../../../test-certs/index.js';
import { inMemory } from '../../openStorage.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { causesOf, sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { startFullServer } from '../index.js';

const path = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const merge = 'application/merge-patch+json';
const client = 'kubernetes.io/kube-apiserver-client';
const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet';
const serving = 'kubernetes.io/kubelet-serving';
const ofNode = '/O=system:nodes/CN=system:node:n1';

const tokens = [
  { token: 'admin', user: { name: 'admin', uid: '1', groups: ['system:masters'] } },
  { token: 'jane', user: { name: 'jane', uid: '2', groups: ['devs'] } },
];

let folder: string;
let server: RunningServer;
const { send, read } = sendingTo(() => server);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signing-requests-'));
  server = await startFullServer({ tokens });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

interface Asked {
  readonly key: string;
  /** Base64. */
  readonly request: string;
}

const kinds = { ec: ['-pkeyopt', 'ec_paramgen_curve:P-256'], rsa: ['-pkeyopt', 'rsa_keygen_bits:2048'] } as const;

async function asked(subject: string, names = '', kind: keyof typeof kinds = 'ec'): Promise<Asked> {
  const [key, file] = [join(folder, `${Math.random()}.key`), join(folder, `${Math.random()}.csr`)];
  const words = ['req', '-new', '-nodes', '-newkey', kind, ...kinds[kind], '-keyout', key, '-out', file];
  const extra = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
  await promisify(execFile)('openssl', [...words, '-subj', subject, ...extra]);
  return { key: await readFile(key, 'utf8'), request: (await readFile(file)).toString('base64') };
}

let made = 0;
/** Creates a request, and returns its path. */
async function sent(spec: AnyShape): Promise<string> {
  made += 1;
  const answer = await send('POST', path, { metadata: { name: `r${made}` }, spec });
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return `${path}/r${made}`;
}

const conditions = (...list: readonly AnyShape[]): AnyShape => ({ status: { conditions: list } });
const approved = { type: 'Approved', status: 'True', reason: 'Good' };
const approve = async (place: string) => send('PATCH', `${place}/approval`, conditions(approved), merge);

/** Approves a request, and returns its status when a signer has answered. */
async function answered(spec: AnyShape): Promise<AnyShape> {
  const place = await sent(spec);
  expect((await approve(place)).status).toBe(200);
  const status = async () => (await read(place)).status;
  await expect
    .poll(async () => {
      const { certificate, conditions } = await status();
      return certificate !== undefined || conditions.length > 1;
    })
    .toBe(true);
  return status();
}

const certificateIn = ({ certificate }: AnyShape): string => Buffer.from(certificate, 'base64').toString();

/** Asks the server who the holder of a certificate is. */
function whoIs(cert: string, key: string, at: RunningServer = server): Promise<AnyShape> {
  const url = `${at.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
  const headers = { 'content-type': 'application/json' };
  const options = { method: 'POST', cert, key, ca: at.caCertificate, agent: false, headers };
  return new Promise((resolve, reject) => {
    const asking = httpsRequest(url, options, async (response) => {
      const chunks = await response.toArray();
      resolve({ code: response.statusCode, ...JSON.parse(Buffer.concat(chunks).toString()) });
    });
    asking.on('error', reject);
    asking.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });
}

describe('an approved request', () => {
  it.each(['ec', 'rsa'] as const)('with a key of kind %s gets a certificate of its subject', async (kind) => {
    const { key, request } = await asked('/O=devs/O=ops/CN=jane', '', kind);
    const usages = ['client auth', 'digital signature'];
    const certificate = certificateIn(await answered({ request, signerName: client, usages, expirationSeconds: 3600 }));
    const { userInfo } = (await whoIs(certificate, key)).status;
    expect(userInfo).toEqual({ username: 'jane', groups: ['devs', 'ops', 'system:authenticated'] });
    const parsed = new X509Certificate(certificate);
    expect([parsed.keyUsage, parsed.ca]).toEqual([['1.3.6.1.5.5.7.3.2'], false]);
    const minutes = (Date.parse(parsed.validTo) - Date.now()) / 60_000;
    expect(Math.round(minutes / 10)).toBe(6);
  });

  it('of a node gets certificates for its calls and for its own server', async () => {
    const { key, request } = await asked(ofNode);
    const usages = ['digital signature', 'client auth'];
    const certificate = certificateIn(await answered({ request, signerName: kubelet, usages }));
    expect((await whoIs(certificate, key)).status.userInfo.username).toBe('system:node:n1');
    const names = await asked(ofNode, 'DNS:n1,IP:1.2.3.4,IP:fd00::1');
    const wanted = { request: names.request, signerName: serving, usages: ['digital signature', 'server auth'] };
    const { subjectAltName } = new X509Certificate(certificateIn(await answered(wanted)));
    expect(subjectAltName).toBe('DNS:n1, IP Address:1.2.3.4, IP Address:FD00:0:0:0:0:0:0:1');
  });

  it.each<
    [what: string, subject: string, names: string, signerName: string, usages: readonly string[], message: string]
  >([
    ['another purpose', '/CN=y', '', client, ['server auth'], 'invalid usage for client certificate: server auth'],
    ['any purpose', '/CN=y', '', client, ['any', 'client auth'], 'invalid usage for client certificate: any'],
    [
      'no purpose',
      '/CN=y',
      '',
      client,
      ['digital signature'],
      'missing required usage for client certificate: client auth',
    ],
    ['no node', '/O=x/CN=y', '', kubelet, ['client auth'], 'subject organization is not system:nodes'],
    [
      'a node without its name',
      '/O=system:nodes/CN=y',
      '',
      kubelet,
      ['client auth'],
      'subject common name does not begin with system:node:',
    ],
    ['names of a node', ofNode, 'DNS:n1', kubelet, ['client auth'], 'DNS subjectAltNames are not allowed'],
    [
      'a wrong use of a node',
      ofNode,
      '',
      kubelet,
      ['client auth'],
      'usages did not match [client auth digital signature key encipherment]',
    ],
    ['a server without names', ofNode, '', serving, ['server auth'], 'DNS or IP subjectAltName is required'],
    [
      'a server with a mailbox',
      ofNode,
      'DNS:a,email:a@b.c',
      serving,
      ['server auth'],
      'Email subjectAltNames are not allowed',
    ],
  ])('for %s fails', async (_what, subject, names, signerName, usages, message) => {
    const { request } = await asked(subject, names);
    const status = await answered({ request, signerName, usages });
    expect(status.certificate).toBeUndefined();
    expect(status.conditions).toMatchObject([
      { type: 'Approved' },
      { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message },
    ]);
  });

  it('survives a restart of the server with its storage, and is signed by several servers', async () => {
    const storage = await inMemory();
    const signingKey = storage.signingKey;
    const key = await signingKey();
    const options = { tokens, openStorage: async () => ({ ...(await inMemory()), signingKey: async () => key }) };
    await using other = await startFullServer(options);
    await using again = await startFullServer(options);
    const { key: own, request } = await asked('/CN=jane');
    const place = `${path}/kept`;
    const { send, read } = sendingTo(() => other);
    const spec = { request, signerName: client, usages: ['client auth'] };
    await send('POST', path, { metadata: { name: 'kept' }, spec });
    await send('PATCH', `${place}/approval`, conditions(approved), merge);
    await expect.poll(async () => (await read(place)).status.certificate).toEqual(expect.any(String));
    const certificate = certificateIn((await read(place)).status);
    expect((await whoIs(certificate, own, again)).status.userInfo.username).toBe('jane');
    expect((await whoIs(certificate, own, server)).code).toBe(401);
  });
});

describe('a request', () => {
  it('says who has sent it, and keeps it', async () => {
    const { request } = await asked('/CN=other');
    const spec = { request, signerName: 'example.com/x', usages: ['client auth'], username: 'other', groups: ['g'] };
    const headers = { 'content-type': 'application/json', authorization: 'Bearer jane' };
    const body = JSON.stringify({ metadata: { name: 'of-jane' }, spec: { ...spec, extra: { a: ['b'] } } });
    const created = JSON.parse((await ask(server, path, { method: 'POST', headers, body })).text);
    const { username, uid, groups, extra } = created.spec;
    expect([username, uid, groups, extra]).toEqual(['jane', '2', ['devs', 'system:authenticated'], undefined]);
    const changed = { spec: { usages: ['server auth'], username: 'admin' }, status: { certificate: 'YQ==' } };
    const { status, body: after } = await send(
      'PATCH',
      `${path}/of-jane`,
      { ...changed, metadata: { labels: { a: 'b' } } },
      merge,
    );
    expect([status, after.spec, after.status, after.metadata.labels]).toEqual([200, created.spec, {}, { a: 'b' }]);
  });

  it('for the group of administrators is refused', async () => {
    const { request } = await asked('/O=system:masters/CN=x');
    const spec = { request, signerName: client, usages: ['client auth'] };
    const { status, body } = await send('POST', path, { metadata: { name: 'masters' }, spec });
    const why = 'use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed';
    expect([status, body.message]).toEqual([
      403,
      `certificatesigningrequests.certificates.k8s.io "masters" is forbidden: ${why}`,
    ]);
  });

  it('is refused for what is wrong in it', async () => {
    const { request } = await asked('/CN=x');
    const good = { request, signerName: 'example.com/x', usages: ['client auth'] };
    const text = Buffer.from(request, 'base64').toString();
    const broken = Buffer.from(text.replace(/\n(.{10}).{4}/, '\n$1AAAA')).toString('base64');
    const [, first = ''] = text.split('\n');
    const deep = Buffer.from(
      `-----BEGIN CERTIFICATE REQUEST-----\n${'MIIB'.repeat(200_000)}\n-----END CERTIFICATE REQUEST-----\n`,
    );
    for (const [change, fields] of [
      [
        { request: undefined, signerName: undefined, usages: undefined },
        ['spec.request', 'spec.usages', 'spec.signerName'],
      ],
      [{ request: 'YQ==' }, ['spec.request']],
      [{ request: broken }, ['spec.request']],
      [{ request: Buffer.from(text.replace(first, '')).toString('base64') }, ['spec.request']],
      [{ request: deep.toString('base64') }, ['spec.request']],
      [{ usages: ['odd', 'client auth', 'client auth'] }, ['spec.usages[0]', 'spec.usages[2]']],
      [{ expirationSeconds: 599 }, ['spec.expirationSeconds']],
      [{ signerName: 'kubernetes.io/legacy-unknown' }, ['spec.signerName']],
      [{ signerName: 'bad' }, ['spec.signerName']],
      [{ signerName: 'Bad_.com/x/y' }, ['spec.signerName']],
      [{ signerName: 'example.com/' }, ['spec.signerName']],
      [{ signerName: 'example.com/a_b' }, ['spec.signerName']],
      [{ signerName: '/a' }, ['spec.signerName', 'spec.signerName']],
    ] as const) {
      const answer = await send('POST', path, { metadata: { name: 'wrong' }, spec: { ...good, ...change } });
      expect([change, answer.status, causesOf(answer)]).toEqual([change, 422, fields]);
    }
  });

  it('is decided once', async () => {
    const { request } = await asked('/CN=x');
    const place = await sent({ request, signerName: 'example.com/x', usages: ['client auth'] });
    const issued = await issueCertificate({ subject: { commonName: 'x' }, usage: 'client' });
    const encoded = (text: string): string => Buffer.from(text).toString('base64');
    const certificate = encoded(`a comment\n${issued.certificate}`);
    const [denied, failed] = ['Denied', 'Failed'].map((type) => ({ type, status: 'True' }));
    const stay = 'status.conditions';
    const steps: readonly (readonly [string, AnyShape, readonly string[]])[] = [
      ['approval', conditions({ type: 'Approved', status: 'False' }), ['status.conditions[0].status']],
      ['approval', conditions({ type: '', status: 'True' }), ['status.conditions[0].type']],
      ['approval', conditions({ type: 'Approved', status: '' }), ['status.conditions[0].status']],
      ['approval', conditions({ type: 'Odd', status: 'Odd' }), ['status.conditions[0].status']],
      ['approval', conditions(approved, denied as AnyShape), ['status.conditions[1].type']],
      ['approval', conditions(approved, approved), ['status.conditions[1].type']],
      ['status', conditions(approved), [stay]],
      ['approval', { ...conditions(approved), spec: { usages: ['x'] }, metadata: { labels: { q: 'r' } } }, []],
      ['approval', conditions(denied as AnyShape), [stay]],
      ['approval', conditions(), [stay]],
      ['approval', { status: { certificate } }, []],
      ['status', conditions(failed as AnyShape), [stay]],
      ['status', conditions(approved, denied as AnyShape), ['status.conditions[1].type', stay]],
      ['status', { status: { certificate: 'YQ==' } }, ['status.certificate']],
      [
        'status',
        { status: { certificate: encoded('-----BEGIN X-----\nYQ==\n-----END X-----\n') } },
        ['status.certificate'],
      ],
      [
        'status',
        { status: { certificate: encoded('-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----\n') } },
        ['status.certificate'],
      ],
      ['status', { status: { certificate } }, []],
      ['status', { status: { certificate: encoded(issued.certificate) } }, ['status.certificate']],
      ['status', { status: { certificate: null } }, ['status.certificate']],
    ];
    for (const [subresource, change, fields] of steps) {
      const answer = await send('PATCH', `${place}/${subresource}`, change, merge);
      expect([change, answer.status, causesOf(answer)]).toEqual([change, fields.length === 0 ? 200 : 422, fields]);
    }
    const { spec, status, metadata } = await read(`${place}/approval`);
    expect([spec.usages, status.certificate, metadata.labels]).toEqual([['client auth'], certificate, { q: 'r' }]);
    expect(status.conditions).toEqual([
      { ...approved, lastUpdateTime: expect.any(String), lastTransitionTime: expect.any(String) },
    ]);
  });
});
