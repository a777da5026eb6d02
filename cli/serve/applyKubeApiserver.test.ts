// Holds the table of server-side apply against a real kube-apiserver: what this server answers, a real one answers too.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exchanges } from '../../reference-server/later/testing/applyExchanges.js';
import { type Answered, differences, mediaTypeOf, type Send } from '../../reference-server/later/testing/applyTable.js';
import { type RunFixtures, startFixtures } from '../run/fixtures.js';

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const assets = process.env.KUBEBUILDER_ASSETS;
if (assets === undefined) console.log('not run: KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver');

const call = (...options: readonly string[]) => promisify(execFile)(process.execPath, [main, ...options]);

describe.skipIf(assets === undefined)('kube-apiserver answers as the table says', () => {
  let fixtures: RunFixtures;
  let state: string;
  let url: string;
  let token: string;
  let ca: string;

  beforeAll(async () => {
    state = await mkdtemp(join(tmpdir(), 'kube-apiserver-'));
    fixtures = await startFixtures(undefined, 'k8s.io');
    const { stdout } = await call('envtest', 'start', '--state', state, '--fixtures', fixtures.directory);
    const facts = Object.fromEntries(stdout.split('\n').map((line) => line.split(/: (.*)/s)));
    ({ url, token } = facts);
    ca = await readFile(facts.ca, 'utf8');
  });
  afterAll(async () => {
    await call('envtest', 'stop', '--state', state);
    await fixtures?.close();
    await rm(state, { recursive: true, force: true });
  });

  const send: Send = ({ method, type, agent, body }, path) =>
    new Promise<Answered>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': type === undefined ? 'application/json' : mediaTypeOf[type],
        ...(agent !== undefined && { 'user-agent': agent }),
      };
      const sent = request(`${url}${path}`, { method, headers, ca }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
        });
        response.on('end', () => resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) }));
      });
      sent.on('error', reject);
      sent.end(body === undefined ? undefined : type === 'yaml' ? String(body) : JSON.stringify(body));
    });

  it.each(Object.entries(exchanges))('%s', async (_what, list) => {
    expect(await differences(list, send)).toEqual([]);
  });
});
