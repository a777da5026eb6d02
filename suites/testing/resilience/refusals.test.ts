// Servers that refuse many requests, or sometimes do not respond: some must end a run, and others must not.
import { createServer } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readEvidence } from '../../../reports/index.js';
import { Client } from '../../client/client.js';
import { tryDeletes } from '../../objects/deletes.js';
import { Context } from '../../run/context.js';
import { bareTarget } from '../bareTarget.js';
import type { WireReply, WireRequest } from '../faults/wire/fault.js';
import { type FaultyProxy, startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { failure, nameOf, reply } from '../faults/wire/requests.js';
import { call } from '../runCommand.js';
import { runChosen, useGoodServer } from './chosenRuns.js';

const good = useGoodServer(['create', 'read', 'deleteOptions']);
let proxy: FaultyProxy | undefined;
let context: Context | undefined;

afterEach(async () => {
  await context?.client.close();
  await proxy?.close();
  [context, proxy] = [undefined, undefined];
});
type Request = (passing: WireRequest) => WireRequest | WireReply;

async function through(request: Request): Promise<string> {
  proxy = await startFaultyProxy(good, { request });
  return proxy.url;
}

const targetAt = (url: string) =>
  bareTarget(url, { credentials: { staticToken: { token: good.token } }, disposable: true });

it('a server whose admission refuses every pod is tested to the end', async () => {
  let refused = 0;
  const message =
    'pods "a" is forbidden: error looking up service account a/default: serviceaccount "default" not found';
  const url = await through((passing) => {
    if (passing.method !== 'POST' || !/\/pods(\?|$)/.test(passing.path)) return passing;
    refused += 1;
    return reply(403, { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Forbidden', code: 403, message });
  });
  context = new Context({ runId: 'aaaaaa', target: targetAt(url), directory: good.folder }, '1');
  const ofPods = /\/namespaces\/\{namespace\}\/pods( |$|\/\{name\}$)/;
  // more than the number of refusals that ends a run
  while (refused < 70) {
    const before = refused;
    await runChosen(
      good,
      context,
      (id) => ofPods.test(id),
      () => refused >= 70,
    );
    expect(refused).toBeGreaterThan(before);
    expect(context.recovery.stop).toBeUndefined();
  }
  const others = await runChosen(good, context, (id) => /^read\..*\/configmaps/.test(id));
  expect([...new Set(others.map(({ verdict }) => verdict))]).toEqual(['passed']);
});

it('a cluster that restricts pods by default admits those of the cases', async () => {
  const restricted = new Set<string>();
  const message = 'pods "a" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true';
  const url = await through((passing) => {
    const { method, path, body } = passing;
    if (method !== 'POST') return passing;
    if (path.endsWith('/namespaces') && !body.includes('"pod-security.kubernetes.io/enforce":"privileged"'))
      restricted.add(nameOf(passing));
    const [, namespace = ''] = /\/namespaces\/([^/]+)\/pods$/.exec(path) ?? [];
    return restricted.has(namespace) ? reply(403, { kind: 'Status', status: 'Failure', code: 403, message }) : passing;
  });
  context = new Context({ runId: 'cccccc', target: targetAt(url), directory: good.folder }, '1');
  const wanted = /^(create\.effect-read › .*\/pods|deleteOptions\.namespace-contents › .*)$/;
  const results = await runChosen(good, context, (id) => wanted.test(id));
  expect(results.map(({ verdict, message }) => message ?? verdict)).toEqual(['passed', 'passed']);
});

it('a server that begins to refuse every user ends the run', async () => {
  let writes = 0;
  const url = await through((passing) => {
    if (passing.method === 'POST') writes += 1;
    return writes > 30 ? failure(401, 'Unauthorized') : passing;
  });
  const output = join(good.folder, 'output');
  const options = ['--token', good.token, '--disposable', '--chapter', 'create', '--output', output];
  const { code, stdout } = await call('run', '--url', url, ...options);
  expect(stdout).toMatch(/could not run: \d+ of the last \d+ requests with the credentials of the run were refused/);
  expect(code).toBe(2);
  const { cases } = await readEvidence(join(output, 'evidence.jsonl'));
  const count = (wanted: string): number => [...cases.values()].filter(({ verdict }) => verdict === wanted).length;
  expect(count('skipped')).toBeGreaterThan(0);
  expect(stdout).toMatch(/not reached/i);
});

it('a server that once does not respond to a delete is still sent deletes', async () => {
  let deletes = 0;
  const server = createServer((request, response) => {
    if (request.method === 'DELETE') deletes += 1;
    if (request.method === 'DELETE' && deletes === 1) return;
    const { method, headers } = request;
    const passed = secureRequest(good.url + request.url, { method, headers, ca: good.ca } as object, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Client(targetAt(`http://127.0.0.1:${port}`), undefined, { timeout: 8_000 });
  expect(await tryDeletes(client, 'bbbbbb', [])).toEqual({});
  expect(deletes).toBeGreaterThan(2);
  await client.close();
  server.closeAllConnections();
  server.close();
});
