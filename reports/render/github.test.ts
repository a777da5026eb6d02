// Annotations of GitHub Actions: only what fails the run, no more than GitHub shows, and no command of a server.
import { expect, it } from 'vitest';
import {
  allHostile,
  judgeSample,
  ofRule,
  pods,
  readPods,
  recommendedCase,
  requirement,
  result,
  type Sample,
  sampleCase,
  services,
} from '../testing/sample.js';
import { renderAnnotations } from './github.js';

const expected = [pods, services, readPods, recommendedCase];
const bad = (of: typeof pods) => result(of, 'failed', { message: 'expected 200, got 500' });
const lines = (sample: Sample): string[] =>
  renderAnnotations(judgeSample({ expected, ...sample }))
    .split('\n')
    .slice(0, -1);

it.each<readonly [string, Sample, readonly RegExp[]]>([
  ['nothing fails', { results: expected.map((one) => result(one, 'passed')) }, []],
  ['a recommended case fails', { expected: [recommendedCase], results: [bad(recommendedCase)] }, []],
  [
    'a recommended case fails a strict run',
    { expected: [recommendedCase], results: [bad(recommendedCase)], run: { strict: true } },
    [/^::error title=errors\.reason%3A 1 case::/],
  ],
  [
    'cases of two requirements fail',
    { results: [bad(pods), bad(services), bad(readPods), result(recommendedCase, 'passed')] },
    [/^::error title=\S+%3A \d cases?::.*%0A.*200.*500/, /^::error title=\S+%3A \d cases?::/],
  ],
  ['the failure is declared', { expected: [pods], results: [bad(pods)], deviations: [ofRule] }, []],
  [
    'it failed before',
    { expected: [pods], results: [bad(pods)], run: { baseline: { file: 'b', failed: [pods.id] } } },
    [],
  ],
  [
    'something is left',
    { expected: [pods], results: [result(pods, 'passed')], end: { leftovers: ['namespaces/a'] } },
    [/^::error title=run%3A leaves nothing behind::left on the target: namespaces\/a$/],
  ],
])('%s', (_, sample, wanted) => {
  const found = lines(sample);
  expect(found).toHaveLength(wanted.length);
  for (const [index, line] of wanted.entries()) expect(found[index]).toMatch(line);
});

it('has at most ten, and counts the others', () => {
  const many = Array.from({ length: 25 }, (_, index) => sampleCase(requirement(`create.n${index}`), 'server'));
  const found = lines({ expected: many, results: many.map(bad) });
  expect(found).toHaveLength(10);
  expect(found.at(-1)).toBe('::error title=more::16 more problems are in the report');
});

it('lets no text of a server begin a command or a line', () => {
  const message = `100%, a: b\r\n::stop-commands::x\n${allHostile}`;
  const [line, ...others] = lines({ expected: [pods], results: [result(pods, 'failed', { message })] });
  expect(others).toEqual([]);
  expect(line).toMatch(/^::error title=[^:,\r]*::/);
  expect(line).toContain('100%25, a: b');
});
