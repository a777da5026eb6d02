// Runs the examples as a stranger would: tests copied to a folder of their own, the jobs of CI systems in an empty one,
// with the packed package.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { onPath } from '../../reference-server/testing/programs.js';
import { inSoakAlone, isSoak } from '../../suites/testing/soak.js';
import { hasPackages, withoutPackages } from '../../tools/clients/packages.js';
import { type Job, type JobEnd, readWorkflow, runJob } from '../testing/ciJob.js';
import { runProgram } from '../testing/npm.js';
import { type Installed, installPacked } from '../testing/packed.js';

const root = join(import.meta.dirname, '../..');
const packageOf = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
beforeEach(({ skip }) => {
  if (installed.unreachable !== undefined) skip(installed.unreachable);
});
afterAll(() => installed?.remove());

/** Copies an example beside the installed package, with further packages. Returns its folder. */
function copied(name: string, packages: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(installed.folder, `${name}-`));
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  for (const [specifier, path] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', specifier);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(path, link);
  }
  return folder;
}

it('examples/node-test', async () => {
  const { code, stdout, stderr } = await runProgram(process.execPath, ['--test'], copied('node-test'));
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/pass 8$/m);
});

it('examples/vitest', async (context) => {
  inSoakAlone(context);
  if (!hasPackages) context.skip(withoutPackages);
  const vitest = packageOf('vitest');
  const folder = copied('vitest', {
    '@kubernetes/client-node': join(root, 'tools/clients/node_modules/@kubernetes/client-node'),
    '@types/node': packageOf('@types/node'),
    vitest,
  });
  const compiled = await runProgram(process.execPath, [join(packageOf('typescript'), 'bin/tsc'), '-p', folder], folder);
  expect(compiled).toEqual({ code: 0, stdout: '', stderr: '' });
  // The usual times are short on a loaded machine.
  const patience = ['hookTimeout', 'testTimeout', 'expect.poll.timeout'].map(
    (name) => `--${name}=${inject('deadline') / 4}`,
  );
  const words = [join(vitest, 'vitest.mjs'), 'run', ...patience];
  const { code, stdout, stderr } = await runProgram(process.execPath, words, folder);
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/Tests .*8 passed/);
});

describe('jobs of CI systems', () => {
  const examples = join(root, 'examples');
  /** A GitLab job is one shell; the next job runs in any case. */
  const gitlab = load(readFileSync(join(examples, 'gitlab-ci/.gitlab-ci.yml'), 'utf8')) as Record<
    'conformance' | 'pages',
    { readonly script: readonly string[] }
  >;
  const install = gitlab.conformance.script[0] ?? '';
  const github = readWorkflow(join(examples, 'github-actions/conformance.yaml')).jobs.conformance?.steps ?? [];
  const jobs = {
    'GitHub Actions': github,
    'GitLab CI': [
      { run: gitlab.conformance.script.join('\n') },
      { run: gitlab.pages.script.join('\n'), if: 'always()' },
    ],
  };
  /** Those that are run: they differ in their words around the same commands. */
  const ran = Object.entries(jobs).filter(([system]) => isSoak || system === 'GitHub Actions');
  /** A deviation that the server does not show fails the run. */
  const stale = 'name: stale\ndeviations:\n  - {requirement: create.effect-read, reason: it is gone}\n';

  /** Runs a job with a few cases in a new folder. It installs the package, or has the compiled command line. */
  async function runIn(
    steps: Job['steps'],
    { more = '', installs = false }: { readonly more?: string; readonly installs?: boolean } = {},
  ): Promise<JobEnd & { readonly within: (path: string) => string }> {
    const folder = mkdtempSync(join(installed.folder, 'job-'));
    writeFileSync(join(folder, 'stale.yaml'), stale);
    const end = await runJob(
      { env: { CI: 'true', PACKAGE: installed.tarball }, steps },
      {
        folder,
        artifacts: join(folder, 'artifacts'),
        without: [],
        ...(installs && { installs: true as const }),
        change: (script) =>
          script
            .replace(installs ? '' : install, '')
            .replace('--output report', `--output report --grep create.effect-read ${more}`),
      },
    );
    return { ...end, within: (path) => join(folder, path) };
  }

  it('install the package in the same way, from where it is', () => {
    expect(github.map(({ run }) => run)).toContain(install);
    const files = ['github-actions/conformance.yaml', 'github-actions/shards.yaml', 'github-actions/baseline.yaml'];
    const source = 'PACKAGE: git+https://github.com/kube-api-conformance/kube-api-conformance.git#main\n';
    for (const file of [...files, 'gitlab-ci/.gitlab-ci.yml'])
      expect(readFileSync(join(examples, file), 'utf8')).toContain(source);
    expect(install).toMatch(/^npm install .*"\$PACKAGE"$/);
  });

  it.for(ran)('%s: a server that conforms passes, and its report is published', async ([name, steps], context) => {
    inSoakAlone(context);
    // One installation is like the other.
    const { code, output, within } = await runIn(steps, { installs: name === 'GitLab CI' });
    expect(code, output).toBe(0);
    const published = ['index.html', 'junit.xml', 'report.json', 'summary.md', 'badge.svg', 'evidence.jsonl.gz'];
    expect(published.filter((file) => existsSync(within(`public/${file}`)))).toEqual(published.slice(0, -1));
    expect(readFileSync(within('public/summary.md'), 'utf8')).toContain('✅ Nothing failed in ');
  });

  it('GitHub Actions with a baseline: only what is new fails the job', async (context) => {
    inSoakAlone(context);
    if (onPath('jq') === undefined) context.skip('no jq');
    const { env } = load(readFileSync(join(examples, 'github-actions/baseline.yaml'), 'utf8')) as Pick<Job, 'env'>;
    const { steps } = readWorkflow(join(examples, 'github-actions/baseline.yaml')).jobs.conformance as Job;
    const folder = mkdtempSync(join(installed.folder, 'baseline-'));
    const ran = (vendor: string): Promise<JobEnd> => {
      rmSync(join(folder, 'kubeconfig'), { force: true });
      const options = {
        ...{ folder, artifacts: join(folder, 'artifacts'), without: ['Install the suite'] },
        change: (script: string) =>
          script
            .replace('serve', `serve --vendor ${vendor}`)
            .replace('--output report', "--output report --grep 'responses.media-type › GET /apis/batch/v1'"),
      };
      return runJob({ env: { ...env, CI: 'true' }, steps }, options);
    };
    const first = await ran('example');
    expect(first.code, first.output).toBe(1);
    expect(JSON.parse(readFileSync(join(folder, 'conformance-baseline.json'), 'utf8')).cases.length).toBeGreaterThan(0);
    expect(await ran('example')).toMatchObject({ code: 0, output: expect.stringContaining('nothing new (') });
    const fixed = await ran('kubernetes');
    expect(fixed).toMatchObject({ code: 0, output: expect.stringMatching(/ of the baseline pass(es)? now: renew it/) });
  });

  it.each(ran)('%s: the verdict fails the job, and its report is published', async (system, steps) => {
    const { code, output, within } = await runIn(steps, { more: '--target stale.yaml' });
    expect(code, output).toBe(1);
    expect(existsSync(within('public/index.html'))).toBe(true);
    expect(readFileSync(within('public/summary.md'), 'utf8')).toContain('Not conformant');
    if (system === 'GitHub Actions') expect(existsSync(within('step-summary.md'))).toBe(true);
  });
});
