// Conforming servers of other versions, configurations and speeds: no case may fail on them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type RanHere, runHere } from '../../cli/testing/runHere.js';
import { startReferenceServer } from './referenceServer.js';
import { call } from './runCommand.js';
import { inSoakAlone, isSoak } from './soak.js';

const folder = mkdtempSync(join(tmpdir(), 'kinds-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A kind of server, its failures, and the features that the verdict must report as absent. */
interface Kind {
  readonly serve: readonly string[];
  readonly run: readonly string[];
  /** The fields of its target file. */
  readonly notSupported?: readonly string[];
  /** The expected parts of the verdict's line. */
  readonly line: readonly string[];
}

const old = [
  ...['dry-run', 'limit', 'resource-version-match', 'propagation-policy', 'precondition-version'],
  ...['strategic-directives', 'bookmarks', 'initial-events', 'cause-names', 'jwt-algorithms', 'self-review'],
];
const gone = ['export', 'legacy-proxy', 'static-password', 'identity-service', 'token-secrets', 'group:extensions'];
const controllers = [
  ...['garbage-collection', 'quota-controller', 'namespace-controller', 'service-account-controller'],
  'service-account-admission',
];
const configMaps = ['--grep', '/configmaps'];
/** One case of each requirement and each verb: a feature that is absent is absent in every media type. The soak runs more. */
const once = ['--profile', isSoak ? 'standard' : 'smoke'];
const without = (names: readonly string[]): string[] => ['--without', names.join(',')];

const kinds: Readonly<Record<string, Kind>> = {
  'an old one': {
    serve: without(old),
    run: ['--chapter', 'parameters,deleteOptions,patch', ...configMaps, ...once],
    line: ['dry-run', 'limit', 'resource-version-match', 'propagation-policy', 'precondition-version'],
  },
  'an old one that names no fields': {
    serve: without(old),
    run: ['--chapter', 'validation', ...configMaps, '--profile', 'standard'],
    line: ['cause-names'],
  },
  'a modern one': {
    serve: [...without(gone), '--kube-version', '1.36'],
    run: ['--chapter', 'parameters,discovery,surface', '--grep', 'services', ...once],
    line: ['partial: ', 'legacy-proxy', 'export'],
  },
  'one without controllers': {
    serve: without(controllers),
    run: ['--chapter', 'admission,deleteOptions', '--grep', 'secrets'],
    line: ['quota-controller', 'garbage-collection'],
  },
  'one without optional plug-ins': {
    serve: without(['limit-ranger', 'quota-admission']),
    run: ['--chapter', 'admission'],
    line: ['limit-ranger', 'quota-admission'],
  },
  'one that gives no tokens': {
    serve: without(controllers),
    run: ['--chapter', 'serviceAccounts'],
    line: ['partial: ', 'service-account-controller', 'token-controller'],
  },
  'one that takes its time, below a path, with roles and anonymous users': {
    serve: ['--latency', '400', '--base-path', '/k8s/c1', '--authorization-mode', 'RBAC', '--anonymous-auth'],
    run: ['--chapter', 'create,read,list,watch,discovery,authentication', ...configMaps, ...once],
    line: ['conformant'],
  },
  'one without protobuf': {
    serve: without(['protobuf']),
    run: ['--chapter', 'protobuf,read', '--grep', '/batch/v1/namespaces/{namespace}/jobs'],
    notSupported: ['mediaType:protobuf'],
    line: ['partial: ', 'protobuf'],
  },
};

/** Calls `act` with the words for `run` against a server of a kind. */
async function withServer<T>(
  { serve, run, notSupported = [] }: Omit<Kind, 'line'>,
  act: (...words: readonly string[]) => Promise<T>,
): Promise<T> {
  const server = await startReferenceServer(serve);
  const output = mkdtempSync(join(folder, 'run-'));
  try {
    const target = join(output, 'target.yaml');
    const lacks = notSupported.map((capability) => ({ capability, reason: 'this server was told to lack it' }));
    writeFileSync(target, JSON.stringify({ name: 'kind', kubeconfig: server.kubeconfig, notSupported: lacks }));
    return await act('--target', target, ...run, '--output', output);
  } finally {
    await server.stop();
  }
}

/** Runs the chosen cases against a server of a kind. */
const hold = (kind: Omit<Kind, 'line'>): Promise<RanHere> => withServer(kind, runHere);

const failures = ({ verdict }: RanHere): string[] =>
  verdict.cases.flatMap(({ id, verdict: of, message }) =>
    of === 'failed' || of === 'blocked' ? [`${id}: ${message}`] : [],
  );

describe('a correct server with other features', () => {
  it.each(Object.entries(kinds))('%s has no failures, and its missing features are named', async (_, kind) => {
    const held = await hold(kind);
    expect(failures(held)).toEqual([]);
    expect(held.verdict.exitCode).toBe(0);
    for (const part of kind.line) expect(held.verdict.line).toContain(part);
    expect(held.verdict.leftovers).toEqual([]);
    expect(held.verdict.cases.filter(({ verdict }) => verdict === 'passed').length).toBeGreaterThan(0);
  });
});

describe('a server that crashes on one request', () => {
  beforeEach(inSoakAlone);

  const crash = ['--crash-on', 'PUT /api/v1/namespaces/*/configmaps/*'];
  // One case at a time: if others are under way, the request that ended the server is unknown.
  const replace = ['--chapter', 'replace', ...configMaps, '--workers', '1', '--concurrency', '1'];

  it('and comes back fails the cases with that request, and no others', async () => {
    const serve = [...crash, '--restart-after', '5', '--data-dir', mkdtempSync(join(folder, 'data-'))];
    const held = await hold({ serve, run: [...replace, '--recovery-timeout', '400'] });
    const failed = held.verdict.cases.filter(({ verdict }) => verdict === 'failed');
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.filter(({ message }) => !message?.includes('PUT /api/v1/namespaces/'))).toEqual([]);
    expect(new Set(failed.map(({ subject }) => subject)).size).toBe(1);
    expect(held.verdict.cases.filter(({ verdict }) => verdict === 'skipped')).toEqual([]);
    expect(held.verdict.exitCode).toBe(1);
  });

  it('and stays away ends the run: the rest is not reached', async () => {
    const kind = { serve: crash, run: [...replace, '--recovery-timeout', '1'] };
    const { code, stdout } = await withServer(kind, (...words) => call('run', ...words));
    expect(code).toBe(2);
    expect(stdout).toMatch(/, [1-9]\d* skipped/);
  });
});
