// Admission webhooks of this server alone: where they may be, what they cost, and whose writes they see. The tests beside a
// real server compare what they are asked, and what their answers do.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeServerCertificates } from '../../../test-certs/index.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { startHttpsPeer } from '../../testing/httpsPeer.js';
import { sendingTo } from '../../testing/sending.js';
import { ask } from '../../testing/standIn.js';
import { TestBackend } from '../../testing/testBackend.js';
import { startFullServer } from '../index.js';
import { type Asked, caBundle, patching, WebhookServer } from '../testing/webhookServer.js';
import { WebhookCaller } from './caller.js';

const configurations = '/apis/admissionregistration.k8s.io/v1';
const configs = '/api/v1/namespaces/default/configmaps';

let server: RunningServer;
let webhooks: WebhookServer;
let folder: string;
const { send, create, read } = sendingTo(() => server);
const made: string[] = [];

beforeAll(async () => {
  webhooks = await WebhookServer.start();
  folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
  server = await startFullServer({ allowLoopbackWebhooks: true, auditLogPath: join(folder, 'audit.log') });
});
afterEach(async () => {
  for (const path of made.splice(0)) await send('DELETE', path);
  webhooks.asked.splice(0);
});
afterAll(async () => {
  await server.close();
  await webhooks.close();
  rmSync(folder, { recursive: true });
});

