// Every report shows the cases that ran under an alias separately, and escapes their texts from a server.
import { describe, expect, it } from 'vitest';
import { jobs, judgeSample, pods, result, type Sample, sampleEvidence, services } from '../testing/sample.js';
import { renderHtml } from './html/report.js';
import { renderSummary } from './text.js';

const sample: Sample = {
  expected: [pods, services, jobs],
  results: [
    result(pods, 'passed'),
    result(services, 'passed', { alias: 'apps/v1' }),
    result(jobs, 'failed', { alias: 'apps/v1', message: 'it said <script>alert(1)</script>\u001b[2J' }),
  ],
};

describe('cases under an alias', () => {
  const verdict = judgeSample(sample);

  it('have a line and a list in the summary', () => {
    const summary = renderSummary(verdict);
    expect(summary).toMatch(/^aliased: 1 passed, 1 failed$/m);
    expect(summary).toMatch(/Under an alias, not scored:\n {2}create\.answer › .*jobs: it said/);
    expect(summary).not.toContain('\u001b');
    expect(summary).toMatch(/it ran under apps\/v1 instead, not scored \(2 cases\)/);
  });

  it('have a section on the page', () => {
    const page = renderHtml(verdict, sampleEvidence(sample)).page;
    expect(page).toContain('Under another version (aliased: 1 passed, 1 failed)');
    expect(page).toContain('it said &#60;script&#62;');
  });

  it('are not mentioned in a run without any', () => {
    const plain = { ...sample, results: [result(pods, 'passed')], expected: [pods] };
    expect(renderSummary(judgeSample(plain))).not.toContain('alias');
    expect(renderHtml(judgeSample(plain), sampleEvidence(plain)).page).not.toContain('Under another version');
  });
});
