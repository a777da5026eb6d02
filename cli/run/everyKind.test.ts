// Runs with --every-kind and --kinds on the reference server with custom resources, as a user starts them.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge, readEvidence } from '../../reports/index.js';
import { Client } from '../../suites/client/client.js';
import { itemsOf, type JsonObject } from '../../suites/client/json.js';
import { bareTarget } from '../../suites/testing/bareTarget.js';
import { type FaultyProxy, startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { failure } from '../../suites/testing/faults/wire/requests.js';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call } from '../../suites/testing/runCommand.js';
import { inSoakAlone } from '../../suites/testing/soak.js';
import { UsageError } from '../errors.js';
import { runCommandHere } from '../testing/runHere.js';

let server: Running;
let client: Client;
let folder: string;

/** Returns the definition of a custom resource whose spec has this schema. */
function definition(plural: string, kind: string, scope: string, spec: JsonObject): JsonObject {
  const schema = { type: 'object', required: ['spec'], properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const size = {
  type: 'object',
  required: ['size', 'code'],
  properties: { size: { type: 'integer', minimum: 3 }, code: { type: 'string', pattern: '^[A-Z]{2}-[0-9]{7}$' } },
};
// JavaScript does not know this pattern.
const serial = {
  type: 'object',
  required: ['serial'],
  properties: { serial: { type: 'string', pattern: '(?i)^sn-[0-9]{7}-[a-z]{2}$' } },
};

beforeAll(async () => {
  server = await startReferenceServer([], { modern: true });
  folder = mkdtempSync(join(tmpdir(), 'every-kind-'));
  client = new Client(
    bareTarget(server.url, { name: 'modern', ca: server.ca, credentials: { staticToken: { token: server.token } } }),
  );
  for (const made of [
    definition('widgets', 'Widget', 'Namespaced', size),
    definition('machines', 'Machine', 'Namespaced', serial),
    definition('zones', 'Zone', 'Cluster', size),
  ])
    await client.send({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(made),
    });
});
afterAll(async () => {
  await client.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const reach = (): string[] => ['--url', server.url, '--ca', server.caFile, '--token', server.token];

async function run(name: string, ...options: string[]) {
  const directory = join(folder, name);
  const { code, stdout, stderr } = await call('run', ...reach(), '--workers', '1', '--output', directory, ...options);
  const evidence = await readEvidence(join(directory, 'evidence.jsonl'));
  return { code, stdout, stderr, directory, evidence, verdict: judge(evidence) };
}

/** Expects a line for the user in place of a run. */
async function expectRefusal(message: string, ...options: readonly string[]): Promise<void> {
  const error: unknown = await runCommandHere(...options).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  expect(error).toMatchObject({ exitCode: 2, message: expect.stringContaining(message) });
}

/** Returns the names of the run's objects that are on the server. */
async function left(path: string): Promise<unknown[]> {
  const list = (await client.send({ method: 'GET', path })).value();
  return itemsOf(list).flatMap(({ metadata }) => {
    const { name } = metadata as { readonly name: string };
    return name.startsWith('kac-') ? [name] : [];
  });
}

describe('run --kinds', () => {
  it('walks a custom resource, leaves nothing, and writes a report that report and compare read again', async () => {
    const { code, stdout, stderr, verdict, evidence, directory } = await run(
      'widgets',
      ...['--kinds', 'widgets.example.com', '--chapter', 'list,create,replace,patch,discovery'],
    );
    expect(stderr).toContain('other kinds: 1 found, 1 walked');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^conformant; other kinds: (\d+) of \1 cases passed/m)]);
    expect(verdict.kinds?.counts).toMatchObject({ failed: 0, blocked: 0 });
    expect(verdict.kinds?.cases.length).toBeGreaterThan(60);
    expect(evidence.run?.kinds).toMatchObject([
      { plural: 'widgets', sample: { spec: { size: 3, code: expect.stringMatching(/^[A-Z]{2}-\d{7}$/) } } },
    ]);
    expect(await left('/apis/example.com/v1/widgets')).toEqual([]);
    expect(await left('/api/v1/namespaces')).toEqual([]);
    const report = JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8'));
    expect(report.run.kinds).toMatchObject([{ plural: 'widgets', group: 'example.com' }]);
    const again = await call('report', directory, '--output', join(folder, 'again'));
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('other kinds: ')]);
    const compared = await call(
      'report',
      '--as',
      'comparison',
      directory,
      directory,
      '--output',
      join(folder, 'compared'),
    );
    expect([compared.code, compared.stdout]).toEqual([0, expect.stringMatching(/0 requirements worse/)]);
  });

  it('blocks a kind without a valid object, in the words of the server, and only reads a cluster-scoped kind', async () => {
    const { code, evidence, verdict } = await run('all', '--kinds', '*.example.com', '--chapter', 'create,surface');
    expect(code).toBe(0);
    const of = (kind: string) => verdict.cases.filter(({ about }) => about?.resource === `example.com/${kind}`);
    const messages = of('machines').flatMap(({ verdict, message }) => (verdict === 'blocked' ? [String(message)] : []));
    expect([...new Set(messages)]).toEqual([expect.stringMatching(/^no valid object: 422 .*spec\.serial/)]);
    const creates = of('machines').filter(({ id }) => id.startsWith('create.'));
    expect(new Set(creates.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
    const zones = evidence.run?.kinds?.find(({ plural }) => plural === 'zones');
    expect(zones?.readOnly).toMatch(/cluster-scoped.*--kinds zones\.example\.com/);
    const methods = of('zones').flatMap(({ about }) => about?.operation?.method ?? []);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });

  it('takes the sample of a user, and walks a cluster-scoped kind that is named', async (context) => {
    inSoakAlone(context);
    const samples = join(folder, 'samples');
    mkdirSync(samples);
    const machine = ['apiVersion: example.com/v1', 'kind: Machine', 'spec:', '  serial: SN-1234567-AB', ''].join('\n');
    writeFileSync(join(samples, 'machine.yaml'), machine);
    const kinds = ['machines', 'zones'];
    const options = ['--kinds', kinds.map((kind) => `${kind}.example.com`).join(), '--samples', samples];
    const { verdict } = await run('named', '--chapter', 'create', ...options);
    expect(verdict.kinds?.counts).toMatchObject({ failed: 0, blocked: 0 });
    for (const kind of kinds) {
      const passed = verdict.cases.filter(
        ({ about, verdict }) => about?.resource === `example.com/${kind}` && verdict === 'passed',
      );
      expect(passed.length, kind).toBeGreaterThan(5);
    }
    expect(await left('/apis/example.com/v1/zones')).toEqual([]);
  });

  it('has one verdict from two shards', async (context) => {
    inSoakAlone(context);
    const options = ['--kinds', 'widgets.example.com', '--chapter', 'read,delete'];
    const parts = [await run('one', ...options, '--shard', '1/2'), await run('two', ...options, '--shard', '2/2')];
    const whole = judge(await readEvidence(parts.map(({ directory }) => join(directory, 'evidence.jsonl'))));
    expect(whole.reasons).toEqual([]);
    expect(whole.kinds?.counts).toMatchObject({ failed: 0, blocked: 0 });
    expect(whole.kinds?.cases).toHaveLength(parts.reduce((sum, { evidence }) => sum + evidence.cases.size, 0));
  });
});

describe('a server that asks another one for its namespaces', () => {
  let proxy: FaultyProxy;
  const options = (...more: string[]): string[] => [
    ...['--url', proxy.url, '--token', server.token, '--kinds', 'widgets.example.com', '--chapter', 'create', ...more],
    ...['--output', join(folder, 'aggregated')],
  ];
  const keeper = (): string[] => ['--namespace-server', server.url, '--namespace-server-ca', server.caFile];

  beforeAll(async () => {
    proxy = await startFaultyProxy(server, {
      request: (passing) => (/^\/api(\/|\?|$)/.test(passing.path) ? failure(404, 'NotFound') : passing),
    });
  });
  afterAll(() => proxy.close());

  const messages = async () =>
    judge(await readEvidence(join(folder, 'aggregated', 'evidence.jsonl'))).kinds?.cases.flatMap(
      ({ verdict, message }) => (verdict === 'passed' || verdict === 'not-supported' ? [] : [message]),
    );

  it('blocks namespaced kinds, and walks them if the other one is named', async () => {
    await call('run', ...options());
    expect(new Set(await messages())).toEqual(
      new Set([expect.stringMatching(/^no valid object: 404 namespaces ".*" not found/)]),
    );
    const { code, stdout } = await call('run', ...options(...keeper()));
    expect(await messages()).toEqual([]);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/other kinds: ([1-9]\d*) of \1 cases passed/)]);
    expect(await left('/apis/example.com/v1/widgets')).toEqual([]);
    expect(await left('/api/v1/namespaces')).toEqual([]);
  });

  it('is cleaned up there too, after one delete of the run was tried', async () => {
    const post = async (path: string, name: string, more: JsonObject = {}) => {
      const metadata = { name, labels: { 'kube-api-conformance/run': 'abcdef' } };
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ metadata, ...more });
      expect((await client.send({ method: 'POST', path, headers, body })).status).toBeLessThan(300);
    };
    await post('/api/v1/namespaces', 'kac-abcdef-main');
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', spec: { size: 3, code: 'AB-1234567' } };
    const path = '/apis/example.com/v1/namespaces/kac-abcdef-main/widgets';
    for (const name of ['kac-abcdef-1', 'kac-abcdef-2']) await post(path, name, widget);
    const there = ['--url', proxy.url, '--token', server.token, ...keeper()];
    expect((await call('clean', ...there)).stdout).toMatch(/^abcdef: \d+ objects/m);
    expect(await call('clean', ...there, '--run', 'abcdef')).toMatchObject({ code: 0, stdout: 'nothing is left\n' });
    expect(await left('/api/v1/namespaces')).toEqual([]);
  });

  it.each([
    [
      'only its CA',
      () => ['--namespace-server-ca', server.caFile],
      '--namespace-server-ca requires --namespace-server',
    ],
    ['another scheme', () => ['--namespace-server', 'ftp://x'], '--namespace-server: ftp://x is not http or https'],
    ['a server without namespaces', () => ['--namespace-server', proxy.url], 'responds with 404 application/json'],
  ])('refuses %s', async (_, more, message) => {
    await expectRefusal(message, ...options(...more()));
  });
});

describe('a mistake ends with 2 and says what to do', () => {
  it.each([
    [['--kinds', 'Widget'], 'Widget is not the name of a kind; write it as widgets.example.com or *.apps'],
    [['--kinds', 'gadgets.example.com'], 'the server has no kind gadgets.example.com'],
    [['--kinds', 'gadgets.example.com,widgets.example.com'], 'the server has no kind gadgets.example.com'],
    [['--kinds', 'widgets.example.com', '--samples', '/no/such/directory'], '--samples: cannot read'],
    [['--every-kind', '--list'], '--list does not ask the server for its kinds'],
  ])('%j', async (options, message) => {
    await expectRefusal(message, ...reach(), '--output', join(folder, 'wrong'), ...options);
  });
});