/** A webhook about config maps. */
const usual = {
  name: 'hook.example.com',
  rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Configures one webhook, about config maps unless told otherwise. */
async function configure(kind: 'mutating' | 'validating', change: AnyShape, rule: AnyShape = {}): Promise<void> {
  const path = `${configurations}/${kind}webhookconfigurations`;
  const webhook = { ...usual, rules: [{ ...usual.rules[0], ...rule }], ...change };
  const { status, body } = await create(path, { metadata: { name: 'hook' }, webhooks: [webhook] });
  expect([status, body.message]).toEqual([201, undefined]);
  made.push(`${path}/hook`);
}

const config = (name: string) => create(configs, { metadata: { name }, data: { a: 'b' } });
const failure = (why: string) => `Internal error occurred: failed calling webhook "hook.example.com": ${why}`;

describe('a webhook', () => {
  it('takes effect with the answer to its configuration, and is gone after its deletion', async () => {
    await configure('validating', { clientConfig: webhooks.on('/no', () => ({ allowed: false })) });
    expect((await config('refused')).status).toBe(400);
    await send('DELETE', made[0] ?? '');
    await expect.poll(async () => (await config('taken')).status).toBe(200);
  });

  it('is not asked about configurations, even if it asks for all', async () => {
    await configure(
      'validating',
      { clientConfig: webhooks.on('/no', () => ({ allowed: false })) },
      { resources: ['*/*'] },
    );
    expect((await send('DELETE', made[0] ?? '')).status).toBe(200);
    expect(webhooks.asked).toEqual([]);
  });

  it('sees who sends a request, and with which options', async () => {
    await configure('validating', { clientConfig: webhooks.on('/yes', () => ({ allowed: true })) });
    await create(`${configs}?dryRun=All&fieldManager=me&fieldValidation=Strict`, { metadata: { name: 'a' } });
    const [
      {
        review: { request },
      },
    ] = webhooks.asked as [Asked];
    expect(request.userInfo).toEqual({
      username: 'admin',
      uid: 'admin',
      groups: ['system:masters', 'system:authenticated'],
    });
    const options = { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1', dryRun: ['All'], fieldManager: 'me' };
    expect([request.dryRun, request.options]).toEqual([true, { ...options, fieldValidation: 'Strict' }]);
  });

  it.each(['mutating', 'validating'] as const)('keeps integers that a number cannot hold: %s', async (kind) => {
    const change = { op: 'add', path: '/metadata/labels', value: { seen: 'yes' } };
    const answers = { mutating: () => patching(change), validating: () => ({ allowed: true }) };
    await configure(kind, { clientConfig: webhooks.on('/big', answers[kind]) }, { resources: ['pods'] });
    const spec = '{"containers":[{"name":"c","image":"i"}],"terminationGracePeriodSeconds":9007199254740993}';
    const body = `{"metadata":{"name":"big-${kind}"},"spec":${spec}}`;
    const { status, text } = await ask(server, '/api/v1/namespaces/default/pods?dryRun=All', { method: 'POST', body });
    expect([status, webhooks.asked.length]).toEqual([200, 1]);
    expect(text).toContain('"terminationGracePeriodSeconds":9007199254740993');
  });

  it('changes the pods that controllers make, and may refuse their deletion', async () => {
    const response = { metadata: { labels: { seen: 'yes' } } };
    await configure(
      'mutating',
      {
        clientConfig: webhooks.on('/label', () => patching({ op: 'add', path: '/metadata/labels/seen', value: 'yes' })),
      },
      { operations: ['CREATE'], resources: ['pods'] },
    );
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const sets = '/apis/apps/v1/namespaces/default/replicasets';
    const spec = { replicas: 1, selector: { matchLabels: { app: 'a' } }, template };
    await create(sets, { metadata: { name: 'a' }, spec });
    const pods = async (): Promise<AnyShape[]> => (await read('/api/v1/namespaces/default/pods')).items;
    await expect.poll(pods).toEqual([
      expect.objectContaining({
        metadata: expect.objectContaining({ labels: { app: 'a', ...response.metadata.labels } }),
      }),
    ]);
    const [
      {
        review: { request },
      },
    ] = webhooks.asked as [Asked];
    expect([request.userInfo.username, request.name ?? '']).toEqual(['system:kube-controller-manager', '']);
  });

  it('is asked again about an update that others overtake, and none is lost', async () => {
    await config('raced');
    await configure('mutating', { clientConfig: webhooks.on('/race', () => ({ allowed: true })) });
    const patches = Array.from({ length: 4 }, (_, index) =>
      send('PATCH', `${configs}/raced`, { data: { [`k${index}`]: 'v' } }, 'application/merge-patch+json'),
    );
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual(patches.map(() => 200));
    expect(Object.keys((await read(`${configs}/raced`)).data)).toHaveLength(5);
  });

  it('adds warnings and audit annotations, also to what it refuses', async () => {
    const response = { allowed: false, warnings: ['careful'], auditAnnotations: { seen: 'yes' } };
    await configure('validating', { clientConfig: webhooks.on('/noted', () => response) });
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify({ metadata: { name: 'noted' } });
    const { headers } = await ask(server, configs, { ...sent, body });
    expect(headers.warning).toBe('299 - "careful"');
    const log = () => readFileSync(join(folder, 'audit.log'), 'utf8');
    await expect.poll(log).toContain('"hook.example.com/seen":"yes"');
  });

  it('changes custom resources, which are checked afterwards', async () => {
    const definition = {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: ['v1', 'v2'].map((name) => ({
          name,
          served: true,
          storage: name === 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                size: { type: 'integer', maximum: 9 },
                colour: { type: 'string', default: 'red' },
              },
            },
          },
        })),
      },
    };
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
    const things = (version: string) => `/apis/example.com/${version}/namespaces/default/things`;
    await expect.poll(async () => (await send('GET', things('v1'))).status).toBe(200);
    const growing = (request: AnyShape) =>
      patching(
        { op: 'replace', path: '/size', value: request.object.size * 2 },
        { op: 'remove', path: '/colour' },
        { op: 'add', path: '/unknown', value: request.object.apiVersion },
      );
    const rule = { apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['things'] };
    await configure('mutating', { clientConfig: webhooks.on('/grow', growing), matchPolicy: 'Equivalent' }, rule);
    const thing = (name: string, size: number) =>
      create(things('v1'), { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, size });
    const { metadata: _metadata, ...small } = (await thing('small', 2)).body;
    expect(small).toEqual({ apiVersion: 'example.com/v1', kind: 'Thing', size: 4, colour: 'red' });
    expect((await thing('large', 5)).body.message).toContain('size: Invalid value: 10');
    const [{ review }] = webhooks.asked as [Asked];
    const { kind, requestKind, object } = review.request;
    expect([kind.version, requestKind.version, object.apiVersion]).toEqual(['v2', 'v1', 'example.com/v2']);
  });

  it('has conditions, and those that cannot be evaluated fail as its policy says', async () => {
    const clientConfig = webhooks.on('/no', () => ({ allowed: false }));
    const conditionOf = (expression: string) => ({ clientConfig, matchConditions: [{ name: 'some', expression }] });
    await configure('validating', conditionOf("object.metadata.name == 'meant' && request.operation == 'CREATE'"));
    expect((await config('meant')).status).toBe(400);
    expect((await config('other')).status).toBe(200);
    await send('DELETE', made[0] ?? '');
    made.length = 0;
    await configure('validating', conditionOf('object.data.none == "some"'));
    const { status, body } = await config('conditional');
    expect([status, body.message]).toEqual([403, expect.stringContaining('no such key: none')]);
    await send(
      'PATCH',
      made[0] ?? '',
      { webhooks: [{ name: 'hook.example.com', failurePolicy: 'Ignore' }] },
      'application/strategic-merge-patch+json',
    );
    await expect.poll(async () => (await config('conditional')).status).toBe(200);
    expect(webhooks.asked.length).toBe(1);
  });
});

