// A real controller-manager that stops and goes on at random, as one that loses its lease: no case blames the server.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFixtures } from '../../../cli/run/fixtures.js';
import { readEvidence } from '../../../reports/index.js';
import { randomOf } from '../../objects/random.js';
import { call } from '../runCommand.js';

const assets = process.env.KUBEBUILDER_ASSETS ?? '';
const hasManager = existsSync(join(assets, 'kube-controller-manager'));
if (!hasManager) console.log('not run: KUBEBUILDER_ASSETS names no folder with kube-controller-manager');

/** What this server does otherwise, stopped or not. */
const deviations = /^deleteOptions\.(dry-run|options-malformed|options-wrong-kind) /;

/** Seconds that a check waits for a controller, and the longest stop: twice as long. */
const patience = 16;
const longestStop = 32;

const pause = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

describe.skipIf(!hasManager)('a controller-manager that stops and goes on', () => {
  let folder: string;
  let fixtures: Awaited<ReturnType<typeof startFixtures>>;
  const facts: Record<string, string> = {};

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'stopped-'));
    fixtures = await startFixtures(undefined, 'k8s.io');
    const { stdout } = await call('envtest', 'start', '--state', folder, '--fixtures', fixtures.directory);
    for (const line of stdout.split('\n')) {
      const [, key = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
      facts[key] = value;
    }
  });
  afterAll(async () => {
    await call('envtest', 'stop', '--state', folder);
    await fixtures?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives no wrong alarm', async () => {
    const manager = Number(readFileSync(join(folder, 'kube-controller-manager.pid'), 'utf8'));
    const random = randomOf(Date.now());
    let isOver = false;
    const stopping = (async () => {
      while (!isOver) {
        await pause(random.below(6));
        process.kill(manager, 'SIGSTOP');
        await pause(random.below(longestStop));
        process.kill(manager, 'SIGCONT');
      }
    })();
    const output = join(folder, 'report');
    const { url = '', ca = '', token = '' } = facts;
    const reach = ['--url', url, '--ca', ca, '--token', token, '--disposable', '--timeout', String(patience)];
    const choice = ['--chapter', 'watch,deleteOptions,subresources', '--grep', '*namespaces/{name}'];
    await call('run', ...reach, ...choice, '--output', output);
    isOver = true;
    await stopping;
    const { cases } = await readEvidence(join(output, 'evidence.jsonl'));
    const results = [...cases].flatMap(([id, { verdict, message }]) =>
      verdict === 'failed' && !deviations.test(id) ? [`${id}: ${String(message)}`] : [],
    );
    expect(cases.size).toBeGreaterThan(20);
    expect(results).toEqual([]);
  });
});
