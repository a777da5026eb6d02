// `npm run report:allure` on small evidence: what its pages say of a failing case, and whom they call.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allCases, type CaseVerdict } from '../../matrix/requirements/index.js';
import { allHostile } from '../testing/hostile.js';
import { exchange, result, runFooter, runHeader } from '../testing/sample.js';

const main = fileURLToPath(new URL('../../dist/reports/allure/main.js', import.meta.url));
const run = (...words: string[]) => promisify(execFile)(process.execPath, [main, ...words]);
const grep = 'create.answer › POST';
const cases = allCases().filter(({ id }) => id.includes(grep));
const [failing, blocked, declared, lacking, forbidden] = cases;

interface AllureResult {
  readonly name: string;
  readonly fullName: string;
  readonly status: string;
  readonly statusDetails: { readonly message?: string };
  readonly steps: readonly AllureResult[];
}

let folder: string;
let results: readonly AllureResult[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'allure-'));
  const verdicts = new Map<unknown, CaseVerdict>([
    [failing, 'failed'],
    [blocked, 'blocked'],
    [declared, 'failed'],
    [lacking, 'not-supported'],
    [forbidden, 'skipped'],
  ]);
  const deviations = [{ requirement: 'create.answer', subject: declared?.subject.id ?? '', reason: 'it is old' }];
  const lines = [
    runHeader({ grep, deviations, target: { name: allHostile, url: 'https://127.0.0.1:6443' } }),
    exchange('x1', { milliseconds: 250 }),
    ...cases.map((one) => result(one, verdicts.get(one) ?? 'passed', { message: allHostile, exchanges: ['x1'] })),
    runFooter({ leftovers: ['namespaces/left'] }),
  ];
  await writeFile(join(folder, 'evidence.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  await run(join(folder, 'evidence.jsonl'), '--output', join(folder, 'page'));
  const names = (await readdir(join(folder, 'page-results'))).filter((name) => name.endsWith('-result.json'));
  results = await Promise.all(names.map(async (name) => JSON.parse(await text('page-results', name)) as AllureResult));
}, 600_000);
afterAll(() => rm(folder, { recursive: true }));

const text = async (...path: string[]): Promise<string> => await readFile(join(folder, ...path), 'utf8');
const of = (one: (typeof cases)[number] | undefined): AllureResult | undefined =>
  results.find(({ fullName }) => fullName === `${one?.requirement.id} › ${one?.subject.resource}`);

describe('the results', () => {
  it.each([
    ['failing', failing, 'failed', 'recommended: 1 case of 1 failed'],
    ['blocked', blocked, 'broken', 'recommended: 1 case of 1 blocked'],
    ['declared', declared, 'skipped', 'known deviation: it is old'],
    ['not supported', lacking, 'skipped', 'not supported'],
    ['skipped', forbidden, 'skipped', 'skipped'],
    ['passing', cases[5], 'passed', ''],
  ])('show a %s case', (_, one, status, message) => {
    const test = of(one);
    expect(test?.status).toBe(status);
    expect(test?.statusDetails.message ?? '').toMatch(new RegExp(`^${message}`));
    expect(test?.steps.map((step) => step.status)).toEqual([status]);
  });

  it('have a test for each requirement and resource, and one for each check of the run', () => {
    const groups = new Set(cases.map(({ requirement, subject }) => `${requirement.id} › ${subject.resource}`));
    expect(results.filter(({ fullName }) => !fullName.startsWith('run › '))).toHaveLength(groups.size);
    expect(results.find(({ name }) => name === 'leaves nothing behind')?.status).toBe('failed');
  });

  it('attach the exchanges and a curl line to a failure', async () => {
    const steps = JSON.stringify(of(failing)?.steps);
    const sources = [...steps.matchAll(/"source":"([^"]+)"/g)];
    expect(sources).toHaveLength(2);
    const contents = await Promise.all(sources.map(([, source = '']) => text('page-results', source)));
    expect(contents.some((content) => content.includes('POST https://127.0.0.1:6443/api'))).toBe(true);
    expect(contents.some((content) => content.startsWith('curl '))).toBe(true);
  });
});

describe('the report', () => {
  it('shows the failure and calls nobody', async () => {
    const page = await text('page', 'index.html');
    expect(page).not.toMatch(/googletagmanager|google-analytics|gtag/);
    expect(page).toContain('<div id="app">');
    const files = await readdir(join(folder, 'page', 'data', 'test-results'));
    const shown = await Promise.all(files.map((name) => text('page', 'data', 'test-results', name)));
    const failed = shown.map((one) => JSON.parse(one) as AllureResult).filter(({ status }) => status === 'failed');
    expect(failed.map(({ name }) => name).sort()).toEqual([failing?.subject.resource, 'leaves nothing behind'].sort());
  });
});

it('says in a line that there is no evidence', async () => {
  const wrong = run(join(folder, 'absent.jsonl'));
  await expect(wrong).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(/^ENOENT.*absent.*\n$/),
  });
});
