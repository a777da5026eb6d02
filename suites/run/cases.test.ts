// The verdict of a case: a setup or a check decides it by throwing, and no error escapes.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { equal, Failure, Prerequisite, Unchecked } from '../client/expect.js';
import { NoAnswer } from '../client/reply.js';
import { subjectSets } from '../requirements/index.js';
import { bareTarget } from '../testing/bareTarget.js';
import { runCases } from './cases.js';
import { Context } from './context.js';
import type { Group } from './group.js';
import { oncePerSandbox } from './runningPods.js';

let folder: string;
let context: Context;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'case-'));
  const target = bareTarget('http://127.0.0.1:1');
  context = new Context({ runId: 'abcdef', target, directory: folder }, '0');
});
afterAll(async () => {
  await context.client.close();
  rmSync(folder, { recursive: true });
});

const subject = { id: 'server', resource: 'server' };
const row = { level: 'recommended', rule: '1.1', text: '', subjects: 'server', breaks: '' } as const;

async function verdicts(setup: Group['setup'], check: () => void) {
  const group: Group = {
    chapter: 'authentication',
    set: 'server',
    subjects: [subject],
    setup,
    checks: [
      { id: 'authentication.one', row, check },
      { id: 'authentication.other', row, check: () => undefined },
    ],
  };
  return (await runCases(context, subject, group)).map(({ verdict, message }) => [verdict, message]);
}

const thrown = [
  [new Failure('it is wrong'), 'failed', 'it is wrong'],
  [new Prerequisite('no namespace'), 'blocked', 'no namespace'],
  [new Unchecked('skipped', 'no fixtures'), 'skipped', 'no fixtures'],
  [new Unchecked('not-supported', 'identity not observable'), 'not-supported', 'identity not observable'],
  [new NoAnswer('no answer'), 'failed', 'no answer'],
  [new TypeError('a bug'), 'failed', 'TypeError: a bug'],
] as const;

describe('a case', () => {
  it('passes if nothing is thrown', async () => {
    expect(
      await verdicts(
        async () => undefined,
        () => undefined,
      ),
    ).toEqual([
      ['passed', undefined],
      ['passed', undefined],
    ]);
  });

  it.each(thrown)('whose setup throws %o has that verdict for every check', async (error, verdict, message) => {
    const setup = async () => {
      throw error;
    };
    expect(await verdicts(setup, () => undefined)).toEqual([
      [verdict, message],
      [verdict, message],
    ]);
  });

  it.each(thrown)('whose check throws %o has that verdict for this check alone', async (error, verdict, message) => {
    const check = () => {
      throw error;
    };
    expect(await verdicts(async () => undefined, check)).toEqual([
      [verdict, message],
      ['passed', undefined],
    ]);
  });
});

it('a case that comes after the end of the run is not reached, and sends nothing', async () => {
  const own = new Context(context.run, '2');
  own.client.health.end({ kind: 'gone', reason: 'nobody answers' });
  const setup = async () => expect.fail('it was set up');
  const checks = [{ id: 'authentication.one', row, check: () => undefined }];
  const results = await runCases(own, subject, {
    chapter: 'authentication',
    set: 'server',
    subjects: [subject],
    setup,
    checks,
  });
  await own.client.close();
  expect(results).toMatchObject([{ verdict: 'skipped', skip: 'not-reached', message: 'nobody answers' }]);
});

it('a case of an aliased resource says so and is sent there; the next one is not', async () => {
  const operations = ['deployments', 'daemonsets'].map((plural) => {
    const found = subjectSets.statedOperations.find(({ id }) => id === `GET /apis/extensions/v1beta1/${plural}`);
    if (found === undefined) throw new Error(plural);
    return found;
  });
  const { run } = context;
  const aliases = [{ groupVersion: 'extensions/v1beta1', resource: 'deployments', to: 'apps/v1' }];
  const notSupported = [{ capability: 'group:extensions', reason: 'it is not served' }] as const;
  const own = new Context({ ...run, target: { ...run.target, aliases, notSupported } }, '1');
  const group: Group = {
    chapter: 'authentication',
    set: 'server',
    subjects: operations,
    setup: async (_, { client }) => client.alias,
    checks: [{ id: 'authentication.one', row, check: (record) => equal(record, 'apps/v1', 'alias') }],
  };
  const results = [];
  for (const operation of operations) results.push(...(await runCases(own, operation, group)));
  await own.client.close();
  expect(results.map(({ alias, verdict }) => [alias, verdict])).toEqual([
    ['apps/v1', 'passed'],
    [undefined, 'not-supported'],
  ]);
});

