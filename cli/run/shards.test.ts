// Runs the examples of shards as their systems would: four shards, their evidence in one folder, and one verdict.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evidenceText } from '../../suites/testing/evidenceText.js';
import { inSoakAlone } from '../../suites/testing/soak.js';
import { startServer } from '../index.js';
import { installIn, type JobEnd, readWorkflow, runJob } from '../testing/ciJob.js';
import { plainEnvironment } from '../testing/npm.js';

const examples = join(import.meta.dirname, '../../examples');
/** A few cases of many kinds, so that each shard has some. They are required. */
const choice = '--grep create.effect-read';
const count = 20;
const indexes = [1, 2, 3, 4];

let folder: string;
const within = (name: string): string => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shards-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const passedIn = (report: string): number =>
  JSON.parse(readFileSync(join(report, 'report.json'), 'utf8')).cases.filter(
    ({ verdict }: { verdict: string }) => verdict === 'passed',
  ).length;

describe('the GitHub workflow', () => {
  const { jobs } = readWorkflow(join(examples, 'github-actions/shards.yaml'));
  let artifacts: string;
  let ends: readonly JobEnd[];

  const shard = (index: number, into: string, without: readonly string[] = []): Promise<JobEnd> =>
    runJob(jobs.shard as (typeof jobs)[string], {
      folder: within(`job-${into}-${index}`),
      artifacts: within(into),
      matrix: { shard: index },
      without: ['Install the suite', ...without],
      change: (script) => script.replace('--output report', `--output report ${choice}`),
    });

  /** Judges artifacts in a new folder, after a change to them. Returns the folder, and how the job ended. */
  async function judged(name: string, change: (artifacts: string) => void = () => undefined) {
    const changed = within(`artifacts-${name}`);
    cpSync(artifacts, changed, { recursive: true });
    change(changed);
    const judge = within(`judge-${name}`);
    const job = jobs.judge as (typeof jobs)[string];
    const end = await runJob(job, { folder: judge, artifacts: changed, without: ['Install the suite'] });
    return { ...end, folder: judge };
  }

  beforeAll(async () => {
    artifacts = within('artifacts');
    ends = await Promise.all(indexes.map((index) => shard(index, 'artifacts')));
  });

  it('has a job for each shard, and tells each how many there are', () => {
    expect(jobs.shard?.strategy?.matrix.shard).toEqual(indexes);
    expect(jobs.shard?.env?.SHARD).toBe(`\${{ matrix.shard }}/${indexes.length}`);
  });

  it('judges four shards together, and publishes one report', async () => {
    expect(ends.map(({ code, output }) => [code, /conformant/.test(output)])).toEqual(indexes.map(() => [0, true]));
    const { code, output, folder: job } = await judged('whole');
    expect([code, output]).toEqual([0, expect.stringContaining(`cases: ${count} passed, 0 failed`)]);
    expect(passedIn(join(job, 'public'))).toBe(count);
    expect(readFileSync(join(job, 'step-summary.md'), 'utf8')).toContain('✅ Nothing failed in ');
    expect(['index.html', 'evidence.jsonl.gz'].map((file) => existsSync(join(job, 'public', file)))).toEqual([
      true,
      false,
    ]);
  });

  it('fails with a shard that is missing, and publishes the report all the same', async () => {
    const {
      code,
      output,
      folder: job,
    } = await judged('missing', (path) => rmSync(join(path, 'shard-3'), { recursive: true }));
    expect([code, output]).toEqual([1, expect.stringMatching(/shard 3 of 4/)]);
    expect(output).toMatch(/^not conformant/m);
    expect(existsSync(join(job, 'public/index.html'))).toBe(true);
  });

  it('fails with a shard that could not start', async () => {
    const { code, output } = await judged('refused', (path) => {
      rmSync(join(path, 'shard-4'), { recursive: true });
      mkdirSync(join(path, 'shard-4'));
    });
    expect(output).toContain('shards/shard-4: no evidence in this directory; its shard counts as missing\n');
    expect([code, output]).toEqual([1, expect.stringMatching(/shard 4 of 4 is missing/)]);
  });

  it('fails with a shard that was killed', async () => {
    const { code, output } = await judged('killed', (path) => {
      const lines = evidenceText(join(path, 'shard-2')).trimEnd().split('\n');
      expect(JSON.parse(lines.at(-1) ?? '').type).toBe('end');
      rmSync(join(path, 'shard-2/evidence.jsonl.gz'));
      writeFileSync(join(path, 'shard-2/evidence.jsonl'), `${lines.slice(0, -1).join('\n')}\n`);
    });
    expect([code, output]).toEqual([1, expect.stringMatching(/shard 2 of 4/)]);
  });

  it('fails with a shard that has failures, whose own job does not fail', async () => {
    await using server = await startServer();
    server.fail({ verb: 'create', resource: 'configmaps', status: 418 });
    writeFileSync(join(within('job-bad-1'), 'kubeconfig'), server.kubeconfig);
    const end = await shard(1, 'bad', ['Start the server']);
    expect([end.code, end.output]).toEqual([0, expect.stringMatching(/^not conformant/m)]);
    const {
      code,
      output,
      folder: job,
    } = await judged('failures', (path) => {
      rmSync(join(path, 'shard-1'), { recursive: true });
      cpSync(join(folder, 'bad/shard-1'), join(path, 'shard-1'), { recursive: true });
    });
    expect([code, output]).toEqual([1, expect.stringContaining(`cases: ${count - 1} passed, `)]);
    expect(output).toMatch(/configmaps/);
    expect(passedIn(join(job, 'public'))).toBe(count - 1);
  });

  it('cannot judge without any shard', async () => {
    const { code, output } = await judged('none', (path) => {
      for (const index of indexes) rmSync(join(path, `shard-${index}`), { recursive: true });
    });
    expect([code, output]).toEqual([2, expect.stringContaining('no such file')]);
  });
});

