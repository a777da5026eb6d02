// Evidence is read from files that were cut, repeated, mixed or malformed.
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CaseVerdict } from '../../suites/requirements/index.js';
import { exchange, requirement, result, runFooter, runHeader, sampleCase } from '../testing/sample.js';
import { readEvidence } from './evidence.js';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evidence-'));
});
afterAll(() => rm(directory, { recursive: true }));

let files = 0;
async function write(text: string): Promise<string> {
  files += 1;
  const file = join(directory, `${files}.jsonl`);
  await writeFile(file, text);
  return file;
}
const jsonl = (...lines: readonly unknown[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

const one = sampleCase(requirement('a.one'), 'server');
const two = sampleCase(requirement('a.two'), 'server');

describe('a whole file', () => {
  it('has the header, the end, cases by id, and the exchanges of failures', async () => {
    const file = await write(
      jsonl(
        runHeader(),
        exchange('x1'),
        exchange('x2', { milliseconds: 7 }),
        result(one, 'passed', { exchanges: ['x1'] }),
        result(two, 'failed', { exchanges: ['x2', 'x-unknown'] }),
        runFooter({ leftovers: ['namespaces/a'] }),
      ),
    );
    const evidence = await readEvidence(file);
    expect(evidence.run).toEqual(runHeader());
    expect(evidence.end).toEqual(runFooter({ leftovers: ['namespaces/a'] }));
    expect([...evidence.cases.keys()]).toEqual([one.id, two.id]);
    expect([...evidence.exchanges.values()]).toEqual([exchange('x2', { milliseconds: 7 })]);
    expect(evidence.timings.get(two.id)).toEqual({ start: Date.parse(exchange('x2').at), milliseconds: 7 });
    expect(evidence.notes).toEqual([]);
  });

  it('combines the waits of the workers in a note', async () => {
    const waits = (times: number, milliseconds: number, atOnce: number) => ({
      type: 'waits',
      times,
      milliseconds,
      atOnce,
    });
    const { notes } = await readEvidence(await write(jsonl(runHeader(), waits(1_200, 90_200, 2), waits(3, 4_000, 1))));
    expect(notes).toEqual([
      'the target asked to wait 1,203 times, 90 s in all; the run went down to 1 request at once in a worker',
    ]);
  });

  it('has the exchanges of one passed case of each requirement, of all, or of none, by option', async () => {
    const cases = ['a.one', 'a.one', 'a.two', 'a.two'].map((id, index) =>
      sampleCase(requirement(id), `subject ${index}`),
    );
    const [first, second, third, fourth] = cases as [typeof one, typeof one, typeof one, typeof one];
    const results = [
      result(first, 'passed', { exchanges: ['x1'] }),
      result(second, 'passed', { exchanges: ['x2'] }),
      result(third, 'passed', { exchanges: ['x3'] }),
      result(fourth, 'passed', { exchanges: ['x1'] }),
    ];
    const exchanges = ['x1', 'x2', 'x3'].map((id) => exchange(id));
    const file = await write(jsonl(runHeader(), ...exchanges, ...results, runFooter()));
    const shown = async (...passed: Parameters<typeof readEvidence>): Promise<string[]> => [
      ...(await readEvidence(...passed)).exchanges.keys(),
    ];
    expect(await shown(file)).toEqual([]);
    expect(await shown(file, 'sample')).toEqual(['x1']);
    expect(await shown(file, 'all')).toEqual(['x1', 'x2', 'x3']);
    expect(await shown(file, 'asRun')).toEqual(['x1']);
    const whole = await write(jsonl(runHeader({ evidence: 'all' }), ...exchanges, ...results, runFooter()));
    expect(await shown(whole, 'asRun')).toEqual(['x1', 'x2', 'x3']);
  });

  it('times a case by all of its exchanges, from the first, or as it says itself', async () => {
    const file = await write(
      jsonl(
        runHeader(),
        result(one, 'passed', { exchanges: ['x1', 'x2'] }),
        result(two, 'passed', { timing: { start: 5, milliseconds: 6 } }),
        exchange('x1', { at: '2026-11-21T10:00:05.000Z', milliseconds: 10 }),
        exchange('x2', { at: '2026-11-21T10:00:03.000Z', milliseconds: 20 }),
      ),
    );
    const { timings } = await readEvidence(file);
    const ofOne = { start: Date.parse('2026-11-21T10:00:03.000Z'), milliseconds: 30 };
    expect(timings).toEqual(
      new Map([
        [one.id, ofOne],
        [two.id, { start: 5, milliseconds: 6 }],
      ]),
    );
  });

  it('finds an exchange again behind wide characters and lines longer than a chunk', async () => {
    const long = exchange('x1', { error: '‹é€😀›'.repeat(300_000) });
    const wanted = exchange('x2', { error: 'ünï' });
    const file = await write(
      jsonl(
        runHeader(),
        long,
        wanted,
        result(one, 'failed', { exchanges: ['x2'] }),
        result(two, 'failed', { exchanges: ['x1'] }),
      ),
    );
    const { exchanges } = await readEvidence(file);
    expect(exchanges.get('x2')).toEqual(wanted);
    expect(exchanges.get('x1')).toEqual(long);
  });

  it('is the same if the run that wrote it reads it, without parsing the other exchanges', async () => {
    const [header, ...rest] = [
      runHeader(),
      ...['x1', 'x2', 'x3'].map((id, index) => exchange(id, { milliseconds: 7.25 * index, error: 'ünï' })),
      result(one, 'passed', { exchanges: ['x1', 'x3'] }),
      result(two, 'failed', { exchanges: ['x2'] }),
      runFooter(),
    ];
    const file = await write(jsonl(header, ...rest));
    expect(await readEvidence(file, 'failures', 'thisRun')).toEqual(await readEvidence(file));
    expect(await readEvidence(file, 'all', 'thisRun')).toEqual(await readEvidence(file, 'all'));
    const unneeded = JSON.stringify(exchange('x4')).replace('["accept","application/json"]', '["a"]');
    const { cases } = await readEvidence(
      await write(`${jsonl(header)}${unneeded}\n${jsonl(...rest)}`),
      'failures',
      'thisRun',
    );
    expect(cases.size).toBe(2);
  });

  it('is empty without a header', async () => {
    const evidence = await readEvidence(await write(''));
    expect(evidence.run).toBeUndefined();
    expect(evidence.cases.size).toBe(0);
  });
});

describe('a verdict only worsens', () => {
  const order: readonly CaseVerdict[] = ['passed', 'not-supported', 'skipped', 'blocked', 'failed'];
  const pairs = order.flatMap((first, i) => order.map((second, j) => [first, second, order[Math.max(i, j)]] as const));
  it.each(pairs)('%s, then %s: %s', async (first, second, expected) => {
    const file = await write(
      jsonl(runHeader(), result(one, first, { message: first }), result(one, second, { message: second })),
    );
    const { cases } = await readEvidence(file);
    expect(cases.get(one.id)).toMatchObject({ verdict: expected, message: expected });
  });
});

describe('several files', () => {
  it('make one run: the later end, all leftovers, and the reason of the stop', async () => {
    const first = await write(
      jsonl(
        runHeader(),
        result(one, 'failed', { exchanges: ['x1'] }),
        runFooter({ leftovers: ['a'], endedAt: '2026-11-21T10:00:09Z' }),
      ),
    );
    const second = await write(
      jsonl(
        runHeader(),
        exchange('x1'),
        result(one, 'passed'),
        result(two, 'passed'),
        runFooter({ leftovers: ['a', 'b'], endedAt: '2026-11-21T10:00:05Z', aborted: 'gone' }),
      ),
    );
    const evidence = await readEvidence([first, second]);
    expect(evidence.end).toEqual(
      runFooter({ leftovers: ['a', 'b'], endedAt: '2026-11-21T10:00:09Z', aborted: 'gone' }),
    );
    expect([...evidence.cases.values()].map(({ verdict }) => verdict)).toEqual(['failed', 'passed']);
    expect([...evidence.exchanges.keys()]).toEqual(['x1']);
  });

  it('of two runs are refused', async () => {
    const first = await write(jsonl(runHeader()));
    const second = await write(jsonl(runHeader({ runId: 'r2' })));
    await expect(readEvidence([first, second])).rejects.toThrow(`${second}:1: run r2 among the evidence of run r1`);
  });

  it('notes an exchange id that occurs twice', async () => {
    const file = await write(jsonl(runHeader(), exchange('x1'), exchange('x1')));
    expect((await readEvidence(file)).notes).toEqual([expect.stringContaining('x1')]);
  });
});

describe('a damaged file', () => {
  it('that ends in the middle of a line is read up to that line, with a note', async () => {
    const file = await write(`${jsonl(runHeader(), result(one, 'passed'))}{"type":"case","id":"a.t`);
    const { cases, notes } = await readEvidence(file);
    expect([...cases.keys()]).toEqual([one.id]);
    expect(notes).toEqual([expect.stringContaining(`${file}:3: the last line is cut off`)]);
  });

  it('accepts a last line without a newline', async () => {
    const file = await write(jsonl(runHeader(), result(one, 'passed')).trimEnd());
    const { cases, notes } = await readEvidence(file);
    expect([...cases.keys()]).toEqual([one.id]);
    expect(notes).toEqual([]);
  });

  const good = result(one, 'passed');
  const bad: readonly (readonly [string, string])[] = [
    ['half a line', '{"type":"case"'],
    ['not an object', '[]'],
    ['null', 'null'],
    ['an unknown type', '{"type":"__proto__"}'],
    ['no type', '{}'],
    ['a case without an id', JSON.stringify({ ...good, id: undefined })],
    ['a case with an unknown verdict', JSON.stringify({ ...good, verdict: 'toString' })],
    ['a case whose exchanges are not a list', JSON.stringify({ ...good, exchanges: 'x1' })],
    ['an exchange without a request', JSON.stringify({ ...exchange('x'), request: undefined })],
    ['an exchange with half a header', JSON.stringify(exchange('x')).replace('["accept","application/json"]', '["a"]')],
    ['a header without a target', JSON.stringify({ ...runHeader(), target: {} })],
    ['an end without leftovers', JSON.stringify({ ...runFooter(), leftovers: undefined })],
  ];
  it.each(bad)('is refused with file and line: %s', async (_, line) => {
    const file = await write(`${jsonl(runHeader())}${line}\n${jsonl(good)}`);
    await expect(readEvidence(file)).rejects.toThrow(`${file}:2: not a line of evidence: `);
    const last = await write(`${jsonl(runHeader())}${line}\n`);
    await expect(readEvidence(last)).rejects.toThrow(`${last}:2: `);
  });

  it('of any length is refused', async () => {
    const file = await write(jsonl(runHeader()));
    await truncate(file, 5 * 2 ** 30);
    await expect(readEvidence(file)).rejects.toThrow(`${file}:2: not a line of evidence: it is too long`);
  });
});
