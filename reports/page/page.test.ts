// The page in a browser, made from the evidence of a run against a broken server.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allCases, requirements } from '../../suites/requirements/index.js';
import { inSoakAlone } from '../../suites/testing/soak.js';
import { hasPackages, packageFile } from '../../tools/clients/packages.js';
import { renderComparison } from '../compare/page.js';
import { compareRuns, judge, readEvidence } from '../index.js';
import { renderHtml } from '../render/html/report.js';
import { recordOf } from '../render/records/serverRecord.js';
import { renderServersPage } from '../render/records/serversPage.js';
import { brokenRun } from '../testing/brokenRun.js';
import { findChromium, startChromium } from '../testing/browser.js';
import { layoutFaults } from '../testing/layout.js';
import { runWithKinds, serverWords } from '../testing/otherKinds.js';
import {
  allHostile,
  exchange,
  judgeSample,
  requirement,
  result,
  type Sample,
  sampleCase,
  sampleEvidence,
} from '../testing/sample.js';
import { viewNames } from './filter.js';

const executable = findChromium();
if (executable === undefined) {
  process.stderr.write('The page is not tested in a browser: no chromium on the PATH and none in CHROMIUM.\n');
}

const windowWidths = [360, 390, 768, 1280, 1440, 1920];
const tabWidths = [390, 768, 1280];
const pages = [
  ['', 'light', 1280],
  ['', 'dark', 360],
  ['#chapters', 'dark', 1280],
  ['#requirements', 'light', 360],
  ['#failures?q=foo:x create', 'dark', 360],
  ['#cases?verdict=failed', 'light', 1280],
  ['#untested', 'dark', 768],
] as const;

let folder: string;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];

const address = (name: string): string => pathToFileURL(join(folder, name)).href;
const open = (fragment = '', name = 'index.html'): Promise<unknown> => page.goto(address(name) + fragment);
/** Writes a sample as a page and opens it. */
async function openSample(sample: Sample, fragment = ''): Promise<void> {
  writeFileSync(join(folder, 'sample.html'), renderHtml(judgeSample(sample), sampleEvidence(sample)).page);
  await open(fragment, 'sample.html');
}
const resultCount = (): Promise<string | null> => page.locator('.answer .told').textContent();

/** Returns the violations of axe on the open page, with some of the elements. */
async function violations(): Promise<[id: string, elements: string[]][]> {
  await page.evaluate(`${readFileSync(packageFile('axe-core/axe.min.js'), 'utf8')}; undefined`);
  // To axe, the tabs that are scrolled out of view are links that skip content.
  const options = "{ resultTypes: ['violations'], rules: { 'skip-link': { enabled: false } } }";
  const found = (await page.evaluate(`axe.run(${options})`)) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return found.violations.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html)]);
}
const chips = (): Promise<string[]> => page.locator('.also button').allTextContents();
const currentTab = (): Promise<string[]> => page.locator('.views [aria-current]').allTextContents();

