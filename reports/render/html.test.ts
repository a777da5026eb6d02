import { describe, expect, it } from 'vitest';
import { statedOperations } from '../../matrix/api/index.js';
import type { Case } from '../../matrix/requirements/index.js';
import { allHostile, hostile } from '../testing/hostile.js';
import { type Element, elements, parse, textOf } from '../testing/parse.js';
import {
  exchange,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { renderHtml } from './html.js';

const rule = requirement('create.answer');
const rare = requirement('create.rare');
const habit = requirement('errors.reason', 'convention');
const onRule = (subject: string): Case => sampleCase(rule, subject);

function render(sample: Sample): string {
  return renderHtml(judgeSample(sample), sampleEvidence(sample));
}
const page = (sample: Sample): Element => parse(render(sample), 'html');
const section = (root: Element, id: string): Element | undefined =>
  elements(root).find(({ attributes }) => attributes.id === id);
const textIn = (root: Element, id: string): string => {
  const found = section(root, id);
  return found ? textOf(found) : '';
};

describe('what a server says is never markup', () => {
  const allowed = new Set(
    'html head meta title style body header h1 h2 h3 p ul li dl dt dd div table thead tbody tr th td nav a main section details summary code pre span b br small'.split(
      ' ',
    ),
  );

  it.each([...hostile, ['all of it', allHostile] as const])('%s', (_, text) => {
    const failing = onRule(`POST /api/v1/namespaces/{namespace}/pods, ${text}`);
    const declared = sampleCase(requirement('read.answer'), text);
    const lacking = sampleCase(requirement('list.answer'), text);
    const body = { text, bytes: text.length };
    const source = render({
      run: {
        target: { name: text, url: `https://h/${text}`, serverVersion: text },
        grep: '',
        runId: text,
        version: text,
        startedAt: text,
        notOffered: [{ capability: `group:${text}`, reason: text }],
      },
      end: { leftovers: [text], endedAt: text },
      expected: [failing, declared, lacking],
      results: [
        result(failing, 'failed', { message: text, exchanges: ['x1'] }),
        result(declared, 'failed', { message: text, exchanges: ['x1'] }),
        result(lacking, 'not-offered', { message: text }),
      ],
      exchanges: [
        exchange('x1', {
          request: { method: text, url: text, headers: [[text, text]], body },
          response: { status: 200, headers: [[text, text]], body },
          events: [{ at: 1, data: body }],
          frames: [{ at: 1, direction: 'sent', channel: 1, data: body }],
          error: text,
        }),
      ],
      deviations: [
        { requirement: 'read.answer', subject: text, reason: text },
        { requirement: text, reason: text },
      ],
    });
    const all = elements(parse(source, 'html'));
    expect(all.map(({ name }) => name).filter((name) => !allowed.has(name))).toEqual([]);
    const attributes = new Set(all.flatMap((element) => Object.keys(element.attributes)));
    expect([...attributes].filter((name) => /^on|src|style|action/.test(name))).toEqual([]);
    for (const {
      attributes: { href },
    } of all)
      expect(href ?? '#').toMatch(/^#[\w.-]*/);
  });
});

describe('the page', () => {
  it('loads nothing and runs nothing', () => {
    const source = render({ expected: [onRule('server')], results: [result(onRule('server'), 'passed')] });
    expect(source).not.toMatch(/<script|<link|@import|url\(|src=/i);
    expect(source).toContain("default-src 'none'");
  });

  it('says target, server, verdict, when, how long and the counts on its first screen', () => {
    const expected = [onRule('a'), onRule('b'), sampleCase(habit, 'server')];
    const root = page({
      expected,
      results: [
        result(expected[0] as Case, 'failed'),
        result(expected[1] as Case, 'passed'),
        result(expected[2] as Case, 'passed'),
      ],
    });
    const header = elements(root).find(({ name }) => name === 'header');
    const text = header ? textOf(header) : '';
    for (const part of [
      'sample',
      'https://127.0.0.1:6443',
      'v1.20.2',
      'not conformant',
      '1 stated case failed',
      '2026-11-21 10:00:00 UTC',
      '42.5 s',
      '1 of 1 hold',
    ]) {
      expect(text).toContain(part);
    }
    const rows = elements(header as Element)
      .filter(({ name }) => name === 'tr')
      .map((row) => row.children.map(textOf));
    expect(rows).toContainEqual(['failed', '1', '0']);
    expect(rows).toContainEqual(['passed', '1', '1']);
    expect(rows).toContainEqual(['all', '2', '1']);
  });

  it('has a row for every requirement, whatever its state', () => {
    const rows = [
      rule,
      requirement('a.planned', 'stated', { planned: 'issue 3' }),
      requirement('a.hidden', 'stated', { observable: false, reason: 'no request shows it' }),
      requirement('a.empty'),
    ];
    const root = page({ requirements: rows, expected: [onRule('a')], results: [result(onRule('a'), 'passed')] });
    expect(rows.map(({ id }) => textIn(root, `r-${id}`))).toEqual([
      expect.stringMatching(/stated.*passed/s),
      expect.stringMatching(/planned/),
      expect.stringMatching(/unobservable/),
      expect.stringMatching(/untested/),
    ]);
    expect(textIn(root, 'unobservable')).toContain('no request shows it');
    expect(textIn(root, 'planned')).toContain('issue 3');
  });

  it('shows what was required, what came, and how to send it again', () => {
    const failing = onRule('POST /api/v1/namespaces/{namespace}/pods');
    const root = page({
      expected: [failing],
      results: [result(failing, 'failed', { message: 'wanted 200\ngot 201', exchanges: ['x1'] })],
      exchanges: [exchange('x1')],
    });
    const text = textIn(root, 'failures');
    for (const part of [
      rule.row.text,
      'Errors/1',
      'wanted 200\ngot 201',
      'POST https://127.0.0.1:6443/api/v1',
      '201, after 3 ms',
      'curl -sSi',
      '$TOKEN',
    ]) {
      expect(text).toContain(part);
    }
    const cell = elements(root).find(({ attributes }) => attributes.title?.startsWith('core/pods create'));
    expect(section(root, cell?.attributes.href?.slice(1) ?? '')?.name).toBe('details');
  });

  it('cuts bodies at 16 KiB', () => {
    const failing = onRule('server');
    const text = `${'x'.repeat(16 * 1024)}TAIL`;
    const source = render({
      expected: [failing],
      results: [result(failing, 'failed', { exchanges: ['x1'] })],
      exchanges: [exchange('x1', { response: { status: 200, headers: [], body: { text, bytes: text.length } } })],
    });
    expect(source).toContain('x'.repeat(16 * 1024));
    expect(source).not.toContain('TAIL');
  });

  it('shows 200 failures in full, none of the rules left out, and the rest by id', () => {
    const many = Array.from({ length: 300 }, (_, index) => onRule(`subject ${index}.`));
    const expected = [...many, sampleCase(rare, 'server')];
    const root = page({ expected, results: expected.map((one) => result(one, 'failed')) });
    const shown = elements(root).filter(({ attributes }) => /^f\d+$/.test(attributes.id ?? ''));
    expect(shown).toHaveLength(200);
    expect(shown.at(-1)?.attributes.id).toBe('f200');
    expect(shown.some((one) => textOf(one).includes('server'))).toBe(true);
    const text = textIn(root, 'failures');
    for (const { id, subject } of expected) expect(text.includes(id) || text.includes(subject.id)).toBe(true);
  });

  it('lists what is neither passed nor failed with its reason', () => {
    const [absent, kept, declared, gone] = ['absent', 'kept', 'declared', 'gone'].map(onRule) as [
      Case,
      Case,
      Case,
      Case,
    ];
    const root = page({
      expected: [absent, kept, declared, gone],
      results: [
        result(absent, 'not-offered', { message: 'no such group' }),
        result(kept, 'not-run', { message: 'not disposable' }),
        result(declared, 'failed', { message: 'was 201' }),
        result(gone, 'passed'),
      ],
      deviations: [
        { requirement: rule.id, subject: 'declared', reason: 'it is old' },
        { requirement: rule.id, subject: 'gone', reason: 'it was old' },
      ],
      run: { notOffered: [{ capability: 'group:extensions', reason: 'removed' }] },
      end: { leftovers: ['namespaces/left'] },
    });
    expect(textIn(root, 'not-offered')).toMatch(/group:extensions.*removed.*no such group.*create\.answer › absent/s);
    expect(textIn(root, 'not-run')).toMatch(/not disposable.*create\.answer › kept/s);
    expect(textIn(root, 'deviations')).toMatch(/it is old.*was 201.*create\.answer › declared/s);
    expect(textIn(root, 'stale')).toMatch(/delete the deviation.*subject: gone.*it was old/s);
    expect(textIn(root, 'leftovers')).toContain('namespaces/left');
  });

  it('stays small with 20,000 passes', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => onRule(`subject ${index}`));
    const source = render({ expected: many, results: many.map((one) => result(one, 'passed')) });
    expect(source.length).toBeLessThan(100_000);
    expect(source).toContain('20,000');
  });
});

describe('the grid', () => {
  const cellOf = (root: Element, name: string): Element | undefined =>
    elements(root).find(({ attributes }) => attributes.title?.startsWith(`${name}:`));
  const create = onRule('POST /api/v1/namespaces/{namespace}/pods');
  const second = sampleCase(rare, 'POST /api/v1/namespaces/{namespace}/pods');
  const third = sampleCase(habit, 'POST /api/v1/namespaces/{namespace}/pods');

  it.each([
    ['passed', ['passed', 'passed', 'passed'], 'cell passed'],
    ['failed by a stated rule', ['failed', 'passed', 'failed'], 'cell failed'],
    ['failed by a convention only', ['passed', 'passed', 'failed'], 'cell failed convention'],
    ['not testable', ['passed', 'not-testable', 'passed'], 'cell not-testable'],
    ['passed in part', ['passed', 'not-offered', 'passed'], 'cell passed partial'],
    ['not offered', ['not-offered', 'not-offered', 'not-offered'], 'cell not-offered'],
  ] as const)('a cell that is %s', (_, verdicts, look) => {
    const expected = [create, second, third];
    const root = page({ expected, results: expected.map((one, index) => result(one, verdicts[index] ?? 'passed')) });
    const cell = cellOf(root, 'core/pods create');
    expect(cell?.attributes.class).toBe(look);
    expect(cell?.text).toBe('3');
  });

  it('has a row for every stated resource, and a cell exactly where something is stated', () => {
    const root = page({ expected: [create], results: [result(create, 'passed')] });
    expect(cellOf(root, 'core/pods patch')?.attributes.class).toBe('cell untested');
    expect(cellOf(root, 'core/bindings list')).toBeUndefined();
    const rows = elements(root).filter(({ name, attributes }) => name === 'th' && attributes.scope === 'row');
    const plurals = new Set(statedOperations.flatMap(({ resource }) => resource?.plural ?? []));
    expect(new Set(rows.map(textOf).filter((text) => plurals.has(text)))).toEqual(plurals);
  });
});
