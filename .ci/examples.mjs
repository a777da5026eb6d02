#!/usr/bin/env node
// Runs the shell steps of examples/ as their CI systems would, in an empty folder, with the package as npm packs it:
// once with a server that conforms, once with a verdict that must fail the job.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';

const root = join(import.meta.dirname, '..');
const work = mkdtempSync(join(tmpdir(), 'examples-'));
/** A part of the suite is enough to see the steps work: the whole takes minutes. */
const part = '--output report --grep create.answer';
/** A deviation that the server does not show fails the run. */
const stale = 'name: stale\ndeviations:\n  - {requirement: create.answer, reason: it is gone}\n';

/** The steps of a GitHub workflow's job, and whether they run after a failed one. */
function githubSteps(file, job) {
  const { jobs } = load(readFileSync(join(root, file), 'utf8'));
  return jobs[job].steps.flatMap(({ run, if: when = '' }) => (run ? [{ run, always: when.includes('always()') }] : []));
}

/** A GitLab job is one shell; the next job runs in any case. */
function gitlabSteps(file) {
  const { conformance, pages } = load(readFileSync(join(root, file), 'utf8'));
  return [conformance, pages].map(({ script }, index) => ({ run: script.join('\n'), always: index > 0 }));
}

const examples = [
  ['GitHub Actions', githubSteps('examples/github-actions/conformance.yaml', 'conformance')],
  ['GitLab CI', gitlabSteps('examples/gitlab-ci/.gitlab-ci.yml')],
];

/**
 * Runs steps in a new folder, which has what was installed in the folder `cache`, as a CI system keeps it. Returns the
 * folder, and whether the job failed.
 */
async function runJob(name, steps, tarball, change, cache) {
  const folder = join(work, name.replaceAll(/\W+/g, '-'));
  mkdirSync(folder);
  const installed = join(cache ?? folder, 'node_modules');
  if (existsSync(installed))
    cpSync(installed, join(folder, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(folder, 'stale.yaml'), stale);
  writeFileSync(join(folder, 'summary'), '');
  const environment = { ...process.env, CI: 'true', PACKAGE: tarball, GITHUB_STEP_SUMMARY: join(folder, 'summary') };
  const groups = [];
  let failed = false;
  try {
    for (const { run, always } of steps) {
      if (failed && !always) continue;
      // What a step leaves running belongs to its process group, and goes with the job.
      const shell = spawn('bash', ['-eo', 'pipefail', '-c', change(run)], {
        cwd: folder,
        env: environment,
        detached: true,
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      groups.push(shell.pid);
      const code = await new Promise((done, fail) => shell.once('error', fail).once('exit', (exit) => done(exit ?? 1)));
      failed ||= code !== 0;
    }
  } finally {
    for (const group of groups) {
      try {
        process.kill(-group, 'SIGTERM');
      } catch {
        // It has ended.
      }
    }
  }
  return { folder, failed };
}

const problems = [];
function expectThat(holds, sentence) {
  process.stdout.write(`${holds ? 'ok' : 'NOT OK'}: ${sentence}\n`);
  if (!holds) problems.push(sentence);
}

try {
  const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: root, encoding: 'utf8' });
  if (packed.status !== 0) throw new Error(`npm pack: ${packed.stderr}`);
  const json = JSON.parse(packed.stdout.slice(packed.stdout.search(/^[[{]/m)));
  const [{ filename }] = Object.values(json);
  const tarball = join(work, filename);
  let cache;
  for (const [name, steps] of examples) {
    const good = await runJob(`${name} good`, steps, tarball, (run) => run.replace('--output report', part), cache);
    cache = good.folder;
    expectThat(!good.failed, `${name}: the job passes with a server that conforms`);
    for (const file of ['index.html', 'junit.xml', 'report.json', 'summary.md', 'badge.svg']) {
      expectThat(existsSync(join(good.folder, 'public', file)), `${name}: ${file} is published`);
    }
    expectThat(!existsSync(join(good.folder, 'public', 'evidence.jsonl')), `${name}: the evidence is not`);
    const withStale = (run) =>
      run.replace('--output report', part).replace('run --kubeconfig', 'run --target stale.yaml --kubeconfig');
    const bad = await runJob(`${name} bad`, steps, tarball, withStale, cache);
    expectThat(bad.failed, `${name}: the job fails by the verdict`);
    expectThat(existsSync(join(bad.folder, 'public', 'index.html')), `${name}: the report is published all the same`);
    if (name !== 'GitHub Actions') continue;
    for (const [{ folder }, title] of [
      [good, 'Conformant'],
      [bad, 'Not conformant'],
    ]) {
      const summary = readFileSync(join(folder, 'summary'), 'utf8');
      expectThat(summary.includes(title), `${name}: the summary says: ${title}`);
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
process.stdout.write(problems.length === 0 ? 'all steps of the examples work\n' : `${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
