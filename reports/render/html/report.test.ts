// The page: its parts, its size, and no markup or script from a server.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { statedOperations } from '../../../matrix/api/index.js';
import type { Case } from '../../../suites/requirements/index.js';
import type { Island, Tree } from '../../page/island.js';
import { allElements, type ParsedElement, parseMarkup, textOf } from '../../testing/parse.js';
import {
  allHostile,
  exchange,
  hostile,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../../testing/sample.js';
import { renderSummary } from '../text.js';
import { type HtmlReport, renderHtml } from './report.js';
import { scriptOf } from './script.js';

const rule = requirement('create.answer');
const rare = requirement('create.rare');
const recommendedRule = requirement('errors.reason', 'recommended');
const onRule = (subject: string): Case => sampleCase(rule, subject);

const render = (sample: Sample): HtmlReport => renderHtml(judgeSample(sample), sampleEvidence(sample));
const page = (sample: Sample): ParsedElement => parseMarkup(render(sample).page, 'html');
const section = (root: ParsedElement, id: string): ParsedElement | undefined =>
  allElements(root).find(({ attributes }) => attributes.id === id);
const textIn = (root: ParsedElement, id: string): string => {
  const found = section(root, id);
  return found ? textOf(found) : '';
};

const dataOf = (root: ParsedElement): Island => JSON.parse(section(root, 'data')?.text ?? '') as Island;
/** Returns the text of each failure on the page. */
const evidenceOf = (root: ParsedElement): string[] => {
  const text = (tree: Tree): string => (typeof tree === 'string' ? tree : tree[2].map(text).join(' '));
  return allElements(root)
    .filter(({ attributes }) => attributes.id?.startsWith('evidence-'))
    .map((script) => (JSON.parse(script.text) as readonly Tree[]).map(text).join(' '));
};

describe('text of a server is never markup', () => {
  const allowed = new Set(
    `html head meta title style script body header footer h1 h2 h3 h4 p ul ol li dl dt dd div table thead tbody tr th td
    nav a main aside section details summary code pre span b i br small mark button label input svg rect`.split(/\s+/),
  );
  const checkAttributes = (attributes: Readonly<Record<string, string>>): void => {
    expect(Object.keys(attributes).filter((name) => /^on|src|style|action/.test(name))).toEqual([]);
    expect(attributes.href ?? '#').toMatch(
      /^(#|https:\/\/github\.com\/kube-api-conformance\/|exchanges\/\d+\.html#s\d+$|\.\.\/index\.html#)/,
    );
  };
  const checkTree = (tree: Tree): void => {
    if (typeof tree === 'string') return;
    const [name, attributes, children] = tree;
    expect(allowed).toContain(name);
    expect(name).not.toBe('script');
    checkAttributes(attributes);
    children.forEach(checkTree);
  };

  it.each([...hostile, ['all of it', allHostile] as const])('%s', (_, text) => {
    const failing = onRule(`POST /api/v1/namespaces/{namespace}/pods, ${text}`);
    const declared = sampleCase(requirement('read.answer'), text);
    const lacking = sampleCase(requirement('list.answer'), text);
    const body = { text, bytes: text.length };
    const { page: source, beside } = render({
      run: {
        target: { name: text, url: `https://h/${text}`, serverVersion: text },
        choice: { grep: '' },
        runId: text,
        version: text,
        startedAt: text,
        notSupported: [{ capability: `group:${text}`, reason: text }],
      },
      end: { leftovers: [text], endedAt: text },
      expected: [failing, declared, lacking],
      results: [
        result(failing, 'failed', { message: text, exchanges: ['x1'] }),
        result(declared, 'failed', { message: text, exchanges: ['x1'] }),
        result(lacking, 'not-supported', { message: text }),
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
    const files = [...beside].map(({ text }) => text);
    for (const file of [source, ...files]) {
      const all = allElements(parseMarkup(file, 'html'));
      expect(all.map(({ name }) => name).filter((name) => !allowed.has(name))).toEqual([]);
      for (const { attributes } of all) checkAttributes(attributes);
      const scripts = all.filter(({ name }) => name === 'script');
      const running = scripts.filter(({ attributes }) => attributes.type !== 'application/json');
      expect(running.map((script) => script.text)).toEqual([scriptOf(file === source ? 'main' : 'copy')]);
      for (const script of scripts.filter(({ attributes }) => attributes.id?.startsWith('evidence-'))) {
        (JSON.parse(script.text) as readonly Tree[]).forEach(checkTree);
      }
    }
  });
});

describe('the page', () => {
  it('loads no resources, and runs only its own script', () => {
    const { page: source } = render({ expected: [onRule('server')], results: [result(onRule('server'), 'passed')] });
    expect(source).not.toMatch(/<link|@import|url\(|src=/i);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(source)?.[1]?.replaceAll('&#39;', "'");
    const script = /<script>(.*?)<\/script>/s.exec(source)?.[1] ?? '';
    const style = /<style>(.*?)<\/style>/s.exec(source)?.[1] ?? '';
    const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    expect(policy).toBe(
      `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`,
    );
  });

  it('has target, server, verdict, time, duration and counts on its first screen', () => {
    const expected = [onRule('a'), onRule('b'), sampleCase(recommendedRule, 'server')];
    const root = page({
      expected,
      results: [
        result(expected[0] as Case, 'failed'),
        result(expected[1] as Case, 'passed'),
        result(expected[2] as Case, 'passed'),
      ],
    });
    const header = allElements(root).find(({ name }) => name === 'header');
    const text = header ? textOf(header) : '';
    for (const part of [
      'sample',
      'https://127.0.0.1:6443',
      'v1.20.2',
      'Not conformant',
      '1 required case failed',
      '2026-11-21 10:00 UTC',
      '42.5 s',
    ]) {
      expect(text).toContain(part);
    }
    const tallies = allElements(header as ParsedElement).filter(({ attributes }) => attributes.class === 'tally');
    const bars = tallies.map(
      (tally) => allElements(tally).find(({ name }) => name === 'svg')?.attributes['aria-label'],
    );
    expect(bars).toEqual(['Required: 1 failed, 1 passed', 'Recommended: 1 passed']);
    expect(
      tallies.map((tally) =>
        allElements(tally)
          .filter(({ name }) => name === 'b')
          .map(textOf),
      ),
    ).toEqual([['0/1'], ['1/1']]);
  });

  it('has the verdict in the preview of a link', () => {
    const root = page({ expected: [onRule('a')], results: [result(onRule('a'), 'passed')] });
    const metas = new Map(
      allElements(root).flatMap(({ name, attributes }) => {
        const key = attributes.name ?? attributes.property;
        return name === 'meta' && key !== undefined ? [[key, attributes.content ?? ''] as const] : [];
      }),
    );
    expect(metas.get('og:title')).toBe('Conformant: sample · kube-api-conformance');
    for (const key of ['description', 'og:description', 'twitter:description']) {
      expect(metas.get(key)).toBe('conformant to Kubernetes 1.5, as served by 1.20 (v1.20.2, 2026-11-21 10:00 UTC)');
    }
  });

  it('counts the requirements that fail once, as the terminal does, and then by level', () => {
    const both = [onRule('a'), sampleCase(rare, 'a')];
    const sample = { expected: both, results: both.map((one) => result(one, 'failed')) };
    expect(textOf(page(sample))).toMatch(/2 requirements fail: \d required, \d recommended/);
    expect(renderSummary(judgeSample(sample))).toContain('2 requirements fail');
  });

  it('shows for a run of selected cases how many requirements hold, and how many cases were selected', () => {
    const text = textOf(
      page({ run: { choice: { grep: 'a' } }, expected: [onRule('a')], results: [result(onRule('a'), 'passed')] }),
    );
    expect(text).toContain('Required: the only one holds');
    expect(text).toMatch(/1 of [\d,]+ cases: ids with "a"/);
  });

  it.each([
    [[], '2/2', 'Required: all 2 selected hold'],
    [[rare.id], '1/2', 'Required: 1 of 2 hold, 1 known deviation'],
  ])('counts the rules that hold as the head does, when %j deviate', (ids, head, heading) => {
    const both = [onRule('a'), sampleCase(rare, 'a')];
    const text = textOf(
      page({
        run: { choice: { grep: 'a' } },
        deviations: ids.map((id) => ({ requirement: id, reason: 'it is old' })),
        expected: both,
        results: both.map((one) => result(one, ids.includes(one.requirement.id) ? 'failed' : 'passed')),
      }),
    );
    expect(text).toContain(head);
    expect(text).toContain(heading);
  });

  it('has a row for every requirement, in any state', () => {
    const rows = [
      rule,
      requirement('a.hidden', 'required', { observable: false, reason: 'no request shows it' }),
      requirement('a.empty'),
    ];
    const root = page({ requirements: rows, expected: [onRule('a')], results: [result(onRule('a'), 'passed')] });
    expect(rows.map(({ id }) => textIn(root, `r-${id}`))).toEqual([
      expect.stringMatching(/required.*passed/s),
      expect.stringMatching(/not observable/),
      expect.stringMatching(/untested/),
    ]);
    expect(textIn(root, 'untested')).toContain('no request shows it');
    expect(textIn(root, 'requirements')).toContain('3 requirements: 1 passed, 1 untested, 1 not observable');
    const observed = page({ requirements: rows.slice(0, 2), expected: [onRule('a')], results: [] });
    expect(textIn(observed, 'views')).toContain('Not observable');
    expect(textIn(root, 'views')).toMatch(/Requirements\s+Failures\s+0\s+Cases\s+1\s+Untested/);
  });

  it('groups the cases that passed by a retry by what went wrong first, decoded, with links', () => {
    const retried = 'GET /api/v1/pods?fieldSelector=metadata.name%3Dkac-abcdef-w0-1: no answer';
    const cases = ['a', 'b', 'c'].map(onRule);
    const root = page({
      expected: cases,
      results: cases.map((one, index) =>
        result(one, 'passed', { retried: index < 2 ? retried : 'POST /api/v1/pods: no answer' }),
      ),
    });
    const text = textIn(root, 'run');
    expect(text.match(/metadata\.name=kac-1: no answer/g)).toHaveLength(1);
    expect(text).toContain('2 cases');
    const run = allElements(root).find(({ attributes }) => attributes.id === 'run') as ParsedElement;
    const links = allElements(run).filter(({ name }) => name === 'a');
    expect(links).toHaveLength(3);
    expect(links[0]?.attributes.href).toMatch(/^#cases\?case=/);
  });

  it('holds the response of a failure, and a command to repeat it', () => {
    const failing = onRule('POST /api/v1/namespaces/{namespace}/pods');
    const root = page({
      expected: [failing],
      results: [result(failing, 'failed', { message: 'POST: expected 200, got 201', exchanges: ['x1'] })],
      exchanges: [exchange('x1')],
    });
    const text = evidenceOf(root)[0] ?? '';
    for (const part of ['expected 200', 'got 201', '/api/v1/namespaces/ns/pods', '3 ms', 'curl -sSi', '$TOKEN']) {
      expect(text).toContain(part);
    }
    expect(dataOf(root)).toMatchObject({
      verdicts: 'f',
      messages: ['POST: expected 200, got 201'],
      templates: [[0, 0]],
    });
  });

  it('cuts bodies at 16 KiB', () => {
    const failing = onRule('server');
    const text = `${'x'.repeat(16 * 1024)}TAIL`;
    const { page: source } = render({
      expected: [failing],
      results: [result(failing, 'failed', { exchanges: ['x1'] })],
      exchanges: [exchange('x1', { response: { status: 200, headers: [], body: { text, bytes: text.length } } })],
    });
    expect(source).toContain('x'.repeat(16 * 1024));
    expect(source).not.toContain('TAIL');
  });

  it('holds 200 failures in full, of every rule, and links to additional files for the rest', () => {
    const many = Array.from({ length: 300 }, (_, index) => onRule(`subject ${index}.`));
    const expected = [...many, sampleCase(rare, 'server')];
    const report = render({
      expected,
      results: expected.map((one, index) => result(one, 'failed', { message: `m${index}`, exchanges: [`x${index}`] })),
      exchanges: expected.map((_, index) => exchange(`x${index}`)),
    });
    const root = parseMarkup(report.page, 'html');
    const { templates, beside } = dataOf(root);
    expect(evidenceOf(root)).toHaveLength(200);
    const inPage = templates.map(([index]) => index);
    expect(inPage).toContain(300);
    expect([...inPage, ...beside.map(([index]) => index)].sort((a, b) => a - b)).toEqual([...expected.keys()]);
    const files = new Map([...report.beside].map(({ name, text }) => [name, parseMarkup(text, 'html')]));
    for (const [index, href] of beside) {
      const [name = '', id = ''] = href.split('#');
      expect(textIn(files.get(name) as ParsedElement, id)).toMatch(
        new RegExp(`subject ${index}\\..*\\bm${index}\\b`, 's'),
      );
    }
  });

  it('holds shared exchanges of passed cases once, with links from the other cases', () => {
    const cases = ['create.answer', 'create.body'].map((id) => sampleCase(requirement(id), 'server'));
    const report = render({
      expected: cases,
      results: cases.map((one) => result(one, 'passed', { exchanges: ['x1'] })),
      exchanges: [exchange('x1')],
    });
    const root = parseMarkup(report.page, 'html');
    expect(evidenceOf(root)).toHaveLength(1);
    expect(dataOf(root).templates).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it('holds shared exchanges of failures once in an additional file', () => {
    const rules = Array.from({ length: 210 }, (_, index) => requirement(`create.rule-${index}`));
    const expected = rules.map((one) => sampleCase(one, 'server'));
    const { beside } = render({
      expected,
      results: expected.map((one) =>
        result(one, 'failed', { message: `by ${one.requirement.id}.`, exchanges: ['x1'] }),
      ),
      exchanges: [exchange('x1')],
    });
    const files = [...beside].map(({ text }) => text);
    expect(files).toHaveLength(1);
    expect(files[0]?.match(/<details class="exchange"/g)).toHaveLength(1);
    for (let index = 200; index < 210; index += 1) expect(files[0]).toContain(`by create.rule-${index}.`);
  });

  it('lists other cases with their reason', () => {
    const [absent, kept, declared, gone] = ['absent', 'kept', 'declared', 'gone'].map(onRule) as [
      Case,
      Case,
      Case,
      Case,
    ];
    const root = page({
      expected: [absent, kept, declared, gone],
      results: [
        result(absent, 'not-supported', { message: 'no such group' }),
        result(kept, 'skipped', { message: 'not disposable' }),
        result(declared, 'failed', { message: 'was 201' }),
        result(gone, 'passed'),
      ],
      deviations: [
        { requirement: rule.id, subject: 'declared', reason: 'it is old' },
        { requirement: rule.id, subject: 'gone', reason: 'it was old' },
      ],
      run: { notSupported: [{ capability: 'group:extensions', reason: 'removed' }] },
      end: { leftovers: ['namespaces/left'] },
    });
    expect(textIn(root, 'not-supported')).toMatch(/group:extensions.*removed.*no such group.*1 case/s);
    expect(textIn(root, 'skipped')).toMatch(/not disposable.*1 case/s);
    expect(textIn(root, 'deviations')).toMatch(/it is old.*create\.answer.*1 case.*declared.*was 201/s);
    expect(textIn(root, 'run')).toMatch(/delete the deviation.*subject: gone.*it was old/s);
    expect(textIn(root, 'run')).toContain('namespaces/left');
    expect(dataOf(root)).toMatchObject({ verdicts: 'nsdp', messages: ['no such group', 'not disposable', 'was 201'] });
  });

  it('stays small with 20,000 passes', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => onRule(`subject ${index}`));
    const { page: source, beside } = render({ expected: many, results: many.map((one) => result(one, 'passed')) });
    expect(source.length).toBeLessThan(1_000_000);
    expect(source).toContain('20,000');
    expect([...beside]).toEqual([]);
  });

  it('stays within bounds if everything fails', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => onRule(`subject ${index}`));
    const text = JSON.stringify({ text: 'y'.repeat(15_000) });
    const { page: source } = render({
      expected: many,
      results: many.map((one) => result(one, 'failed', { message: `it is ${one.id}`, exchanges: ['x1', 'x2', 'x3'] })),
      exchanges: ['x1', 'x2', 'x3'].map((id) =>
        exchange(id, { response: { status: 200, headers: [], body: { text, bytes: text.length } } }),
      ),
    });
    expect(source.length).toBeLessThan(12_000_000);
  });

  it('names every cell that the document states', () => {
    const { kinds, verbs, stated } = dataOf(page({ expected: [onRule('server')] }));
    const plurals = new Set(statedOperations.flatMap(({ resource }) => resource?.plural ?? []));
    expect(new Set(kinds.flatMap((kind) => kind.split('/')[1] ?? []))).toEqual(plurals);
    const cells = stated.map(([kind, verb]) => `${kinds[kind]} ${verbs[verb]}`);
    expect(cells).toContain('core/pods patch');
    expect(cells).not.toContain('core/bindings list');
  });
});
