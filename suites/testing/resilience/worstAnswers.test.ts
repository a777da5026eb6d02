// Nothing that a target answers costs the report: every stage after a case gets the worst answers.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resourceId, resources } from '../../../matrix/api/index.js';
import { judge, readEvidence, writeReports } from '../../../reports/index.js';
import { runFooter, runHeader } from '../../../reports/testing/sample.js';
import { Pace } from '../../client/backoff.js';
import { Client } from '../../client/client.js';
import { EvidenceWriter } from '../../client/evidence/writer.js';
import { brief } from '../../client/json.js';
import { NoAnswer } from '../../client/reply.js';
import { type CaseResult, caseId, type NotSupported } from '../../requirements/index.js';
import { findLeftRuns, tryCleanUp, tryDeletesOnLeft } from '../../run/cleanup.js';
import { groups } from '../../run/group.js';
import { bareTarget } from '../bareTarget.js';
import { startFaultyProxy } from '../faults/wire/faultyProxy.js';
import { call } from '../runCommand.js';
import { startBadServer } from './badServers.js';
import { useGoodServer } from './chosenRuns.js';
import { worstBytes, worstEdits } from './worstAnswers.js';

const good = useGoodServer(['read']);
const runId = '000001';
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'worst-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A target with one worst answer. */
interface Worst {
  readonly url: string;
  close(): Promise<void>;
}

const targets: readonly (readonly [string, () => Promise<Worst>])[] = [
  ...Object.entries(worstEdits).map(
    ([name, reply]) => [name, () => startFaultyProxy(good, { reply: (whole) => reply(whole) })] as const,
  ),
  ...Object.entries(worstBytes).map(([name, bytes]) => [name, () => startBadServer(bytes)] as const),
];

/** All kinds but two are left out, for the time that their lists take. */
const absent = resources.map(resourceId).flatMap((id): NotSupported[] => {
  const isKept = id === 'core/namespaces' || id === 'core/configmaps';
  return isKept ? [] : [{ capability: `resource:${id}`, reason: 'not asked' }];
});

const clientOf = (url: string): Client =>
  new Client(bareTarget(url, { credentials: { staticToken: { token: good.token } } }), undefined, {
    timeout: 2_000,
    pace: new Pace(undefined, 1_000),
  });

/** Creates a namespace of the run with a config map in it, which the good server keeps. */
async function leaveObjects(): Promise<void> {
  const client = new Client(bareTarget(good.url, { ca: good.ca, credentials: { staticToken: { token: good.token } } }));
  const create = (path: string, name: string) =>
    client.send({
      ...{ method: 'POST', path, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ metadata: { name: `kac-${runId}-${name}` } }),
    });
  await create('/api/v1/namespaces', 'a');
  await create(`/api/v1/namespaces/kac-${runId}-a/configmaps`, 'b');
  await create(`/api/v1/namespaces/kac-${runId}-a/configmaps`, 'c');
  await client.close();
}

describe.each(targets)('%s', (name, start) => {
  it('ends no stage after the cases', async () => {
    await leaveObjects();
    const target = await start();
    const client = clientOf(target.url);
    const left = await tryCleanUp(client, runId, absent);
    expect(left.length).toBeLessThan(1_002);
    expect(left.filter((line) => /RangeError|TypeError/.test(line))).toEqual([]);
    for (const stage of [() => findLeftRuns(client, absent, []), () => tryDeletesOnLeft(client, runId, absent, [])])
      await stage().catch((error: unknown) => expect(error).toBeInstanceOf(NoAnswer));
    const replies = await Promise.all(
      ['/api/v1/namespaces', `/api/v1/namespaces/kac-${runId}-a`].map((path) =>
        client.send({ method: 'GET', path }).catch((error: unknown) => error as NoAnswer),
      ),
    );
    const said = replies.map((reply) => (reply instanceof Error ? reply.message : reply.excerpt()));
    for (const reply of replies) if (!(reply instanceof Error)) brief(reply.tryValue());
    await written(name, said, client);
    await client.close();
    await target.close();
    expect({}).not.toHaveProperty('polluted');
  });
});

/** Writes evidence with what the target said in every place that can hold it, judges it, and writes every report. */
async function written(name: string, said: readonly string[], client: Client): Promise<void> {
  const directory = join(folder, name.replaceAll(/\W/g, '-'));
  mkdirSync(directory);
  const exchanges = client.takeExchanges().slice(-200);
  const message = said.join(' ');
  const cases = groups
    .slice(0, 3)
    .flatMap(({ subjects, checks }) =>
      subjects.slice(0, 2).flatMap((subject) => checks.map(({ id }) => ({ id, subject }))),
    );
  const results = cases.map(
    ({ id, subject }): CaseResult => ({
      ...{ type: 'case', id: caseId(id, subject), requirement: id, subject: subject.id, verdict: 'failed', message },
      exchanges: exchanges.map((exchange) => exchange.id),
    }),
  );
  const writer = new EvidenceWriter(directory, 'evidence', 'all');
  const add = (line: unknown): void => writer.writeWaits(line as Parameters<typeof writer.writeWaits>[0]);
  // Only these cases: a report of all others, which have no evidence, costs ten times as much, for each answer.
  const choice = { only: results.map(({ id }) => id) };
  add(runHeader({ choice, target: { name: 'worst', url: client.target.url, serverVersion: message.slice(0, 500) } }));
  writer.write(results, exchanges);
  add(runFooter({ leftovers: [message], aborted: message }));
  writer.close();
  const evidence = await readEvidence([join(directory, 'evidence.jsonl')]);
  const paths = await writeReports(judge(evidence), evidence, directory);
  for (const path of Object.values(paths)) expect(readFileSync(path, 'utf8').length).toBeGreaterThan(10);
  rmSync(directory, { recursive: true });
}

it('a third of all answers cost a run neither its verdict nor its report', async () => {
  const edits = Object.values(worstEdits);
  let count = 0;
  const proxy = await startFaultyProxy(good, {
    reply: (reply, { path }) => {
      if (/^\/version|\/selfsubjectaccessreviews/.test(path)) return reply;
      count += 1;
      return count < 60 || count % 3 !== 0 ? reply : (edits[(count / 3) % edits.length]?.(reply) ?? reply);
    },
  });
  const output = join(folder, 'run');
  const choice = ['--chapter', 'read,list,create', '--grep', '/configmaps', '--timeout', '5'];
  const { code, stdout, stderr } = await call(
    ...['run', '--url', proxy.url, '--token', good.token, '--disposable', ...choice, '--output', output],
  );
  await proxy.close();
  expect([code, stderr]).toEqual([1, expect.not.stringContaining('bug in')]);
  expect(stdout).toMatch(/^cases: \d+ passed/m);
  expect(existsSync(join(output, 'index.html'))).toBe(true);
  expect(readdirSync(output)).toEqual(expect.arrayContaining(['junit.xml', 'report.json', 'evidence.jsonl.gz']));
});
