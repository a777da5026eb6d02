// The audit log of a server: its events as kube-apiserver 1.20.2 writes them for the same requests, and its policy.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { type ControlledServer, OpenWatch, startControlled } from '../testing/controlled.js';

const configMaps = '/api/v1/namespaces/default/configmaps';
const policy = `
apiVersion: audit.k8s.io/v1
kind: Policy
rules:
- {level: None, nonResourceURLs: ['/healthz*']}
- {level: RequestResponse, resources: [{group: '', resources: [configmaps, secrets, serviceaccounts/token]}]}
- {level: Request, users: [admin], resources: [{group: '', resources: [pods]}]}
- {level: Metadata, namespaces: [default], verbs: [list], omitStages: [RequestReceived]}
- {level: None, userGroups: [quiet]}
- {level: Metadata, omitStages: [RequestReceived]}
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text = ''): string => {
  const path = join(folder, name);
  if (text !== '') writeFileSync(path, text);
  return path;
};
const eventsIn = (path: string): AnyShape[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** Sends requests to a server with a policy. Returns the events after the end of the server. */
async function logged(name: string, text: string, act: (server: ControlledServer) => Promise<unknown>) {
  const auditLogPath = file(`${name}.log`);
  const tokens = ['admin', 'quiet'].map((user) => ({
    token: user,
    user: { name: user, uid: `uid-${user}`, groups: ['system:masters', user] },
  }));
  const own = await startControlled({ auditLogPath, auditPolicyFile: file(`${name}.yaml`, text), tokens });
  await act(own);
  await own.server.close();
  return eventsIn(auditLogPath);
}

it('has the stages of each request, and its bodies as far as the policy says', async () => {
  const events = await logged('stages', policy, async ({ send }) => {
    await send('POST', configMaps, { metadata: { name: 'm' }, data: { a: 'b' } });
    await send('GET', `${configMaps}/none`);
    await send('GET', '/healthz');
    await send('POST', '/api/v1/namespaces/default/pods?dryRun=All', { metadata: { name: 'p' } });
    await send('GET', '/api/v1/namespaces/default/services');
  });
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const common = {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level: 'RequestResponse',
    auditID: expect.stringMatching(/^[0-9a-f-]{36}$/),
    requestURI: configMaps,
    verb: 'create',
    user: { username: 'admin', uid: 'uid-admin', groups: ['system:masters', 'admin', 'system:authenticated'] },
    sourceIPs: ['127.0.0.1'],
    requestReceivedTimestamp: time,
    stageTimestamp: time,
  };
  const objectRef = { resource: 'configmaps', namespace: 'default', apiVersion: 'v1' };
  const annotations = { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' };
  expect(events[0]).toEqual({ ...common, stage: 'RequestReceived', objectRef });
  expect(events[1]).toEqual({
    ...common,
    stage: 'ResponseComplete',
    objectRef: { ...objectRef, name: 'm' },
    responseStatus: { metadata: {}, code: 200 },
    requestObject: { metadata: { name: 'm' }, data: { a: 'b' } },
    responseObject: expect.objectContaining({ kind: 'ConfigMap', data: { a: 'b' } }),
    annotations,
  });
  expect(events[0]?.auditID).toBe(events[1]?.auditID);
  expect(events[3]).toMatchObject({
    stage: 'ResponseComplete',
    verb: 'get',
    responseStatus: { status: 'Failure', reason: 'NotFound', code: 404 },
    responseObject: { kind: 'Status', code: 404 },
  });
  const [, , , , , pod, services, ...more] = events;
  expect(pod).toMatchObject({
    level: 'Request',
    responseStatus: { code: 422 },
    requestObject: { metadata: { name: 'p' } },
  });
  expect(pod).not.toHaveProperty('responseObject');
  expect(services).toMatchObject({ level: 'Metadata', stage: 'ResponseComplete', verb: 'list' });
  expect(more).toEqual([]);
});

it('never has the bodies of Secrets and tokens', async () => {
  const events = await logged('secrets', policy, async ({ send }) => {
    await send('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' }, stringData: { a: 'hidden' } });
    await send('GET', '/api/v1/namespaces/default/secrets/s');
    await send('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', { spec: {} });
  });
  expect(events.map(({ level }) => level)).toEqual(Array.from({ length: 6 }, () => 'Metadata'));
  expect(JSON.stringify(events)).not.toMatch(/hidden|aGlkZGVu|Object"/);
});

it('has the start and the end of a watch, who impersonates whom, and what was refused', async () => {
  const events = await logged('stages2', policy, async (own) => {
    const watch = new OpenWatch(own, '/api/v1/nodes?watch=true');
    await own.controls.requests.waitFor({ verb: 'watch' });
    own.controls.cutWatches();
    await watch.ended;
    await ask(own.server, '/version', { headers: { 'impersonate-user': 'jane' } });
    await ask(own.server, '/api/v1/nodes', { headers: { authorization: 'Bearer wrong' } });
    await ask(own.server, '/version', { headers: { authorization: 'Bearer quiet' } });
  });
  expect(events.map(({ stage, verb }) => `${stage} ${verb}`)).toEqual([
    'ResponseStarted watch',
    'ResponseComplete watch',
    'ResponseComplete get',
    'ResponseStarted list',
  ]);
  expect(events[2]).toMatchObject({ user: { username: 'admin' }, impersonatedUser: { username: 'jane' } });
  expect(events[3]).toMatchObject({ user: {}, responseStatus: { code: 401, reason: 'Unauthorized' } });
});

it('has the metadata of all requests without a policy, appended to what is there', async () => {
  const auditLogPath = file('all.log', '{"before":true}\n');
  await using own = await startControlled({ auditLogPath });
  await Promise.all(Array.from({ length: 200 }, (_, index) => own.send('GET', `${configMaps}/m${index}`)));
  await own.server.close();
  const [first, ...events] = eventsIn(auditLogPath);
  expect(first).toEqual({ before: true });
  expect(events).toHaveLength(400);
  expect(new Set(events.map(({ level }) => level))).toEqual(new Set(['Metadata']));
  expect(new Set(events.map(({ objectRef }) => objectRef.name)).size).toBe(200);
});

describe('options', () => {
  const rules = (text: string): string => `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- ${text}\n`;
  it.each([
    ['kind: Policy\n', 'begin it with apiVersion: audit.k8s.io/v1 and kind: Policy'],
    ['a: b: c\n', 'yaml parse error'],
    ['- a\n', 'this is not an object'],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []\n', 'rules: give at least one rule'],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\nrulse: []\n', 'unknown field rulse; did you mean rules?'],
    [rules('level: Metdata'), 'rules[0]: level: there is no level Metdata; did you mean Metadata?'],
    [rules('{level: None, user: [a]}'), 'rules[0]: unknown field user; did you mean users?'],
    [rules('{level: None, users: a}'), 'rules[0]: users: give a list'],
    [rules('{level: None, users: [1]}'), 'rules[0]: users: give a list of texts'],
    [
      rules('{level: None, omitStages: [ResponseStart]}'),
      'there is no stage ResponseStart; did you mean ResponseStarted?',
    ],
    [rules('{level: None, resources: [pods]}'), 'rules[0]: resources[0]: this is not an object'],
    [rules("{level: None, namespaces: [a], nonResourceURLs: ['/a']}"), 'write two rules'],
    [rules("{level: None, nonResourceURLs: ['/a*b']}"), 'nonResourceURLs: "/a*b": write /path, or /path*'],
  ])('the policy %j is refused', async (text, message) => {
    const auditPolicyFile = file('wrong.yaml', text);
    await expect(startControlled({ auditLogPath: file('wrong.log'), auditPolicyFile })).rejects.toThrow(message);
  });

  it.each([
    [{ auditPolicyFile: '/nowhere' }, '--audit-policy-file: cannot read /nowhere: there is none'],
    [{ auditLogPath: '/nowhere/audit.log' }, '--audit-log-path: cannot write /nowhere/audit.log: there is none'],
    [{ auditLogPath: '-', auditLogFormat: 'legacy' }, '--audit-log-format: there is no format legacy; there is json'],
  ])('%j is refused', async (options, message) => {
    await expect(startControlled(options)).rejects.toThrow(message);
  });

  it('a policy without a log is refused', async () => {
    const auditPolicyFile = file('alone.yaml', policy);
    await expect(startControlled({ auditPolicyFile })).rejects.toThrow('give --audit-log-path too');
  });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  const policy = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Request, omitStages: [RequestReceived]}]';
  // More than a pipe holds.
  const data = { text: 'x'.repeat(200_000) };
  const pipe = (name: string): string => {
    const path = file(name);
    execFileSync('mkfifo', [path]);
    return path;
  };

  it('loses nothing while its reader is slow, and does not hold up the server', async () => {
    const auditLogPath = pipe('slow');
    const reader = openSync(auditLogPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const { server, send } = await startControlled({ auditLogPath, auditPolicyFile: file('slow.yaml', policy) });
    for (const name of ['a', 'b']) await send('POST', configMaps, { metadata: { name }, data });
    const chunk = Buffer.alloc(64 * 1024);
    let text = '';
    await expect
      .poll(() => {
        text += chunk.toString('latin1', 0, readSync(reader, chunk));
        return text.split('\n').length;
      })
      .toBe(3);
    expect(text.split('\n').map((line) => line.length > 200_000)).toEqual([true, true, false]);
    await server.close();
    closeSync(reader);
  });

  it('without a reader ends neither the start nor the end of a server, which say so', async () => {
    const auditLogPath = pipe('unread');
    await expect(startControlled({ auditLogPath })).rejects.toThrow(
      `--audit-log-path: cannot write ${auditLogPath}: nothing reads this pipe (ENXIO): start its reader first`,
    );
    const reader = openSync(auditLogPath, constants.O_RDONLY | constants.O_NONBLOCK);
    const { server, send } = await startControlled({ auditLogPath, auditPolicyFile: file('unread.yaml', policy) });
    await send('POST', configMaps, { metadata: { name: 'a' }, data });
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await server.close();
    expect(log.mock.calls.join()).toMatch(/--audit-log-path: .*unread is not read: the last \d+ bytes are lost/);
    log.mockRestore();
    closeSync(reader);
  });
});
