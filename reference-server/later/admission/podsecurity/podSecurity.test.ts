// Namespaces that ask for a pod security level: who is refused, and who is told.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import type { AnyShape } from '../../../testing/anyShape.js';
import { ask } from '../../../testing/standIn.js';
import { startFullServer } from '../../index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

const merge = 'application/merge-patch+json';
const send = async (method: string, path: string, body?: object, type = 'application/json') => {
  const headers = { 'content-type': type };
  const sent = await ask(server, path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const warnings = String(sent.headers.warning ?? '').match(/(?<=299 - ")(?:\\.|[^"\\])*/g) ?? [];
  const told = warnings.map((warning) => warning.replace(/\\(.)/g, '$1'));
  return { status: sent.status, warnings: told, body: JSON.parse(sent.text) as AnyShape };
};
const label = (mode: string): string => `pod-security.kubernetes.io/${mode}`;
const labelled = (name: string, labels: AnyShape) => send('POST', '/api/v1/namespaces', { metadata: { name, labels } });

const container = (securityContext: AnyShape) => ({ containers: [{ name: 'c', image: 'i', securityContext }] });
const [plain, hostile] = [container({}), { hostNetwork: true, ...container({ privileged: true }) }];
const pod = (namespace: string, name: string, spec: AnyShape) =>
  send('POST', `/api/v1/namespaces/${namespace}/pods`, { metadata: { name }, spec });
const violated =
  'host namespaces (hostNetwork=true), privileged (container "c" must not set securityContext.privileged=true)';

it('refuses pods that violate the enforced level, and warns of the templates that make them', async () => {
  await labelled('enforced', { [label('enforce')]: 'baseline' });
  expect((await pod('enforced', 'good', plain)).status).toBe(200);
  const refused = await pod('enforced', 'bad', hostile);
  expect([refused.status, refused.body.message, refused.warnings]).toEqual([
    403,
    `pods "bad" is forbidden: violates PodSecurity "baseline:latest": ${violated}`,
    [],
  ]);
  const template = { metadata: { labels: { a: 'b' } }, spec: hostile };
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
  const deployments = '/apis/apps/v1/namespaces/enforced/deployments';
  const made = await send('POST', deployments, { metadata: { name: 'bad' }, spec });
  expect([made.status, made.warnings]).toEqual([201, [`would violate PodSecurity "baseline:latest": ${violated}`]]);
  const changed = await send('PATCH', `${deployments}/bad`, { spec: { paused: true } }, merge);
  expect([changed.status, changed.warnings.length]).toEqual([200, 1]);
  const failure = async () => {
    const { body } = await send('GET', '/apis/apps/v1/namespaces/enforced/replicasets');
    return body.items[0]?.status?.conditions?.[0]?.message;
  };
  await expect.poll(failure).toContain('violates PodSecurity "baseline:latest"');
  const job = { template: { spec: { ...hostile, restartPolicy: 'Never' } } };
  const cron = { schedule: '@daily', jobTemplate: { spec: job } };
  const metadata = { name: 'bad' };
  const jobs = '/apis/batch/v1/namespaces/enforced';
  for (const [path, body] of [
    [`${jobs}/cronjobs`, { metadata, spec: cron }],
    [`${jobs}/jobs`, { metadata, spec: job }],
    ['/api/v1/namespaces/enforced/podtemplates', { metadata, template }],
  ] as const) {
    const { status, warnings } = await send('POST', path, body);
    expect([path, status, warnings.length]).toEqual([path, expect.toBeOneOf([200, 201]), 1]);
  }
});

it('warns of pods that it lets through', async () => {
  await labelled('warned', {
    [label('warn')]: 'restricted',
    [label('warn-version')]: 'v1.7',
    [label('audit')]: 'baseline',
  });
  const { status, warnings } = await pod('warned', 'bad', plain);
  expect([status, warnings]).toEqual([
    200,
    [
      'would violate PodSecurity "restricted:v1.7": runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
    ],
  ]);
  // an enforced level takes effect with the answer to its write
  await send('PATCH', '/api/v1/namespaces/warned', { metadata: { labels: { [label('enforce')]: 'baseline' } } }, merge);
  expect((await pod('warned', 'worse', hostile)).status).toBe(403);
  await send('PATCH', '/api/v1/namespaces/warned', { metadata: { labels: { [label('enforce')]: null } } }, merge);
  expect((await pod('warned', 'worse', hostile)).status).toBe(200);
});

it('refuses labels that name no level, unless they were there before', async () => {
  const { status, body } = await labelled('odd', { [label('enforce')]: 'strict', [label('warn-version')]: '1.30' });
  expect([status, body.details.causes]).toEqual([
    422,
    [
      {
        reason: 'FieldValueInvalid',
        field: `metadata.labels[${label('enforce')}]`,
        message: 'Invalid value: "strict": must be one of privileged, baseline, restricted',
      },
      {
        reason: 'FieldValueInvalid',
        field: `metadata.labels[${label('warn-version')}]`,
        message: 'Invalid value: "1.30": must be "latest" or "v1.x"',
      },
    ],
  ]);
});

it('names the pods that a stricter level would refuse', async () => {
  await labelled('growing', {});
  for (const [name, spec] of [
    ['b', plain],
    ['a', plain],
    ['c', hostile],
    ['d', plain],
  ] as const) {
    expect((await pod('growing', name, spec)).status).toBe(200);
  }
  const enforce = (level: string, version: string | null = null) => {
    const labels = { [label('enforce')]: level, [label('enforce-version')]: version };
    return send('PATCH', '/api/v1/namespaces/growing', { metadata: { labels } }, merge);
  };
  const violate = (level: string) =>
    `existing pods in namespace "growing" violate the new PodSecurity enforce level "${level}"`;
  const lacking = 'allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile';
  expect((await enforce('restricted')).warnings).toEqual([
    violate('restricted:latest'),
    `a (and 2 other pods): ${lacking}`,
    `c: host namespaces, privileged, ${lacking}`,
  ]);
  expect((await enforce('baseline')).warnings).toEqual([]);
  expect((await enforce('baseline', 'v1.20')).warnings).toEqual([
    violate('baseline:v1.20'),
    'c: host namespaces, privileged',
  ]);
});