it('does not check a requirement whose feature the target lacks, and checks the others', async () => {
  const notSupported = [{ capability: 'feature:limit', reason: 'it is older' }] as const;
  const { run } = context;
  const older = new Context({ ...run, target: { ...run.target, notSupported } }, '2');
  const check = (): void => undefined;
  const group: Group = {
    chapter: 'authentication',
    set: 'server',
    subjects: [subject],
    setup: async () => undefined,
    checks: [
      { id: 'authentication.one', row: { ...row, feature: 'limit' }, check },
      { id: 'authentication.other', row, check },
    ],
  };
  const results = await runCases(older, subject, group);
  await older.client.close();
  expect(results.map(({ verdict, message }) => [verdict, message])).toEqual([
    ['not-supported', 'it is older'],
    ['passed', undefined],
  ]);
});

it.each<[what: string, message: string, verdict: string]>([
  [
    'the storage of the target failed once is tried again',
    'rpc error: code = Internal desc = unexpected EOF',
    'passed',
  ],
  ['the target itself failed is failed', 'unexpected EOF', 'failed'],
])('a case in which %s', async (_, message, verdict) => {
  let asked = 0;
  const server = createServer((request, response) => {
    const isFirst = request.url === '/api/v1/pods' && ++asked === 1;
    response.writeHead(isFirst ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', message }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { run } = context;
  const own = new Context({ ...run, target: { ...run.target, url: `http://127.0.0.1:${port}` } }, '3');
  const group: Group = {
    chapter: 'authentication',
    set: 'server',
    subjects: [subject],
    setup: async (_, { client }) => (await client.send({ method: 'GET', path: '/api/v1/pods' })).status,
    checks: [{ id: 'authentication.one', row, check: (record) => equal(record, 200, 'status') }],
  };
  const results = await runCases(own, subject, group);
  await own.client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(results.map((result) => result.verdict)).toEqual([verdict]);
});

const forbidden = 'pods is forbidden: User "me" cannot list resource "pods" in API group ""';
const limited = { namespace: 'mine' };

it.each<[what: string, message: string, only: typeof limited | undefined, result: readonly string[]]>([
  [
    'a permission is missing is blocked',
    forbidden,
    undefined,
    ['blocked', 'the user of the run cannot list resource "pods" in API group "": grant this permission (status: '],
  ],
  [
    'a permission is missing in one namespace is skipped',
    forbidden,
    limited,
    ['skipped', 'the user of the run cannot'],
  ],
  ['something else is refused fails', 'pods is forbidden: exceeded quota', undefined, ['failed', 'status: expected']],
])('a case in which %s', async (_, message, only, [verdict, says = '']) => {
  const server = createServer((_request, response) => {
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ kind: 'Status', apiVersion: 'v1', message, reason: 'Forbidden' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { run } = context;
  const target = { ...run.target, url: `http://127.0.0.1:${port}`, ...(only && { only }) };
  const own = new Context({ ...run, target }, '4');
  const group: Group = {
    chapter: 'authentication',
    set: 'server',
    subjects: [subject],
    setup: async (_, { client }) => (await client.send({ method: 'GET', path: '/api/v1/pods' })).status,
    checks: [{ id: 'authentication.one', row, check: (record) => equal(record, 200, 'status') }],
  };
  const [result] = await runCases(own, subject, group);
  await own.client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect([result?.verdict, result?.message]).toEqual([verdict, expect.stringContaining(says)]);
});

it('skips all cases that need an object which a policy of the target refuses', async () => {
  const message = 'admission webhook "tags.example" denied the request: no tag';
  let creates = 0;
  const server = createServer((request, response) => {
    const isCreate = request.method === 'POST';
    if (isCreate) creates += 1;
    const items = [{ metadata: { name: 'tags' }, webhooks: [{ name: 'tags.example' }] }];
    response.writeHead(isCreate ? 403 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isCreate ? { kind: 'Status', message } : { items }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { run } = context;
  const own = new Context({ ...run, target: { ...run.target, url: `http://127.0.0.1:${port}` } }, '5');
  const shared = oncePerSandbox(({ sandbox }) => sandbox.attempt('create pods', 'POST', '/api/v1/pods', {}));
  const group: Group = {
    chapter: 'authentication',
    set: 'server',
    subjects: [subject],
    setup: async (_, of) => shared(of),
    checks: [{ id: 'authentication.one', row, check: () => undefined }],
  };
  const results = [...(await runCases(own, subject, group)), ...(await runCases(own, subject, group))];
  await own.client.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  expect(creates).toBe(1);
  const skipped = { verdict: 'skipped', message: expect.stringContaining('tags.example on the target refused') };
  expect(results).toEqual([expect.objectContaining(skipped), expect.objectContaining(skipped)]);
});