describe('a call', () => {
  const largest = 4 * 1024 * 1024;

  it('ends with an answer that is too large', async () => {
    const answer = { body: JSON.stringify({ filler: 'x'.repeat(largest) }) };
    await configure('validating', { clientConfig: webhooks.on('/large', () => ({ answer })) });
    const { url } = webhooks;
    expect((await config('large')).body.message).toBe(
      failure(`Post "${url}/large?timeout=10s": an answer of more than ${largest} bytes`),
    );
  });

  it('waits for its turn, and not longer than its time', async () => {
    let open = 0;
    let meet = (): void => {};
    const most: number[] = [];
    const answer = async () => {
      open += 1;
      most.push(open);
      // The last ones have no partner.
      if (open > 1 || most.length >= 9) meet();
      else await new Promise<void>((resolve) => (meet = resolve));
      open -= 1;
      return { body: {} };
    };
    const slow = webhooks.on('/slow', () => ({ answer: answer() }));
    const silent = webhooks.on('/silent', () => ({ answer: 'silence' }));
    const nothing = { of: () => ({ get: () => Promise.reject(new Error()), find: async () => undefined }) };
    const caller = new WebhookCaller({ allowLoopbackWebhooks: true }, nothing, 2);
    const answers = await Promise.all(Array.from({ length: 9 }, () => caller.call(slow, { request: {} }, 30)));
    expect([answers.length, Math.max(...most)]).toEqual([9, 2]);
    const calls = Array.from({ length: 4 }, () => caller.call(silent, { request: {} }, 1));
    const late = `Post "${webhooks.url}/silent?timeout=1s": context deadline exceeded`;
    const failed = { status: 'rejected', reason: expect.objectContaining({ message: late }) };
    expect(await Promise.allSettled(calls)).toEqual([failed, failed, failed, failed]);
    expect(await caller.call(slow, { request: {} }, 30)).toEqual({});
  });

  it('follows no redirect, and sends no credentials', async () => {
    await using elsewhere = await startHttpsPeer(() => ({
      status: 307,
      headers: { location: `${webhooks.url}/elsewhere` },
    }));
    await configure('validating', { clientConfig: { url: `${elsewhere.url}/x`, caBundle } });
    expect((await config('redirected')).status).toBe(500);
    expect([elsewhere.calls.map(({ client }) => client), webhooks.asked]).toEqual([[undefined], []]);
  });
});

it('a service is found through its endpoints, which are pods, and proves its name', async () => {
  const { ca, server: of } = await makeServerCertificates('10.250.0.1', { names: ['DNS:hook.default.svc'] });
  const backend = await TestBackend.start({ cert: of.certificate, key: of.key });
  await using there = await startFullServer({ egressProxy: backend.socketPath });
  const { create: createThere, send: sendThere } = sendingTo(() => there);
  const core = '/api/v1/namespaces/default';
  backend.behave = (response, { body }) => {
    const { apiVersion, kind, request } = JSON.parse(body);
    response.end(JSON.stringify({ apiVersion, kind, response: { uid: request.uid, allowed: false } }));
  };
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  const { body: pod } = await createThere(`${core}/pods`, { metadata: { name: 'p' }, spec });
  await sendThere('PUT', `${core}/pods/p/status`, { ...pod, status: { podIP: '10.244.0.5' } });
  const targetRef = { kind: 'Pod', namespace: 'default', name: 'p' };
  for (const [name, more] of Object.entries({ hook: { targetRef }, other: { targetRef }, stray: {} })) {
    await createThere(`${core}/services`, { metadata: { name }, spec: { ports: [{ port: 443 }] } });
    const subsets = [{ addresses: [{ ip: '10.244.0.5', ...more }], ports: [{ port: 8443 }] }];
    await createThere(`${core}/endpoints`, { metadata: { name }, subsets });
  }
  const names = 'localhost, kubernetes, kubernetes.default, hook.default.svc';
  const answers: Readonly<Record<string, string>> = {
    hook: 'admission webhook "hook.example.com" denied the request without explanation',
    other: failure(
      `Post "https://other.default.svc:443/x?timeout=10s": x509: certificate is valid for ${names}, not other.default.svc`,
    ),
    stray: failure('Post "https://stray.default.svc:443/x?timeout=10s": no endpoints available for service "stray"'),
  };
  for (const [name, message] of Object.entries(answers)) {
    const clientConfig = { service: { namespace: 'default', name, path: '/x' }, caBundle: base64(ca.certificate) };
    const path = `${configurations}/validatingwebhookconfigurations`;
    const webhook = { ...usual, clientConfig, objectSelector: { matchLabels: { to: name } } };
    await createThere(path, { metadata: { name }, webhooks: [webhook] });
    const { body } = await createThere(configs, { metadata: { name, labels: { to: name } } });
    expect([name, body.message]).toEqual([name, message]);
  }
  expect(backend.arrived.map(({ to, url }) => [to, url])).toEqual([['10.244.0.5:8443', '/x?timeout=10s']]);
  await backend.close();
});

it('loopback addresses are not called unless the server is told to', async () => {
  await using plain = await startFullServer();
  const { create: createThere } = sendingTo(() => plain);
  const { port } = new URL(webhooks.url);
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254', '0.0.0.0'];
  const urls = hosts.map((host) => `https://${host}:${port}/x`);
  const hooks = urls.map((url, index) => ({
    ...usual,
    name: `hook-${index}.example.com`,
    clientConfig: { url, caBundle },
    objectSelector: { matchLabels: { to: String(index) } },
  }));
  const path = `${configurations}/validatingwebhookconfigurations`;
  await createThere(path, { metadata: { name: 'hooks' }, webhooks: hooks });
  for (const [index, url] of urls.entries()) {
    const { status, body } = await createThere(configs, { metadata: { name: 'a', labels: { to: String(index) } } });
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining(`: Post "${url}?timeout=10s": address not allowed`),
    ]);
  }
  expect(webhooks.asked).toEqual([]);
});
