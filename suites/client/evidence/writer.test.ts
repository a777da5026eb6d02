// Tests what the evidence keeps of passed cases, and that exchanges are recorded only when a case takes them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CaseResult, CaseVerdict, EvidenceChoice } from '../../requirements/index.js';
import type { Call } from '../calls.js';
import { type Reply, replyOf } from '../reply.js';
import type { Connections } from '../transport.js';
import { ExchangeLog } from './exchangeLog.js';
import { EvidenceWriter } from './writer.js';

const result = (requirement: string, verdict: CaseVerdict, more: Partial<CaseResult> = {}): CaseResult => ({
  ...{ type: 'case', id: `${requirement} › a`, requirement, subject: 'a', verdict, exchanges: ['x1'] },
  ...more,
});

it.each<[EvidenceChoice, readonly boolean[]]>([
  ['all', [true, true, true, true, true, true]],
  ['sample', [true, false, true, false, true, true]],
  ['failures', [false, false, false, false, true, true]],
])('of %s, passed cases are kept', (kept, wanted) => {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
  const writer = new EvidenceWriter(folder, 'worker-0', kept);
  const subjects = [
    [result('a.one', 'passed')],
    [result('a.one', 'passed')],
    [result('a.one', 'passed'), result('a.two', 'passed')],
    [result('a.two', 'passed')],
    [result('a.one', 'passed', { retried: 'it was slow' })],
    [result('a.one', 'passed'), result('a.two', 'failed')],
  ];
  expect(subjects.map((results) => writer.wants(results))).toEqual(wanted);
  writer.close();
  expect(readFileSync(join(folder, 'worker-0.jsonl'), 'utf8')).toBe('');
  rmSync(folder, { recursive: true });
});

const call: Call = { method: 'GET', path: '/api/v1/secrets/a' };
const noted = (log: ExchangeLog, text: string, started: number): void => {
  const reply: Reply = replyOf(
    call,
    { statusCode: 200, headers: { 'content-type': 'application/json' } },
    Buffer.from(text),
  );
  log.note({ call, connections: {} as Connections, headers: {}, started }, { reply });
};

it('an exchange that is taken has no secret that a later one told', () => {
  const log = new ExchangeLog('https://127.0.0.1');
  noted(log, '"the-token-of-an-account"', Date.now());
  const secret = { kind: 'Secret', data: { token: Buffer.from('the-token-of-an-account').toString('base64') } };
  noted(log, JSON.stringify(secret), Date.now());
  const ids = log.pendingIds();
  const taken = log.take();
  expect(taken.map(({ id }) => id)).toEqual(ids);
  expect(JSON.stringify(taken)).not.toContain('the-token-of-an-account');
  expect(taken[0]?.response?.body?.text).toBe('"<redacted>"');
  expect(log.take()).toEqual([]);
});

it('exchanges that are dropped leave their number and their times', () => {
  const log = new ExchangeLog('https://127.0.0.1');
  expect(log.drop()).toEqual({ count: 0 });
  const now = Date.now();
  noted(log, '{}', now - 30);
  noted(log, '{}', now - 2_000);
  const { count, timing } = log.drop();
  expect([count, timing?.start]).toEqual([2, now - 2_000]);
  expect(timing?.milliseconds).toBeGreaterThanOrEqual(2_030);
  expect([log.pendingIds(), log.take()]).toEqual([[], []]);
});
