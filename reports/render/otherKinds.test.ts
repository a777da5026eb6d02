// The kinds that the interface lacks, in every format of the report.
import { describe, expect, it } from 'vitest';
import { allCases } from '../../suites/requirements/index.js';
import { kindMapOf } from '../judge/kindMap.js';
import { kindNotes, otherKinds } from '../judge/otherKinds.js';
import { judge } from '../judge/verdict.js';
import { runWithKinds, serverWords } from '../testing/otherKinds.js';
import { judgeSample, requirement, result, sampleCase, sampleEvidence } from '../testing/sample.js';
import { renderHtml } from './html/report.js';
import { renderJson } from './json.js';
import { renderMap } from './mapSvg.js';
import { renderMarkdown } from './markdown.js';
import { renderSummary } from './text.js';

const { verdict, evidence } = runWithKinds();

describe('the kinds that the interface lacks', () => {
  it('are in the order of the groups, each with what the run did', () => {
    expect(otherKinds(verdict).map(({ name, group, state }) => [name, group, state])).toEqual([
      ['widgets.example.com', 'example.com', 'walked'],
      ['rules.example.com', 'example.com', 'read-only'],
      ['fleets.scaling.example.com', 'scaling.example.com', 'blocked'],
    ]);
  });

  it('have the counts of their cases, those of their own OpenAPI too', () => {
    const [widgets] = otherKinds(verdict);
    expect(widgets?.counts).toMatchObject({ failed: 1, blocked: 0 });
    expect(new Set(widgets?.cases.map((one) => one.requirement.chapter))).toEqual(
      new Set(['create', 'list', 'openapi']),
    );
  });

  it('say why the run made no objects, in words of the server', () => {
    expect(kindNotes(verdict)).toEqual([
      'rules.example.com/v1: only read: its objects bind all',
      `fleets.scaling.example.com/v1: no valid object: ${serverWords}`,
    ]);
  });

  it('decide nothing without a valid object, and are counted', () => {
    expect(
      verdict.cases.filter((one) => one.verdict === 'blocked' && one.requirement.row.level === 'required'),
    ).not.toEqual([]);
    expect([verdict.outcome, verdict.reasons]).toEqual(['conformant', []]);
    expect(verdict.line).toMatch(/; 1 other kind without a valid object/);
  });

  it('are none in a run that did not ask for them', () => {
    const one = sampleCase(requirement('create.answer'), 'server');
    expect(otherKinds(judgeSample({ expected: [one], results: [result(one, 'passed')] }))).toEqual([]);
  });

  it('come last in the map', () => {
    const { kinds, others } = kindMapOf(verdict.cases);
    expect(kinds).toEqual([...others].sort());
    expect(renderMap(verdict, evidence)).toContain('Kinds that the interface lacks');
  });
});

describe('the OpenAPI of a server', () => {
  it('is required, and recommended rules of its kinds are not', () => {
    const own = verdict.requirements.find((one) => one.requirement.id === 'openapi.status');
    expect(own?.requirement.row.level).toBe('required');
    expect(verdict.kinds?.requirements.map((one) => one.requirement.row.level)).toEqual(['recommended', 'recommended']);
  });

  it('is not a rule of a run without such kinds', () => {
    const one = sampleCase(requirement('create.answer'), 'server');
    const { requirements } = judgeSample({ expected: [one], results: [result(one, 'passed')] });
    expect(requirements.filter(({ requirement: { chapter } }) => chapter === 'openapi')).toEqual([]);
  });
});

describe('what a server does not declare about its kinds', () => {
  it('is no gap in the interface', () => {
    const all = allCases(evidence.run?.kinds).filter(
      ({ requirement: { ofFound, id } }) => ofFound && id === 'openapi.accept',
    );
    const results = all.map((one, index) =>
      index === 0
        ? result(one, 'passed')
        : result(one, 'not-supported', { message: 'the OpenAPI does not have the operation' }),
    );
    const judged = judge(sampleEvidence({ run: { kinds: verdict.kinds?.found ?? [] }, results }), { expected: all });
    expect([all.length > 1, judged.outcome, judged.line]).toEqual([true, 'conformant', 'conformant']);
  });
});

describe('the reports', () => {
  it('in text name the kinds without objects', () => {
    expect(renderSummary(verdict)).toContain('fleets.scaling.example.com/v1: no valid object: 422');
  });

  it('in Markdown have a row for each group, and no markup of a server', () => {
    const text = renderMarkdown(verdict, evidence);
    expect(text).toMatch(/\| `example\.com` \| 2 \|/);
    expect(text).toContain(`\`fleets.scaling.example.com/v1: no valid object: ${serverWords}\``);
  });

  it('in JSON have each kind', () => {
    const { kinds } = JSON.parse(renderJson(verdict, evidence)) as { readonly kinds: readonly unknown[] };
    expect(kinds).toHaveLength(3);
    expect(kinds[2]).toMatchObject({ state: 'blocked', note: `no valid object: ${serverWords}`, version: 'v1' });
  });

  it('as a page have the kinds in the data of the script', () => {
    const { page } = renderHtml(verdict, evidence);
    expect(page).not.toContain('<b>size</b>');
    expect(page).toContain('"others":[[');
  });
});
