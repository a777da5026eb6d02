// Repeated fields, by codec: where they are, and that the last one counts.
import { afterAll, describe, expect, it } from 'vitest';
import { type Codec, decodeBytes } from './codec.js';
import { type RepeatedField, RepeatedFields } from './fieldPaths.js';
import { json } from './json.js';
import { createYaml, YamlThread } from './yamlThread.js';

const thread = new YamlThread();
afterAll(() => thread.close());
const yaml = createYaml(thread);

async function read(codec: Codec, text: string): Promise<[value: unknown, repeated: readonly RepeatedField[]]> {
  const duplicates = new RepeatedFields();
  const value = await decodeBytes(codec, Buffer.from(text), undefined, duplicates);
  return [value, duplicates.found];
}

/** A text, its value, the repeated fields in JSON, and the repeated keys in YAML. */
const rows: readonly (readonly [text: string, value: unknown, fields: RepeatedField[], keys: string[]])[] = [
  ['{"a": 1, "b": 2}', { a: 1, b: 2 }, [], []],
  ['{"a": 1, "a": 2, "a": 3}', { a: 3 }, [{ path: 'a', before: 1 }], ['a', 'a']],
  [
    '{"a": {"b": 1, "b": 2}, "c": [0, {"d": 1, "e": 1, "d": {}}]}',
    { a: { b: 2 }, c: [0, { d: {}, e: 1 }] },
    [
      { path: 'a.b', before: 1 },
      { path: 'c[1].d', before: 2 },
    ],
    ['b', 'd'],
  ],
  [
    '{"a": [[], [{"b": 1}, {"b": 1, "b": 2}]]}',
    { a: [[], [{ b: 1 }, { b: 2 }]] },
    [{ path: 'a[1][1].b', before: 1 }],
    ['b'],
  ],
  ['{"x.y": {"": 1, "": 2}}', { 'x.y': { '': 2 } }, [{ path: 'x.y.', before: 1 }], ['']],
];

describe('a repeated field', () => {
  it.each(rows)('of %s', async (text, value, fields, keys) => {
    expect(await read(json, text)).toEqual([value, fields]);
    expect(await read(yaml, text)).toEqual([value, keys.map((key) => ({ key, line: 1 }))]);
  });

  it.each([json, yaml])('of a long text, which is read in turns: $mediaType', async (codec) => {
    const many = Array.from({ length: 5000 }, (_, at) => `"k${at}": "a value"`).join(', ');
    const [value, found] = await read(codec, `{"list": [{}, {${many}, "k7": 1, "z": 2, "z": 3}], "list2": 1}`);
    const names = found.map((field) => ('path' in field ? field.path.replace(/^list\[1\]\./, '') : field.key));
    expect(names).toEqual(['k7', 'z']);
    expect((value as { list: object[] }).list[1]).toMatchObject({ k6: 'a value', k7: 1, z: 3 });
  });

  it.each([json, yaml])('is one of a hundred at most, and its name is cut: $mediaType', async (codec) => {
    const many = Array.from({ length: 200 }, (_, at) => `"k${at}": 1, "k${at}": 2`).join(', ');
    expect((await read(codec, `{${many}}`))[1]).toHaveLength(100);
    const long = 'x'.repeat(9000);
    const [, [field]] = await read(codec, `{"${long}": 1, "${long}": 2}`);
    expect(JSON.stringify(field).length).toBeLessThan(1200);
  });
});

it('a repeated key of YAML has the line of its value, and comes after those in it', async () => {
  const text = `# nothing
a:
  b: 1
  "b": |
    text
a:

  # a comment
  c: 1
  c: {d: 1,
    d: 2}
  c: &x
    d: [1]
d: *x
d:
`;
  expect((await read(yaml, text))[1]).toEqual([
    { key: 'b', line: 4 },
    { key: 'd', line: 11 },
    { key: 'c', line: 10 },
    { key: 'c', line: 13 },
    { key: 'a', line: 9 },
    { key: 'd', line: 15 },
  ]);
});

it('of YAML do not include a key that overrides a merged one', async () => {
  expect(await read(yaml, 'base: &b {a: 1}\nown: {<<: *b, a: 2}')).toEqual([{ base: { a: 1 }, own: { a: 2 } }, []]);
});

it('of YAML are refused for other faults as ever', async () => {
  await expect(read(yaml, 'a: 1\na: 2\n}')).rejects.toMatchObject({ code: 400 });
});