describe.skipIf(executable === undefined)('the page', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'page-'));
    await brokenRun('create.', folder);
    // A page with fewer rows, because axe checks each row.
    const evidence = await readEvidence(join(folder, 'evidence.jsonl'), 'sample');
    const few = requirements.filter(({ chapter }) => ['create', 'surface'].includes(chapter));
    const cases = allCases().filter(({ requirement }) => few.includes(requirement));
    const { page: small } = renderHtml(judge(evidence, { requirements: few, expected: cases }), evidence);
    writeFileSync(join(folder, 'small.html'), small);
    browser = await startChromium(executable ?? '');
    // One for all tests: each page of its own is another process of the browser.
    context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    context.setDefaultTimeout(300_000);
    page = await context.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith('file:')) complaints.push(`asks for ${request.url()}`);
    });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await page.goto('about:blank');
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.emulateMedia({ media: null, colorScheme: null });
    complaints = [];
  });
  afterEach(() => expect(complaints).toEqual([]));

  it('opens on the overview, and a cell opens its cases', async () => {
    await open();
    expect(await page.locator('h1').textContent()).toContain('Not conformant');
    expect(await page.locator('.legend').textContent()).toContain('Numbers count cases; 2/3: two of three passed.');
    const cell = page.getByRole('link', { name: /^core\/configmaps create: \d+ failed/ });
    const failures = Number(/(\d+) failed/.exec((await cell.getAttribute('aria-label')) ?? '')?.[1]);
    await cell.click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#cases?kind=core/configmaps&verb=create');
    await expect.poll(chips).toEqual(['kind: core/configmaps ×', 'verb: create ×']);
    expect(failures).toBeGreaterThan(0);
    await expect.poll(() => page.locator('details.case.failed').count()).toBe(failures);
    await page.goBack();
    await expect.poll(() => page.locator('#view-matrix').isVisible()).toBe(true);
  });

  it('has a map of the kinds that the interface lacks, by group, with the words of the server', async () => {
    const { verdict, evidence } = runWithKinds();
    writeFileSync(join(folder, 'kinds.html'), renderHtml(verdict, evidence).page);
    await open('', 'kinds.html');
    const map = page.getByRole('region', { name: 'Other kinds × verbs' });
    expect(await map.locator('tr.group').allTextContents()).toEqual(['example.com', 'scaling.example.com']);
    expect(await map.locator('tbody th[scope=row]').allTextContents()).toEqual(['widgets', 'rules', 'fleets']);
    expect(await map.locator('td.note').allTextContents()).toEqual([
      'only read: its objects bind all',
      `no valid object: ${serverWords}`,
    ]);
    await map.getByRole('link', { name: /^example\.com\/widgets list: 1 failed/ }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#cases?kind=example.com/widgets&verb=list');
    await expect.poll(() => page.locator('details.case.failed').count()).toBe(1);
  });

  it('shows the deciding exchange two clicks after the verdict', async () => {
    await open();
    expect(await page.locator('h1').textContent()).toContain('Not conformant');
    await page.locator('.cause a').first().click();
    await page.locator('details.case > summary').first().click();
    await expect.poll(() => page.locator('details.case[open] .exchange[open] .messages').isVisible()).toBe(true);
  });

  it('shows the exchange of a passed case', async () => {
    await open('#cases?verdict=passed');
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.locator('details.case > summary').first().click();
    await expect.poll(() => page.locator('details.case[open] .exchange[open]').isVisible()).toBe(true);
  });

  it('leaves the cases of a disabled requirement out of the map, and keeps that in the address', async () => {
    await open();
    const [first] = await page.locator('.switch input').all();
    const id = await first?.getAttribute('value');
    const share = (): Promise<string | null> =>
      page.getByRole('link', { name: /^core\/configmaps create: / }).getAttribute('aria-label');
    const before = await share();
    await first?.uncheck();
    await expect.poll(() => new URL(page.url()).hash).toBe(`#matrix?off=${id}`);
    await expect.poll(share).not.toBe(before);
    await page.reload();
    expect(await first?.isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Remove the filter 1 requirement switched off' }).click();
    await expect.poll(share).toBe(before);
  });

  it('divides the cells, and remembers it in the address', async () => {
    await openSample(mediaSample());
    await expect.poll(() => page.locator('.parts a').count()).toBe(0);
    await page.getByLabel('Cells').selectOption('media');
    await expect.poll(() => page.locator('.parts a').count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.locator('.parts a').count()).toBe(2);
    const legend = (await page.locator('.legend').allTextContents()).join();
    for (const entry of ['passed', 'failed, required', 'no case', 'Jjson', 'Yyaml']) expect(legend).toContain(entry);
    expect(legend).not.toContain('Numbers count cases');
    await page.getByRole('link', { name: 'core/pods create, yaml: 1 failed' }).click();
    await expect.poll(() => page.locator('details.case').count()).toBe(1);
  });

  it('filters, and a link keeps the filters', async () => {
    await open('#requirements');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('checkbox', { name: 'failed', exact: true }).check();
    await page.getByLabel('Level').selectOption('recommended');
    await page.getByLabel('Search').fill('uid');
    await expect.poll(() => new URL(page.url()).hash).toContain('uid');
    expect(await resultCount()).toMatch(/^[1-9]\d* requirements?, [1-9]\d* of \d+ cases$/);
    const rows = await page.locator('#view-requirements tr.row:visible').allTextContents();
    expect(rows.join()).toContain('create.identity');
    const other = await context.newPage();
    await other.goto(page.url());
    await expect.poll(() => other.locator('#view-requirements tr.row:visible').allTextContents()).toEqual(rows);
    expect(await other.getByLabel('Search').inputValue()).toBe('uid');
    await other.close();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect
      .poll(() => page.locator('#view-requirements tr.row:not([hidden])').count())
      .toBe(await page.locator('#view-requirements tr.row').count());
  });

  it.each([
    ['kind=core/configmaps', ['kind: core/configmaps ×']],
    ['verb=create', ['verb: create ×']],
    ['chapter=create', ['chapter: create ×']],
    ['level=required', ['level: required ×']],
    ['verdict=failed,blocked', ['verdict: failed or blocked ×']],
    ['requirement=create.answer', ['requirement: create.answer ×']],
    ['q=uid verb:create "is not"', ['uid ×', 'verb:create ×', '"is not" ×']],
  ])('has a chip for each term of %s, which removes it, in every view with a filter', async (query, terms) => {
    for (const view of ['matrix', 'chapters', 'requirements', 'failures', 'cases']) {
      await open(`#${view}?${query}`, 'small.html');
      expect(await chips(), view).toEqual(terms);
    }
    for (const [index] of terms.entries()) {
      await page.locator('.also button').first().click();
      await expect.poll(chips).toEqual(terms.slice(index + 1));
    }
    expect(new URL(page.url()).hash).toBe('#cases');
  });

  it('has the failures as a view: it keeps the search, and no other view takes its verdict', async () => {
    await open('#matrix?q=kind:configmaps', 'small.html');
    const cells = (): Promise<string[]> => page.locator('.matrix a.cell').allTextContents();
    const before = await cells();
    await page.getByRole('link', { name: /^Failures/ }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#failures?q=kind%3Aconfigmaps');
    expect(await currentTab()).toEqual([expect.stringContaining('Failures')]);
    expect(await resultCount()).toMatch(/^[1-9]\d* of \d+ failures$/);
    expect(await page.locator('details.case.passed').count()).toBe(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(cells).toEqual(before);
    await open('#cases?verdict=failed', 'small.html');
    await page.getByRole('link', { name: 'Overview' }).click();
    await expect.poll(() => new URL(page.url()).hash).toBe('#matrix');
  });

  it.each([
    ['foo:bar', 'Unknown term foo: (searched as text'],
    ['verb:', 'Verb: needs a value'],
    ['kind:configmap', 'No kind configmap in this run; did you mean configmaps?'],
    ['status:nonsense', 'No verdict nonsense in this run, which has '],
    ['"not closed', 'The quotation mark in "not closed is not closed.'],
  ])('says what is wrong with the search %s', async (search, said) => {
    await open('#cases', 'small.html');
    await page.keyboard.press('/');
    await page.getByLabel('Search').fill(search);
    await expect.poll(() => page.locator('.wrong').textContent()).toContain(said);
    await page.getByLabel('Search').fill('verdict:failed');
    await expect.poll(() => page.locator('.wrong').textContent()).toBe('');
  });

  it('counts the failing requirements of the overview by the filter', async () => {
    await open('#matrix?kind=core/configmaps', 'small.html');
    const title = page.locator('.causes > h2');
    expect(await title.textContent()).toMatch(/^[1-9]\d* failing requirements? in this filter$/);
    const share = page.locator('.cause:visible .fraction').first();
    const filtered = await share.textContent();
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(() => title.textContent()).toContain('fail: ');
    expect(await share.textContent()).not.toBe(filtered);
  });

  it('shows the rule and the response, and marks the difference', async () => {
    await open('#cases?verdict=failed&requirement=create.identity');
    expect(await page.locator('.requirement h3').first().textContent()).toContain('has a uid');
    await page.locator('details.case > summary').first().click();
    const detail = page.locator('.detail').first();
    expect(await detail.locator('.exchange[open] .messages pre').nth(1).textContent()).toContain('"UID"');
    await expect.poll(() => detail.locator('.exchange[open] mark').count()).toBeGreaterThan(0);
    expect(await detail.textContent()).toContain('Bearer <redacted>');
  });

  it('copies a valid curl line, and a command that runs only that case', async () => {
    await open('#cases?verdict=failed&requirement=create.identity');
    await page.locator('details.case > summary').first().click();
    const detail = page.locator('.detail').first();
    const copied = async (name: RegExp): Promise<string> => {
      await detail.getByRole('button', { name }).first().click();
      await expect.poll(() => detail.locator('.told:not(:empty)').count()).toBeGreaterThan(0);
      return await page.evaluate('navigator.clipboard.readText()');
    };
    const curl = await copied(/^Copy: The same with curl/);
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${curl}`], {
      env: { TOKEN: 't', PATH: process.env.PATH },
      encoding: 'utf8',
    }).split('\n');
    expect(words).toContain('--url');
    const command = await copied(/^Copy: Run just this case/);
    const grep = execFileSync(
      'sh',
      ['-c', `set -- ${command.replace('$TOKEN', 't')}; for last; do :; done; printf %s "$last"`],
      {
        encoding: 'utf8',
      },
    );
    expect(allCases().filter(({ id }) => id === grep)).toHaveLength(1);
    expect(grep.startsWith('create.identity › ')).toBe(true);
    expect(command).toMatch(/^npx kube-api-conformance run --url http:\S+ --token "\$TOKEN" --output one-case --grep /);
  });

  it('searches the cases from a view without a filter', async () => {
    await openSample(everyVerdict(), '#run');
    await page.keyboard.press('/');
    await expect.poll(() => new URL(page.url()).hash).toBe('#cases');
    expect(await page.getByLabel('Search').isVisible()).toBe(true);
  });

  it('shows the first view for the address of a view that the run does not have', async () => {
    await open('#run', 'small.html');
    await expect.poll(() => page.locator('.matrix').isVisible()).toBe(true);
    expect(await currentTab()).toEqual(['Overview']);
    expect(await page.locator('.wrong').textContent()).toBe('This report has no view #run; this is the overview.');
    await open('#nonsense', 'small.html');
    await expect.poll(() => page.locator('.wrong').textContent()).toContain('no view #nonsense');
  });

  it('keeps hostile text as text', async () => {
    const failing = sampleCase(requirement('create.answer'), `POST /api/v1/namespaces/{namespace}/pods, ${allHostile}`);
    const body = { text: allHostile, bytes: 1 };
    await openSample(
      {
        expected: [failing],
        results: [result(failing, 'failed', { message: allHostile, exchanges: ['x1'] })],
        exchanges: [
          exchange('x1', {
            response: { status: 200, headers: [[allHostile, allHostile]], body },
            events: [{ at: 1, data: body }],
          }),
        ],
      },
      `#cases?q=${encodeURIComponent('<img src=x')}`,
    );
    await expect.poll(() => page.locator('details.case[open] .detail').count()).toBe(1);
    expect(
      await page
        .locator('body img, body script:not([type="application/json"]) ~ script, [onmouseover], [onerror]')
        .count(),
    ).toBe(0);
    expect(await page.locator('.detail').textContent()).toContain('<img src=x onerror=alert(1)>');
  });

  it('opens 20,000 cases with few elements', async () => {
    const rule = requirement('create.answer');
    const many = Array.from({ length: 20_000 }, (_, index) => sampleCase(rule, `subject ${index}`));
    await openSample({ expected: many, results: many.map((one) => result(one, 'passed')) }, '#cases');
    await page.keyboard.press('/');
    expect(await page.locator('*').count()).toBeLessThan(3_000);
    expect(statSync(join(folder, 'sample.html')).size).toBeLessThan(1_000_000);
    await page.getByLabel('Search').fill('19999');
    await expect.poll(resultCount).toBe('1 of 20,000 cases');
  });

  it('compares runs, and shows the cases that differ on demand', async () => {
    const rule = requirement('create.answer');
    const one = sampleCase(rule, 'POST /api/v1/namespaces/{namespace}/pods');
    const runs = (['passed', 'failed'] as const).map((verdict) => {
      const sample: Sample = { expected: [one], results: [result(one, verdict, { message: allHostile })] };
      return { name: verdict, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
    });
    writeFileSync(join(folder, 'comparison.html'), renderComparison(compareRuns(runs)));
    await open('', 'comparison.html');
    const row = page.locator('#worse details.req');
    await row.locator('summary').press('Enter');
    expect(await row.locator('li').textContent()).toContain('<img src=x onerror=alert(1)>');
    expect(await page.locator('img').count()).toBe(0);
    await row.locator('summary').press('Enter');
    await expect.poll(() => row.locator('li').isVisible()).toBe(false);
    for (const width of [360, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await layoutFaults(page), `${width} wide`).toEqual([]);
    }
  });

  it('shows verdict, counts and requirements without its script', async () => {
    const plain = await browser.newContext({ javaScriptEnabled: false });
    const quiet = await plain.newPage();
    await quiet.goto(address('index.html'));
    expect(await quiet.locator('h1').textContent()).toContain('Not conformant');
    expect(await quiet.locator('#r-create\\.answer').isVisible()).toBe(true);
    expect(await quiet.locator('#filter').isVisible()).toBe(false);
    await plain.close();
  });

  describe('in every width, on paper and for everyone', () => {
    beforeEach(inSoakAlone);

    it('shows the requirements of a cell on hover and on focus', async () => {
      await open();
      await page.getByRole('link', { name: /^core\/configmaps create: / }).hover();
      await expect.poll(() => page.locator('#pane').isVisible()).toBe(true);
      expect(await page.locator('#pane').textContent()).toContain('core/configmaps create');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('#pane').isVisible()).toBe(false);
      await page.setViewportSize({ width: 1920, height: 1080 });
      await page.locator('.matrix tbody td a[tabindex="0"]').focus();
      await page.keyboard.press('ArrowDown');
      const name = (await page.locator('.matrix a:focus').getAttribute('aria-label'))?.split(':')[0] ?? '';
      await expect.poll(() => page.locator('#pane h3').textContent()).toBe(name);
      expect(await page.locator('#pane').isVisible()).toBe(true);
    });

    it.each([
      [1280, 800],
      [1920, 1080],
    ])(
      'shows verdict, failing requirements and the whole map on the first screen of %i × %i',
      async (width, height) => {
        await page.setViewportSize({ width, height });
        await open();
        const last = await page.locator('.matrix tbody tr').last().boundingBox();
        expect((last?.y ?? 0) + (last?.height ?? Number.NaN)).toBeLessThanOrEqual(height);
        expect(await page.locator('.cause').first().isVisible()).toBe(true);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      },
    );

    it('can be used with the keyboard alone', async () => {
      await open();
      await page.keyboard.press('/');
      await page.keyboard.type('configmaps');
      await expect.poll(() => new URL(page.url()).hash).toBe('#matrix?q=configmaps');
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByLabel('Search').isVisible()).toBe(false);
      await page.keyboard.press('3');
      await expect.poll(() => new URL(page.url()).hash).toBe('#requirements?q=configmaps');
      await page.keyboard.press('1');
      await page.locator('.matrix tbody td a[tabindex="0"]').focus();
      await page.keyboard.press('Enter');
      await page.locator('details.case > summary').first().focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('details.case[open] .detail').count()).toBe(1);
      await open();
      const first = page.locator('.matrix tbody td a[tabindex="0"]');
      await first.focus();
      const before = await first.getAttribute('aria-label');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => page.locator('.matrix a:focus').getAttribute('aria-label')).not.toBe(before);
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => page.locator('.matrix a:focus').getAttribute('aria-label')).toBe(before);
    });

    it.each(windowWidths)('has room for every view, %i wide', async (width) => {
      await page.setViewportSize({ width, height: 900 });
      const faults: [string, string[]][] = [];
      await openSample(everyVerdict());
      for (const view of [...viewNames, 'cases?verdict=failed']) {
        await open(`#${view}`, view.includes('?') ? 'small.html' : 'sample.html');
        const summary = page.locator('details.case > summary:visible').first();
        if ((await summary.count()) > 0) await summary.click();
        faults.push([view, await layoutFaults(page)]);
      }
      expect(faults.filter(([, found]) => found.length > 0)).toEqual([]);
    });

    it('has the tab of the view in view on a phone', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await openSample(everyVerdict(), '#run');
      await expect(page.locator('.views [aria-current]').textContent()).resolves.toContain('The run');
      const tab = await page.locator('.views [aria-current]').boundingBox();
      expect((tab?.x ?? 0) + (tab?.width ?? 999)).toBeLessThanOrEqual(390);
    });

    it.each(tabWidths)('keeps the tabs in one row where they are, with a hint of more, %i wide', async (width) => {
      await page.setViewportSize({ width, height: 844 });
      await openSample(everyVerdict());
      const strip = page.locator('.views ul');
      const widths = (): Promise<number[]> =>
        page.locator('.views a').evaluateAll((tabs) => tabs.map((tab) => tab.clientWidth));
      const tops = await page
        .locator('.views a')
        .evaluateAll((tabs) => tabs.map((tab) => tab.getBoundingClientRect().y));
      expect(new Set(tops).size).toBe(1);
      await expect.poll(() => strip.getAttribute('class')).toContain('after');
      const before = await widths();
      await page.keyboard.press('3');
      await expect.poll(currentTab).toEqual([expect.stringContaining('Requirements')]);
      expect(await widths()).toEqual(before);
      await strip.evaluate((list) => list.scrollTo(9_999, 0));
      await expect.poll(() => strip.getAttribute('class')).toBe('before');
      for (const name of ['.ask', '.theme', '.help']) {
        const button = await page.locator(`.views ${name}`).boundingBox();
        const list = await strip.boundingBox();
        expect(button?.x, name).toBeGreaterThanOrEqual((list?.x ?? 0) + (list?.width ?? 0));
      }
    });

    it('folds the chapters of the requirements that the run did not test, and all of them on a phone', async () => {
      await open('#requirements', 'small.html');
      const [tested, untested] = [
        page.getByRole('button', { name: 'create' }),
        page.getByRole('button', { name: 'surface' }),
      ];
      expect(await tested.getAttribute('aria-expanded')).toBe('true');
      expect(await untested.getAttribute('aria-expanded')).toBe('false');
      await untested.press('Enter');
      await expect.poll(() => page.locator('#r-surface\\.served').isVisible()).toBe(true);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.reload();
      expect(await page.locator('tr.row:visible').count()).toBe(0);
      await page.goto(`${address('small.html')}#requirements?requirement=surface.served`);
      await expect.poll(() => page.locator('tr.row:visible').count()).toBe(1);
    });

    it('has the chapters before the map on a phone where nothing fails', async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const passing = mediaSample().expected ?? [];
      await openSample({ expected: passing, results: passing.map((one) => result(one, 'passed')) });
      const list = await page.locator('.chapter-list').boundingBox();
      expect(list?.y).toBeLessThan((await page.locator('.map').boundingBox())?.y ?? 0);
      await page.keyboard.press('4');
      await expect.poll(() => page.locator('#failures-view').textContent()).toBe('Nothing failed.');
    });

    it.skipIf(!hasPackages).each(pages)(
      'has no violation of axe: "%s", %s, %i wide',
      async (fragment, colorScheme, width) => {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await open(fragment, 'small.html');
        const summary = page.locator('details.case > summary').first();
        if ((await summary.count()) > 0) await summary.click();
        expect(await violations()).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      },
    );

    it.skipIf(!hasPackages).each(['light', 'dark'] as const)(
      'has no violation of axe in a comparison and in a table of servers, %s',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme });
        const expected = allCases().filter(({ requirement: { id } }) =>
          ['list.kind', 'errors.status-schema'].includes(id),
        );
        const runs = (['passed', 'failed'] as const).map((last) => {
          const results = expected.map((one, index) =>
            result(one, index % 2 === 0 ? 'passed' : last, { message: 'no' }),
          );
          const sample: Sample = { expected, results };
          return { name: last, verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
        });
        writeFileSync(join(folder, 'comparison.html'), renderComparison(compareRuns(runs)));
        writeFileSync(
          join(folder, 'servers.html'),
          renderServersPage(runs.map(({ verdict, evidence }) => recordOf(verdict, evidence))),
        );
        for (const name of ['comparison.html', 'servers.html']) {
          await open('', name);
          await page
            .locator('details')
            .first()
            .evaluate((one) => one.setAttribute('open', ''));
          expect(await violations(), name).toEqual([]);
        }
      },
    );

    it('has room on paper', async () => {
      await page.setViewportSize({ width: 718, height: 1040 });
      await page.emulateMedia({ media: 'print' });
      const sample = everyVerdict();
      await openSample(sample);
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await layoutFaults(page)).toEqual([]);
      const run = { verdict: judgeSample(sample), evidence: sampleEvidence(sample) };
      const other = { ...sample, results: sample.expected?.map((one) => result(one, 'passed')) ?? [] };
      const before = { verdict: judgeSample(other), evidence: sampleEvidence(other) };
      const comparison = compareRuns([
        { name: 'before', ...before },
        { name: 'after', ...run },
      ]);
      writeFileSync(join(folder, 'comparison.html'), renderComparison(comparison));
      await open('', 'comparison.html');
      expect(await layoutFaults(page)).toEqual([]);
    });

    it('prints a summary of two pages from the first view, and the content of any other', async () => {
      await open();
      await page.emulateMedia({ media: 'print' });
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      for (const id of ['matrix', 'chapters']) {
        await expect.poll(() => page.locator(`#view-${id}`).isVisible()).toBe(true);
      }
      await expect.poll(() => page.locator('.filters').isVisible()).toBe(false);
      expect(await page.locator('.legend').first().isVisible()).toBe(true);
      expect(await page.locator('summary:visible').allTextContents()).toEqual([]);
      const [map, body] = await Promise.all(
        ['.matrix', 'main'].map((name) => page.locator(name).first().boundingBox()),
      );
      expect(map?.width).toBeGreaterThan(0.9 * (body?.width ?? Number.NaN));
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
      await page.evaluate("dispatchEvent(new Event('afterprint'))");
      const pdf = await page.pdf({ format: 'A4' });
      expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeLessThanOrEqual(2);
      await open('#chapters');
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      await expect.poll(() => page.locator('main > section:visible').count()).toBe(1);
      await open('#requirements', 'small.html');
      const rows = page.locator('tr.row');
      expect(await page.locator('tbody.folded').count()).toBeGreaterThan(0);
      expect(await page.locator('tr.row:visible').count()).toBe(await rows.count());
    });
  });
});

