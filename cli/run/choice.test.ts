// Tests the choice of cases: the header, the line about a partial run, and the requests of a read-only run.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statedOperations } from '../../matrix/api/index.js';
import { judge, readEvidence } from '../../reports/index.js';
import { allCases } from '../../suites/requirements/index.js';
import { startFaultyProxy } from '../../suites/testing/faults/wire/faultyProxy.js';
import { type Running, startReferenceServer } from '../../suites/testing/referenceServer.js';
import { call, linesOfText } from '../../suites/testing/runCommand.js';
import { referenceServerFlags } from '../fixtures/flags.js';
import { runHere } from '../testing/runHere.js';
import { writeTestFixtures } from '../testing/testFixtures.js';
import { addRunOptions, chosenFrom, type RunOptions } from './options.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'choice-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns what `--list` prints with these options, without a process for each. */
const listed = (...options: readonly string[]): string[] => {
  const chosen = addRunOptions(new Command()).parse(options, { from: 'user' }).opts<RunOptions>();
  return chosenFrom(chosen).cases.map(({ id }) => id);
};

describe('--list with a choice', () => {
  const all = allCases();

  it('accepts chapters, separated by commas or repeated', async () => {
    const wanted = ['list', 'read', 'versions'];
    const ids = all.filter(({ requirement }) => wanted.includes(requirement.chapter)).map(({ id }) => id);
    const options = ['--chapter', 'read,versions', '--chapter', 'list'];
    expect(listed(...options)).toEqual(ids);
    expect(linesOfText((await call('run', '--list', ...options)).stdout)).toEqual(ids);
  });

  it('has every operation and every requirement in the profile smoke, a part of standard', async () => {
    const smoke = new Set(listed('--profile', 'smoke'));
    const chosen = all.filter(({ id }) => smoke.has(id));
    const operationsOf = (of: typeof all) => new Set(of.flatMap(({ subject }) => subject.operation?.id ?? []));
    expect(operationsOf(chosen)).toEqual(operationsOf(all));
    expect([...operationsOf(all)]).toEqual(expect.arrayContaining(statedOperations.map(({ id }) => id)));
    const requirementsOf = (of: typeof all) => new Set(of.map(({ requirement }) => requirement.id));
    expect(requirementsOf(chosen)).toEqual(requirementsOf(all));
    const standard = new Set(listed('--profile', 'standard'));
    expect([...smoke].filter((id) => !standard.has(id))).toEqual([]);
    expect(smoke.size).toBeLessThan(standard.size / 3);
  });

  it('shows each requirement, input, media type, mechanism and kind in the profile standard', async () => {
    const standard = new Set(listed('--profile', 'standard'));
    const points = (of: typeof all): Set<string> =>
      new Set(
        of.flatMap(
          ({
            requirement: { id, chapter, row },
            subject: { operation, mediaType, mechanism, variant, standsFor, ...subject },
          }) =>
            operation === undefined || standsFor !== undefined
              ? [`${id} ${standsFor ?? subject.id}`]
              : [
                  operation.id,
                  `${id} input ${variant}`,
                  `${id} verb ${operation.method} ${operation.verb}`,
                  `${row.level === 'required' ? id : chapter} ${subject.resource}`,
                  ...[operation.verb, subject.resource].flatMap((on) => [`${mediaType} ${on}`, `${mechanism} ${on}`]),
                ],
        ),
      );
    expect(points(all.filter(({ id }) => standard.has(id)))).toEqual(points(all));
    // The names of objects are tried on each kind in full, and spread over the kinds in standard.
    const names = (ids: Iterable<string>) => [...ids].filter((id) => id.startsWith('validation.names ')).length;
    expect(names(standard)).toBeLessThan(names(all.map(({ id }) => id)) / 4);
    expect(standard.size).toBeLessThan(all.length / 2);
    expect(listed('--profile', 'full')).toHaveLength(all.length);
  });

  it.each([[2], [7]])('deals every case to exactly one of %i shards', async (of) => {
    const shards = Array.from({ length: of }, (_, i) => listed('--shard', `${i + 1}/${of}`));
    expect(shards.flat().sort()).toEqual(all.map(({ id }) => id).sort());
    const sizes = shards.map(({ length }) => length);
    expect(Math.min(...sizes)).toBeGreaterThan((0.7 * all.length) / of);
  });

  it('narrows by every option', async () => {
    const ids = listed('--chapter', 'errors', '--read-only', '--profile', 'standard', '--grep', 'configmaps');
    expect(ids).toContain('errors.unauthenticated › GET /api/v1/configmaps, no credentials');
    expect(ids.every((id) => id.startsWith('errors.') && / GET .*configmaps/.test(id))).toBe(true);
  });

  it.each([
    [['--chapter', 'no'], /there is no chapter no; there are surface, /],
    [['--chapter', 'reed'], /^--chapter: there is no chapter reed; did you mean read\? There are surface, /],
    [['--profile', 'smok'], /^--profile: there is no profile smok; did you mean smoke\? /],
    [['--features', 'dryrun'], /^--features: there is no feature dryrun; did you mean dry-run\? /],
    [['--chapter', ''], /^--chapter: the value is empty/],
    [['--chapter', 'create.answer'], /^--chapter: create\.answer is a requirement: write --grep create\.answer/],
    [['--kinds', ','], /^--kinds: the value is empty/],
    [['--features', ''], /^--features: the value is empty/],
    [['--profile', 'tiny'], /there is no profile tiny; there are smoke, standard, full/],
    [['--shard', '0/2'], /write it as 2\/3/],
    [['--shard', '3/2'], /write it as 2\/3/],
    [['--grep', 'nothing of the kind'], /^no case id contains "nothing of the kind"/],
    [['--chapter', 'create', '--read-only'], /^--read-only leaves no case of create/],
    [['--chapter', 'openapi', '--profile', 'smoke'], /^--profile smoke leaves no case of openapi: leave out --profile/],
    [
      ['--chapter', 'create', '--profile', 'smoke', '--read-only'],
      /^--profile smoke and --read-only leave no case of create: leave out --profile smoke and --read-only;/,
    ],
    [['--chapter', 'create', '--grep', 'list.kind'], /^no case id contains "list.kind" among the chosen/],
    [['--grep', 'create.answer › POST /api/v1/nodes', '--shard', '2/2'], /^--shard 2\/2 has no case/],
  ])('%j says why', (options, line) => {
    expect(() => listed(...options)).toThrow(line);
  });

  it.each([['--list'], ['--target', 'reference-server']])('ends with 2 if it is wrong: %j', async (...way) => {
    const { code, stdout, stderr } = await call('run', '--chapter', 'reed', ...way);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(/^--chapter: there is no chapter reed; did/)]);
  });
});

