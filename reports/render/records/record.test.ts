// The record of a run has each deviation with its exchange, and no markup from a server.
import { describe, expect, it } from 'vitest';
import { judge } from '../../judge/verdict.js';
import {
  exchange,
  ofRule,
  pods,
  recommendedCase,
  result,
  rule,
  type Sample,
  sampleEvidence,
  services,
} from '../../testing/sample.js';
import { renderRecord } from './record.js';

const base = 'https://127.0.0.1:6443';
const asked = (id: string, method: string, path: string) =>
  exchange(id, { request: { method, url: base + path, headers: [] } });

const record = (sample: Sample): string => {
  const evidence = sampleEvidence(sample);
  const expected = sample.expected ?? [];
  return renderRecord(judge(evidence, { expected, requirements: [rule, recommendedCase.requirement] }), evidence);
};

describe('the record', () => {
  const text = record({
    expected: [pods, services, recommendedCase],
    deviations: [{ ...ofRule, subject: 'pods', sometimes: true }],
    exchanges: [asked('first', 'GET', '/api/v1/nodes'), asked('proof', 'POST', '/api/v1/pods')],
    results: [
      result(pods, 'failed', { message: 'POST /api/v1/pods: got 201', exchanges: ['first', 'proof'] }),
      result(services, 'failed', { message: 'bad <script>\n# heading', alias: 'apps/v1' }),
      result(recommendedCase, 'skipped', { message: 'not disposable' }),
    ],
  });

  it('shows a deviation with the exchange that its message names', () => {
    expect(text).toContain('### it is old');
    expect(text).toContain('`create.answer`, subjects with `pods`: 1 case, seen sometimes.');
    expect(text).toContain(`POST ${base}/api/v1/pods\n`);
    expect(text).not.toContain('/api/v1/nodes');
  });

  it('has the verdict, the counts, and the cases that were not judged', () => {
    expect(text).toContain('| create | 1 |  | 1 |');
    expect(text).toContain('- Aliased: 0 passed, 1 failed');
    expect(text).toContain('- not disposable (1 case)');
  });

  it('removes markup from the text of a server', () => {
    expect(text).not.toContain('<script>');
    expect(text).not.toMatch(/^# heading/m);
  });

  it('does not close a code block early', () => {
    const hostile = exchange('x', {
      response: { status: 201, headers: [], body: { text: '```\n# heading\n````', bytes: 20 } },
    });
    const results = [result(pods, 'failed', { exchanges: ['x'] })];
    expect(record({ expected: [pods], deviations: [ofRule], exchanges: [hostile], results })).toMatch(/^`{5}text$/m);
  });
});
