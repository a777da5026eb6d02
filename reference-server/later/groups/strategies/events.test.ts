// What new events of events.k8s.io/v1 need: each answer is that of kube-apiserver 1.20.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../../server.js';
import { ask } from '../../../testing/standIn.js';
import { startFullServer } from '../../index.js';

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer({});
});
afterAll(() => server.close());

const core = '/api/v1/namespaces/default/events';
const later = '/apis/events.k8s.io/v1/namespaces/default/events';
const metadata = { name: 'event' };
const regarding = { kind: 'ConfigMap', namespace: 'default', name: 'settings' };
const eventTime = '2026-01-02T03:04:05.123456Z';
const report = { reportingController: 'example.com/c', reportingInstance: 'one', action: 'Act', reason: 'Because' };
const event = { metadata, regarding, eventTime, type: 'Normal', ...report };
const unset = 'Invalid value: "": needs to be unset';
const old = '2026-01-02T03:04:05Z';

async function send(method: string, path: string, body: object, type = 'application/json') {
  const { status, text } = await ask(server, path, {
    method,
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  const causes: { field: string; message: string }[] = JSON.parse(text).details?.causes ?? [];
  return { status, causes: causes.map(({ field, message }) => `${field}: ${message}`) };
}

it.each([
  ['later, about another namespace', later, { ...event, regarding: { namespace: 'other' } }, []],
  [
    'of core, with a time, about another namespace',
    core,
    { eventTime, type: 'Normal', involvedObject: { namespace: 'other' } },
    [],
  ],
  ['of core, about another namespace', core, { involvedObject: { namespace: 'other' } }, ['involvedObject.namespace']],
  ['later, about none, in kube-system', later.replace('default', 'kube-system'), { ...event, regarding: {} }, []],
  ['of core, about none, in kube-system', core.replace('default', 'kube-system'), {}, ['involvedObject.namespace']],
])('asks which namespace an event is in: %s', async (_, path, given, fields) => {
  const { reportingController: reportingComponent, ...more } = report;
  const body = { ...more, reportingComponent, ...given, metadata: { generateName: 'placed-' } };
  const { causes } = await send('POST', path, body);
  expect(causes.map((cause) => cause.split(':')[0])).toEqual(fields);
});

it.each<[string, object, (string | RegExp)[]]>([
  [
    'only an object',
    { metadata, regarding },
    ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
  ],
  [
    'no report',
    { metadata, regarding, eventTime, type: 'Normal' },
    [
      'reportingController: Required value',
      /^reportingController: Invalid value: "": name part must be non-empty$/,
      /^reportingController: Invalid value: "": name part must consist of /,
      ...['reportingInstance', 'action', 'reason'].map((field) => `${field}: Required value`),
    ],
  ],
  [
    'a name that is not a subdomain',
    { ...event, metadata: { name: 'E_2' } },
    [/^metadata.name: Invalid value: "E_2": /],
  ],
  [
    'fields of older events',
    {
      ...event,
      ...{ deprecatedCount: 2, deprecatedSource: { component: 'c' } },
      ...{ deprecatedFirstTimestamp: old, deprecatedLastTimestamp: old },
    },
    ['firstTimestamp', 'lastTimestamp', 'count', 'source'].map((field) => `${field}: ${unset}`),
  ],
  ['another type', { ...event, type: 'Odd' }, ['type: Invalid value: "": has invalid value: Odd']],
  [
    'long texts',
    { ...event, action: 'a'.repeat(129), note: 'x'.repeat(1025) },
    [
      'action: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ],
  ],
  [
    'a series of one',
    { ...event, series: { count: 1 } },
    ['series.count: Invalid value: "": should be at least 2', 'series.lastObservedTime: Required value'],
  ],
])('refuses %s', async (_what, object, expected) => {
  const { status, causes } = await send('POST', later, object);
  expect(status).toBe(422);
  expect(causes).toEqual(expected.map((cause) => (typeof cause === 'string' ? cause : expect.stringMatching(cause))));
});

it('refuses a generated name that ends its base with a dot', async () => {
  const { status, causes } = await send('POST', later, { ...event, metadata: { generateName: 'settings.' } });
  expect([status, causes]).toEqual([
    422,
    [expect.stringMatching(/^metadata.generateName: Invalid value: "settings."/)],
  ]);
});

it('takes what is complete, and older events as before, which may be changed in both versions', async () => {
  expect(await send('POST', later, event)).toMatchObject({ status: 201 });
  const older = { metadata: { name: 'older' }, involvedObject: regarding };
  expect((await send('POST', core, older)).causes).toEqual([]);
  const merge = 'application/merge-patch+json';
  for (const path of [core, later]) {
    const change = { metadata: { labels: { path: path === core ? 'core' : 'later' } } };
    expect(await send('PATCH', `${path}/older`, change, merge)).toMatchObject({ status: 200 });
  }
});