describe('a run in shards', () => {
  let server: Running;
  const evidence = (index: number): string => join(folder, `shard-${index}/evidence.jsonl`);
  beforeAll(async () => {
    server = await startReferenceServer();
    const reach = ['--url', server.url, '--ca', server.caFile, '--token', server.token];
    for (const index of [1, 2, 3]) {
      const options = ['--chapter', 'discovery', '--shard', `${index}/3`, '--output', join(folder, `shard-${index}`)];
      const { code, stdout } = await call('run', ...reach, ...options);
      expect([code, stdout]).toEqual([
        0,
        expect.stringMatching(
          new RegExp(
            `^conformant to Kubernetes 1.5.*; .*of [0-9,]+ cases selected: chapter discovery, shard ${index} of 3$`,
            'm',
          ),
        ),
      ]);
    }
  });
  afterAll(() => server.stop());

  it('has one verdict from the evidence of all shards, in any order', async () => {
    const whole = await readEvidence([evidence(3), evidence(1), evidence(2)]);
    const verdict = judge(whole);
    expect(verdict).toMatchObject({ exitCode: 0, reasons: [], counts: { required: { failed: 0 } } });
    expect(verdict.cases).toHaveLength(
      allCases().filter(({ requirement }) => requirement.chapter === 'discovery').length,
    );
    expect(verdict.cases.every(({ verdict }) => verdict === 'passed')).toBe(true);
    expect(whole.run).toMatchObject({ choice: { chapters: ['discovery'] } });
  });

  it('is not conformant while a shard is missing, and names the shard', async () => {
    const verdict = judge(await readEvidence([evidence(1), evidence(3)]));
    expect(verdict).toMatchObject({ outcome: 'not-conformant', exitCode: 1 });
    expect(verdict.reasons).toEqual([
      expect.stringMatching(/without a verdict$/),
      'shard 2 of 3 is missing: give its evidence too',
    ]);
    expect(verdict.cases.find(({ missing }) => missing)?.message).toBe(
      'no verdict: the evidence of shard 2 of 3 is missing',
    );
    // Also for a single shard that is judged alone.
    expect(judge(await readEvidence(evidence(1))).exitCode).toBe(1);
  });
});

describe('--read-only', () => {
  it('sends only GETs to a server, and creates nothing', async () => {
    const directory = join(folder, 'fixtures');
    const fixtures = await writeTestFixtures(directory);
    const read = (name: string): string => readFileSync(join(directory, name), 'utf8');
    const server = await startReferenceServer(referenceServerFlags(directory, fixtures));
    const users = { fixtures, server: { certificate: read('server.crt'), key: read('server.key') } };
    const asked: string[] = [];
    const proxy = await startFaultyProxy(
      { ...server, users },
      {
        tls: true,
        request: (request) => {
          asked.push(`${request.method} ${request.path}`);
          return request;
        },
      },
    );
    try {
      const reach = ['--url', proxy.url, '--fixtures', directory, '--output', join(folder, 'read-only')];
      const { summary, verdict } = await runHere(...reach, '--read-only', '--profile', 'standard');
      expect(asked.filter((request) => !/^(GET|HEAD) /.test(request))).toEqual([]);
      expect(asked.length).toBeGreaterThan(500);
      expect([verdict.exitCode, summary]).toEqual([
        0,
        expect.stringMatching(/^conformant to Kubernetes 1\.5.*; .* cases selected: .*read-only/m),
      ]);
      expect(verdict.cases.filter(({ verdict: of }) => of === 'skipped')).toEqual([]);
    } finally {
      await proxy.close();
      await server.stop();
    }
  });
});