interface Container {
  readonly command: readonly string[];
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

/** Returns the container of the Job in a file of examples/in-cluster. */
function containerIn(file: string): Container {
  const manifests = loadAll(readFileSync(join(examples, 'in-cluster', file), 'utf8')) as {
    kind: string;
    spec: { template: { spec: { containers: Container[] } } };
  }[];
  return manifests.find(({ kind }) => kind === 'Job')?.spec.template.spec.containers[0] as Container;
}

it('the Jobs in the cluster run four shards on one server, and judge what is on their volume', async (context) => {
  inSoakAlone(context);
  await using server = await startServer();
  const work = within('in-cluster');
  const volume = within('in-cluster/shards');
  const [ca, token] = [join(work, 'ca.crt'), join(work, 'token')];
  writeFileSync(ca, server.ca);
  writeFileSync(token, server.token);
  const account = '/var/run/secrets/kubernetes.io/serviceaccount';
  const programs = installIn(work);

  /** Runs the command of a container, with what the cluster would give it. */
  const run = ({ command, args, env = [] }: Container, more: NodeJS.ProcessEnv = {}): Promise<JobEnd> => {
    const [program = '', ...options] = [...command, ...args].map((text) =>
      text
        .replaceAll('https://kubernetes.default.svc', server.url)
        .replaceAll(`${account}/ca.crt`, ca)
        .replaceAll(`${account}/token`, token)
        .replaceAll('/work/shards', volume)
        .replaceAll('--profile=standard', choice),
    );
    const path = `${programs}:${process.env.PATH}`;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    return new Promise((resolve) => {
      const environment = { ...plainEnvironment(), PATH: path, ...given, ...more };
      execFile(program, options, { cwd: work, env: environment, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
      );
    });
  };

  const shards = containerIn('shards.yaml');
  const ends = await Promise.all(indexes.map((index) => run(shards, { JOB_COMPLETION_INDEX: String(index - 1) })));
  expect(ends.map(({ code, output }) => [code, /conformant/.test(output)])).toEqual(indexes.map(() => [0, true]));
  const judge = containerIn('judge.yaml');
  const whole = await run(judge);
  expect([whole.code, whole.output]).toEqual([0, expect.stringContaining(`cases: ${count} passed, 0 failed`)]);
  expect(passedIn(join(volume, 'report'))).toBe(count);

  // A shard that could not run fails its pod, so that the Job tries it again, and leaves no evidence of an earlier try.
  writeFileSync(token, 'wrong');
  expect((await run(shards, { JOB_COMPLETION_INDEX: '1' })).code).toBe(1);
  const missing = await run(judge);
  expect([missing.code, missing.output]).toEqual([1, expect.stringMatching(/shard 2 of 4/)]);
});