/** Returns some cases of every chapter, with all verdicts, reasons and checks of the run: every view has rows. */
function everyVerdict(): Sample {
  const verdicts = ['passed', 'failed', 'blocked', 'not-supported', 'skipped'] as const;
  const expected = allCases().filter((_, index) => index % 29 === 0);
  return {
    expected,
    requirements,
    results: expected.map((one, index) => {
      const verdict = verdicts[index % verdicts.length] ?? 'passed';
      const message = verdict === 'passed' ? {} : { message: 'discovery: /apis/extensions/v1beta1 is not served' };
      return result(one, verdict, message);
    }),
    deviations: expected
      .slice(0, 40)
      .map(({ requirement: { id } }) => ({ requirement: id, reason: 'the server is older than this requirement' })),
    end: { leftovers: ['namespaces/kac-main'], outages: [{ milliseconds: 3_000, requests: ['GET /api/v1/pods'] }] },
  };
}

/** Returns two media types of one operation, one of which fails. */
function mediaSample(): Sample {
  const rule = requirement('create.answer');
  const operation = 'POST /api/v1/namespaces/{namespace}/pods';
  const expected = (['json', 'yaml'] as const).map((mediaType) =>
    sampleCase(rule, `${operation}, ${mediaType}`, { mediaType }),
  );
  return { expected, results: expected.map((one, index) => result(one, index === 0 ? 'passed' : 'failed')) };
}
