// Tests failures as deviations, as a baseline and in strict mode, and failures that no longer occur.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judge, readEvidence, type Verdict } from '../../reports/index.js';
import { type Deviation, requirementsOf } from '../../suites/requirements/index.js';
import { composed } from '../../suites/testing/faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { drop, inEach, set, where } from '../../suites/testing/faults/wire/objects.js';
import { shown } from '../../suites/testing/faults/wire/replies.js';
import { every, refuse, withHeader } from '../../suites/testing/faults/wire/requests.js';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call, type Ended } from '../../suites/testing/runCommand.js';
import { UsageError } from '../errors.js';
import { type RanHere, runHere } from '../testing/runHere.js';
import { readBaseline } from './baseline.js';

/** Breaks stated rules and a convention, some on every subject and some on a few. */
const broken = composed([
  shown(/^GET .*\/(pods|nodes|secrets)\/[^/]+$/, drop('metadata.labels')),
  shown(/^GET .*\/secrets\/[^/]+$/, drop('metadata.resourceVersion')),
  shown(every, where('items', Array.isArray, set('kind', 'List'))),
]);

let server: Running;
let proxy: FaultyProxy;
let folder: string;
let runs = 0;

interface Judged {
  readonly code: number;
  readonly stdout: string;
  readonly evidence: string;
  readonly verdict: Verdict;
}

// Each test starts runners, which are slow on a busy machine.
const choice = ['--chapter', 'list,read'];
/** Fewer cases, of which some fail. */
const ofReads = ['--grep', 'read.'];

/** Returns the words of a run into a folder of its own. */
function wordsOf(url: string, ...options: readonly string[]): { readonly output: string; readonly words: string[] } {
  runs += 1;
  const output = join(folder, `run-${runs}`);
  const reach = ['--url', url, '--ca', server.caFile, '--token', server.token, '--output', output, '--workers', '1'];
  return { output, words: [...choice, ...reach, ...options] };
}

/** Runs the command line, for what it writes. */
async function run(url: string, ...options: readonly string[]): Promise<Judged> {
  const { output, words } = wordsOf(url, ...options);
  const { code, stdout, stderr } = await call('run', ...words);
  const evidence = join(output, 'evidence.jsonl');
  if (code === 2) throw new Error(stderr);
  return { code, stdout, evidence, verdict: judge(await readEvidence(evidence)) };
}

/** Runs in this process, for the verdict and the summary. */
const judged = (url: string, ...options: readonly string[]): Promise<RanHere> =>
  runHere(...wordsOf(url, ...options).words);

const ids = ({ verdict }: Pick<Judged, 'verdict'>, wanted: string): string[] =>
  verdict.cases.filter((one) => one.verdict === wanted).map(({ id }) => id);

