// A real controller-manager that stops and goes on at random, as one that loses its lease: no case blames the server.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KubeApiserver, startKubeApiserver } from '../../../cli/testing/kubeApiserver.js';
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
  let server: KubeApiserver;
  beforeAll(async () => {
    server = await startKubeApiserver();
  });
  afterAll(() => server?.stop());

  it('gives no wrong alarm', async () => {
    const { url, ca, token, state } = server;
    const manager = Number(readFileSync(join(state, 'kube-controller-manager.pid'), 'utf8'));
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
    const output = join(state, 'report');
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
