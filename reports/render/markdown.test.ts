// The summary: small, and without markup from a server.
import { describe, expect, it } from 'vitest';
import { codeSpan } from '../safeText.js';
import {
  allHostile,
  hostile,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { renderMarkdown } from './markdown.js';

const rule = requirement('create.answer');
const recommendedRule = sampleCase(requirement('errors.reason', 'recommended'), 'server');
const of = (subject: string) => sampleCase(rule, subject);
const markdown = (sample: Sample) => renderMarkdown(judgeSample(sample), sampleEvidence(sample));

/** Returns the parts of the text that are code in CommonMark, and the rest of the text. */
function spans(text: string): { readonly code: string[]; readonly rest: string } {
  const found: string[] = [];
  const rest = text.replace(/(?<!`)(`+)(?!`)([\s\S]*?)(?<!`)\1(?!`)/g, (_, _fence, inside: string) => {
    found.push(/^ .* $/.test(inside) ? inside.slice(1, -1) : inside);
    return '';
  });
  return { code: found, rest };
}

const attacks: readonly (readonly [string, string])[] = [
  ...hostile,
  ['all of it', allHostile],
  ['a link', '[click](http://127.0.0.1/) ![x](http://127.0.0.1/x.png) <http://127.0.0.1/>'],
  ['a mention and a reference', '@everyone fixes #1'],
  ['backquotes', '`` ` ``` ` @a'],
  ['a backquote at each end', '`@a`'],
  ['a table and a list', 'a | b\n- c\n# d'],
  ['a backslash at its end', 'a\\'],
  ['spaces', '   '],
  ['nothing', ''],
];

describe('code', () => {
  it.each(attacks)('shows %s as one span of code', (_, text) => {
    const { code: found, rest } = spans(codeSpan(text));
    if (text.trim() === '') expect([found, rest]).toEqual([[], '(empty)']);
    else expect([found.length, rest]).toEqual([1, '']);
  });

  it('keeps the text', () => {
    expect(codeSpan('a `b` c')).toBe('``a `b` c``');
  });
});

describe('the summary', () => {
  const every: Sample = {
    expected: [of('passing'), of('failing'), of('declared'), of('unoffered'), of('forbidden'), recommendedRule],
    results: [
      result(of('passing'), 'passed'),
      result(of('failing'), 'failed', { message: 'wanted 200' }),
      result(of('declared'), 'failed', { message: '201' }),
      result(of('unoffered'), 'not-supported', { message: 'no group' }),
      result(of('forbidden'), 'skipped', { message: 'not disposable' }),
      result(recommendedRule, 'blocked', { message: 'no pod' }),
    ],
    deviations: [{ requirement: rule.id, subject: 'declared', reason: 'it is old' }],
    end: { leftovers: ['namespaces/left'] },
  };
  const text = markdown(every);

  it.each([
    '## ❌ Not conformant',
    '- Target: `sample` at `https://127.0.0.1:6443`',
    '- Took: 43 s',
    '1 required case failed',
    '| level | failed | blocked | known deviation | passed | skipped | not supported |',
    '| required | 1 | 0 | 1 | 1 | 1 | 1 |',
    '| create | 1 | 0 | 1 | 1 | 1 | 1 |',
    '### 2 requirements fail',
    '- **The server does create.answer.** 1 of 3 cases, required, `create.answer`<br>`wanted 200`',
    '- 1 more: `errors.reason`',
    '- `create.answer: it is old` (1 case)',
    '- `no group` (1 case)',
    '- `not disposable` (1 case)',
    '- `left on the target: namespaces/left`',
  ])('has the line: %s', (line) => expect(text).toContain(line));

  it.each(attacks)('lets no markup of a server through: %s', (_, attack) => {
    const sample: Sample = {
      expected: [of(attack), of(`${attack} declared`), of('lacking')],
      results: [
        result(of(attack), 'failed', { message: attack }),
        result(of(`${attack} declared`), 'failed', { message: attack }),
        result(of('lacking'), 'not-supported', { message: attack }),
      ],
      deviations: [{ requirement: rule.id, subject: 'declared', reason: attack }],
      run: { target: { name: attack, url: attack, serverVersion: attack }, choice: { grep: '' } },
      end: { leftovers: [attack] },
    };
    const verdict = { ...judgeSample(sample), line: attack, reasons: [attack], notes: [attack] };
    const { rest } = spans(renderMarkdown(verdict, sampleEvidence(sample)));
    expect(rest.replace(/<\/?(details|summary)>|<br>/g, '')).not.toMatch(/[<>[\]@`]|http|!\(|^\s*-\s*[a-z]\s*$/m);
    expect(markdown(sample)).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('stays small with thousands of failures of long messages', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => of(`${'x'.repeat(500)} ${index}.`));
    const long = (index: number): string => `${index} ${'€'.repeat(5_000)}`;
    const text = markdown({
      expected: many,
      results: many.map((one, index) =>
        result(one, index % 2 === 0 ? 'not-supported' : 'failed', { message: long(index) }),
      ),
      deviations: Array.from({ length: 100 }, (_, index) => ({
        requirement: rule.id,
        subject: ` ${2 * index + 1}.`,
        reason: long(index),
      })),
      end: { leftovers: many.map(({ id }) => id) },
    });
    expect(Buffer.byteLength(text)).toBeLessThan(128 * 1024);
    expect(/and 70 more/.test(text)).toBe(true);
  });

  it('says that nothing ran', () => {
    expect(markdown({ run: null, end: null })).toContain(
      '## ⛔ Could not run\n\n`could not run: the evidence has no header`',
    );
  });

  it('names a run that ended early for that, not for what it saw', () => {
    const [one, other] = [of('a'), of('b')];
    const ended = (aborted: string) =>
      markdown({ expected: [one, other], results: [result(one, 'passed')], end: { aborted } }).split('\n', 1)[0];
    expect([ended('interrupted (SIGTERM)'), ended('gone')]).toEqual(['## ⛔ Interrupted', '## ⛔ Ended early']);
  });
});