/** A run on the broken server, and one on the good server to which the first one is the baseline. */
let first: Judged;
let good: Judged;
/** What `report --as deviations` said of the first run, and the file that it wrote. */
let declared: Ended & { readonly file: string };
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'deviations-'));
  server = await startReferenceServer();
  proxy = await startFaultyProxy(server, broken);
  first = await run(proxy.url);
  const report = join(folder, 'report.json');
  writeFileSync(report, JSON.stringify({ cases: first.verdict.cases.map(({ id, verdict }) => ({ id, verdict })) }));
  good = await run(server.url, '--baseline', report);
  const file = join(folder, 'found.yaml');
  declared = { ...(await call('report', '--as', 'deviations', first.evidence, '--output', file)), file };
});
afterAll(async () => {
  await proxy.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('report --as deviations', () => {
  it('writes a file with which the same server has no undeclared failure', async () => {
    const { file, code, stdout, stderr } = declared;
    const failed = ids(first, 'failed');
    expect(failed.length).toBeGreaterThan(20);
    expect([first.code, code, stdout]).toEqual([1, 0, `deviations: ${file}\n`]);
    expect(stderr).toBe(
      `${failed.length} failed cases are declared: write a reason for each row that is to be explained\n`,
    );
    const again = await judged(proxy.url, '--target', file);
    expect(again.summary).toMatch(
      /^conformant to Kubernetes 1\.5.* with \d+ known deviations?, \d+ to be explained; recommended: /m,
    );
    expect([again.verdict.exitCode, ids(again, 'failed'), again.verdict.staleDeviations]).toEqual([0, [], []]);
    expect(ids(again, 'known-deviation')).toEqual(failed);
  });

  it('names no subject if all failed, otherwise the fewest patterns that cover them, each with its message', () => {
    const { deviations } = load(readFileSync(declared.file, 'utf8')) as { readonly deviations: readonly Deviation[] };
    const of = (id: string) =>
      deviations.filter((row) => requirementsOf(row).includes(id)).flatMap(({ subject }) => subject);
    expect(of('list.kind')).toEqual([undefined]);
    expect(of('read.object')).toHaveLength(3);
    expect(of('read.identity')).toEqual([expect.stringContaining('secrets')]);
    expect(deviations.every(({ reason }) => /^to be explained: ./.test(reason))).toBe(true);
  });

  it('writes no rows without failures', async () => {
    const { stdout } = await call('report', '--as', 'deviations', good.evidence);
    expect(load(stdout)).toEqual({ deviations: [] });
  });

  it.each([
    [[], /missing required argument 'runs'/],
    [['nosuch.jsonl'], /^nosuch\.jsonl: no such file; give the evidence\.jsonl/],
  ])('ends with 2 for %j', async (options, line) => {
    const { code, stderr } = await call('report', '--as', 'deviations', ...options);
    expect([code, stderr]).toEqual([2, expect.stringMatching(line)]);
  });
});

describe('a declaration that is no longer true', () => {
  it('fails the run and names its file and line', async () => {
    const file = join(folder, 'stale.yaml');
    const rows = [
      'deviations:',
      '  # one that is gone',
      '  - requirement: read.object',
      '    subject: ^GET *services/{name}$',
      '    reason: it was old',
      'notSupported:',
      '  - {capability: "resource:core/nodes", reason: none here}',
      '  - capability: group:batch',
      '    reason: no jobs',
      '  - capability: operation:GET /api/v1/namespaces/{namespace}/pods/{name}/log',
      '    reason: no logs',
      '  - {capability: "mediaType:protobuf", reason: not spoken}',
      '  - {capability: "operation:DELETE /api/v1/nodes/{name}", reason: not done}',
      '  - {capability: "resource:widgets.example.com/widgets", reason: not there}',
      '  - {capability: "mechanism:staticPassword", reason: nobody has one}',
      '  - {capability: "nodes:running", reason: none there}',
      '  - {capability: "feature:limit", reason: older than pages}',
      '  - {capability: "feature:initial-events", reason: older than they are}',
    ];
    writeFileSync(file, rows.join('\n'));
    const { summary, verdict } = await judged(server.url, '--target', file, ...ofReads);
    expect([verdict.exitCode, verdict.reasons]).toEqual([
      1,
      ['1 declared deviation not seen any more', '8 declared absences not true any more'],
    ]);
    // A report goes to others: it has no path of this machine.
    expect(verdict.staleDeviations[0]?.message).toMatch(/^stale\.yaml:3: /);
    expect(verdict.staleAbsences.map(({ message }) => Number(/^stale\.yaml:(\d+): /.exec(message)?.[1]))).toEqual([
      7, 8, 10, 12, 13, 14, 17, 18,
    ]);
    expect(summary).toContain(`delete the absence "capability: group:batch" of target`);
  });
});

describe('an absence that is true', () => {
  /** A server without jobs and protobuf that neither creates nor deletes nodes. */
  const partial = composed([
    refuse(/ \/apis\/batch\//, 404),
    refuse(withHeader('accept', /protobuf/), 406),
    refuse(/^POST .*nodes$/, 405, 'MethodNotAllowed'),
    shown(every, inEach('resources', where('name', 'nodes', set('verbs', ['get'])))),
  ]);

  it('does not fail the run', async () => {
    const other = await startFaultyProxy(server, partial);
    const file = join(folder, 'partial.yaml');
    const absent = [
      'group:batch',
      'resource:batch/jobs',
      'mediaType:protobuf',
      'operation:POST /api/v1/nodes',
      'operation:DELETE /api/v1/nodes/{name}',
    ];
    writeFileSync(file, JSON.stringify({ notSupported: absent.map((capability) => ({ capability, reason: 'none' })) }));
    const { verdict } = await judged(other.url, '--target', file, '--grep', 'configmaps');
    await other.close();
    expect([verdict.exitCode, verdict.staleAbsences]).toEqual([0, []]);
  });
});

describe('--baseline', () => {
  it('takes the folder of a report', async () => {
    expect((await readBaseline(folder)).failed).toEqual((await readBaseline(join(folder, 'report.json'))).failed);
  });

  it('lists the cases that failed before, and does not fail the run for them', async () => {
    const again = await run(proxy.url, '--baseline', first.evidence, ...ofReads);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/^nothing new \(\d+ known\); not conformant; recommended: /m);
    expect(again.verdict.cases.filter(({ known }) => known).map(({ id }) => id)).toEqual(
      ids(first, 'failed').filter((id) => id.startsWith('read.')),
    );
    expect(readFileSync(join(again.evidence, '../junit.xml'), 'utf8')).toMatch(/<testsuites [^>]*failures="0"/);
  });

  it('fails the run for new failures', async () => {
    const { summary, verdict } = await judged(proxy.url, '--baseline', good.evidence, ...ofReads);
    expect([verdict.exitCode, verdict.reasons]).toEqual([
      1,
      [expect.stringMatching(/^\d+ required cases failed and did not in the baseline$/)],
    ]);
    expect(summary).not.toMatch(/known failure|, known\b/);
  });

  it('lists the fixed cases, also from a report in JSON', () => {
    expect([good.code, good.verdict.fixed?.map(({ id }) => id).sort()]).toEqual([0, ids(first, 'failed').sort()]);
    expect(good.stdout).toMatch(/^conformant to Kubernetes 1\.5.*; \d+ cases fixed; /m);
  });

  it.each([
    ['nosuch.jsonl', undefined, /cannot read the evidence/],
    ['nosuch.json', undefined, /--baseline: cannot read/],
    ['half.json', '{', /half\.json is not JSON/],
    ['other.json', '{"cases":[{}]}', /has no cases with ids/],
    ['other.jsonl', '{}\n', /not a line of evidence/],
  ])('%s is refused', async (name, text, line) => {
    const file = join(folder, name);
    if (text !== undefined) writeFileSync(file, text);
    await expect(readBaseline(file)).rejects.toThrow(UsageError);
    await expect(readBaseline(file)).rejects.toThrow(line);
  });

  it('ends the run with 2 if it is refused', async () => {
    await expect(run(server.url, '--baseline', join(folder, 'absent.json'))).rejects.toThrow(/--baseline: cannot read/);
  });
});

describe('--strict', () => {
  it('fails the run for a recommended requirement', async () => {
    const convention = ['--grep', 'list.kind'];
    const [plain, strict] = [
      await judged(proxy.url, ...convention),
      await judged(proxy.url, ...convention, '--strict'),
    ];
    expect([plain.verdict.exitCode, plain.summary]).toEqual([
      0,
      expect.stringMatching(/^partial: no required case was judged; recommended: 0 of 1; /m),
    ]);
    expect([strict.verdict.exitCode, strict.verdict.reasons]).toEqual([
      1,
      [expect.stringMatching(/^\d+ cases failed$/)],
    ]);
    expect(strict.summary).toMatch(/^not conformant; recommended: 0 of 1; /m);
  });
});
