import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doAll } from '../turns.js';
import { json } from './json.js';
import { parseLongJson } from './longJson.js';

const long = 'x'.repeat(20_000);
const many = <Item>(count: number, item: (index: number) => Item) => Array.from({ length: count }, (_, at) => item(at));

describe('a long text is read as JSON.parse reads it', () => {
  it.each<[string, unknown]>([
    ['nothing much', { a: [] }],
    ['a text', long],
    ['a list of long texts', [long, long, [], long]],
    ['long lists in short ones', [[1], [many(20_000, (at) => at), []], { a: many(20_000, (at) => [at]) }, 2]],
    ['the first and the last member', { a: many(20_000, () => ({})), b: 1, c: { d: many(20_000, String) } }],
    ['many keys, some of them numbers', Object.fromEntries(many(20_000, (at) => [at % 3 ? `k${at}` : `${at}`, at]))],
    ['escaped keys', { 'a:"\\': { ':': many(9000, (at) => ({ [`"${at}:`]: long.slice(0, 9) })) }, '': [long, long] }],
    ['a long way down', many(450, () => 0).reduce<unknown>((inner, _) => ({ a: [long.slice(0, 100), inner] }), 0)],
  ])('%s', async (_, value) => {
    for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, undefined, 1)}\n`]) {
      const read = doAll(parseLongJson(text));
      expect('value' in read && JSON.stringify(read.value) === JSON.stringify(JSON.parse(text))).toBe(true);
    }
  });

  it('for any text', async () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(0, null, '', long.slice(0, 9000), long),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
      ),
    }));
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), async (drawn, pretty) => {
        const text = JSON.stringify(drawn, undefined, pretty ? 2 : 0);
        if (text.includes('"__proto__"')) return;
        expect(doAll(parseLongJson(text))).toEqual({ value: JSON.parse(text) });
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ['a comma too many', `{"a":[${'0,'.repeat(20_000)}]}`],
  ['a key twice', `{"k":0,${many(9000, (at) => `"k${at % 8999}":1`).join()}}`],
  ['a key that is not allowed', `[${'[],'.repeat(20_000)}{"__proto__":1}]`],
  ['a list without an end', `[${'[],'.repeat(20_000)}`],
  ['too deep a nesting', `[${'[],'.repeat(20_000)}${'['.repeat(1000)}`],
  ['a literal that is none', `[${'[],'.repeat(20_000)}nul]`],
])('a long text that is not JSON is reported with reason and position: %s', async (_, text) => {
  const bytes = Buffer.from(text);
  const message = String(await json.decodeInTurns?.(bytes).catch(({ message }) => message));
  expect(message).toMatch(/^json parse error: .+ \(line 1, column \d+\)$/);
  expect(() => json.decode(bytes)).toThrow(message);
});
