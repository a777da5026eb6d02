// The summary on a terminal.
import { describe, expect, it } from 'vitest';
import {
  hostile,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { renderHtml } from './html/report.js';
import { renderSummary } from './text.js';

const rule = requirement('create.answer');
const recommendedRule = sampleCase(requirement('errors.reason', 'recommended'), 'server');
const many = Array.from({ length: 30 }, (_, index) => sampleCase(rule, `subject ${index}.`));

describe('the summary', () => {
  const summary = renderSummary(
    judgeSample({
      expected: [...many, recommendedRule],
      results: [
        ...many
          .slice(0, 25)
          .map((one, index) => result(one, 'failed', { message: hostile[index % hostile.length]?.[1] ?? '' })),
        ...many.slice(25, 27).map((one) => result(one, 'not-supported', { message: 'no such group' })),
        ...many.slice(27, 28).map((one) => result(one, 'skipped', { message: 'not disposable' })),
        ...many.slice(28).map((one) => result(one, 'failed')),
        result(recommendedRule, 'failed', { message: 'no reason' }),
      ],
      deviations: [
        { requirement: rule.id, subject: 'subject 28.', reason: 'it is old' },
        { requirement: rule.id, subject: 'subject 29.', reason: 'it is old' },
        { requirement: 'create.gone', reason: 'x' },
      ],
      end: { leftovers: ['namespaces/left'] },
    }),
  );
  const lines = summary.trimEnd().split('\n');

  it('ends with the verdict, which counts the conventions', () => {
    expect(lines.at(-1)).toMatch(/^not conformant; recommended: 0 of 1(;|$)/);
  });

  it('has a table of chapters and counts', () => {
    expect(lines[0]).toMatch(/^chapter +failed +known deviation +skipped +not supported$/);
    expect(lines[1]).toMatch(/^create +25 +2 +1 +2$/);
    expect(lines.find((line) => line.startsWith('total'))).toMatch(/^total +26 +2 +1 +2$/);
  });

  it('shows the worst requirements in ten lines, and the ids of the others', () => {
    const rules = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => requirement(`create.${name}`));
    const failing = [recommendedRule, ...rules.map((one) => sampleCase(one, 'server'))];
    const linesOf = (messageOf: (id: string) => string): string[] | undefined => {
      const results = failing.map((one) => result(one, 'failed', { message: messageOf(one.id) }));
      const summary = renderSummary(judgeSample({ expected: failing, results }));
      return summary.slice(summary.indexOf('7 requirements fail')).split('\n\n')[0]?.split('\n');
    };
    const told = (name: string, message: string): string[] => [
      `  ✗ create.${name} (required): 1 of 1 case`,
      `      The server does create.${name}.`,
      `      ${message}`,
    ];
    expect(linesOf((id) => `${id} is wrong`)).toEqual([
      '7 requirements fail, the worst first:',
      ...['a', 'b', 'c'].flatMap((name) => told(name, `create.${name} › server is wrong`)),
      '  and 3 required: create.d, create.e, create.f',
      '  and 1 recommended: errors.reason',
    ]);
    // One cause is told once.
    const same = 'PUT /x: expected 400, got 500';
    expect(linesOf(() => same)).toEqual([
      '7 requirements fail, the worst first:',
      ...told('a', same),
      '      the same in 6 more, 5 of them required: create.b, create.c, create.d, create.e, create.f and 1 more',
    ]);
  });

  it('marks differences if the output has styles', () => {
    const summary = renderSummary(
      judgeSample({
        expected: [...many, recommendedRule],
        results: [
          ...many.map((one) => result(one, 'passed')),
          result(recommendedRule, 'failed', { message: 'x: expected a b c, got a d c' }),
        ],
      }),
      { mark: (text) => `<${text}>`, good: (text) => `+${text}`, bad: (text) => `-${text}` },
    );
    expect(summary).toContain('x: expected a <b> c, got a <d> c');
    expect(summary).toContain('  -✗ errors.reason (recommended)');
    expect(summary).toMatch(/\n\+conformant to Kubernetes 1\.5, as served by 1\.20; .*\n$/);
    const failed = judgeSample({ expected: many, results: many.map((one) => result(one, 'failed')) });
    expect(renderSummary(failed, { bad: (text) => `-${text}` })).toMatch(/\n-not conformant;? ?.*\n$/);
  });

  it.each([
    'it is old (2 cases)',
    'no such group (2 cases)',
    'not disposable (1 case)',
    'namespaces/left',
    'create.gone',
    '25 required cases failed',
  ])('says: %s', (part) => expect(summary).toContain(part));

  it('contains no control sequences for a terminal', () => {
    expect(summary).not.toMatch(/(?!\n)\p{Cc}/u);
  });
});

describe('the link of a deviation', () => {
  const [one] = many as [(typeof many)[0]];
  const sampleWith = (link: string): Sample => ({
    expected: [one],
    results: [result(one, 'failed')],
    deviations: [{ requirement: rule.id, reason: 'it is old', link }],
  });

  it('follows its reason', () => {
    expect(renderSummary(judgeSample(sampleWith('https://a/1')))).toContain('it is old, https://a/1 (1 case)');
  });

  it('is a link on the page only for HTTP URLs', () => {
    const pageOf = (sample: Sample): string => renderHtml(judgeSample(sample), sampleEvidence(sample)).page;
    expect(pageOf(sampleWith('https://a/1'))).toContain('<a href="https://a/1">');
    expect(pageOf(sampleWith('javascript:alert(1)'))).not.toContain('javascript:');
  });
});
