// Repeated fields, by codec: their paths, and that the last one counts.
import { afterAll, describe, expect, it } from 'vitest';
import { type Codec, decodeBytes } from './codec.js';
import { FieldPaths } from './fieldPaths.js';
import { json } from './json.js';
import { createYaml, YamlThread } from './yamlThread.js';

const thread = new YamlThread();
afterAll(() => thread.close());
const yaml = createYaml(thread);

async function read(codec: Codec, text: string): Promise<[value: unknown, paths: readonly string[]]> {
  const duplicates = new FieldPaths();
  const value = await decodeBytes(codec, Buffer.from(text), undefined, duplicates);
  return [value, duplicates.found];
}

const rows: readonly (readonly [text: string, value: unknown, paths: readonly string[]])[] = [
  ['{"a": 1, "b": 2}', { a: 1, b: 2 }, []],
  ['{"a": 1, "a": 2, "a": 3}', { a: 3 }, ['a']],
  ['{"a": {"b": 1, "b": 2}, "c": [0, {"d": 1, "d": {}}]}', { a: { b: 2 }, c: [0, { d: {} }] }, ['a.b', 'c[1].d']],
  ['{"a": [[], [{"b": 1}, {"b": 1, "b": 2}]]}', { a: [[], [{ b: 1 }, { b: 2 }]] }, ['a[1][1].b']],
  ['{"x.y": {"": 1, "": 2}}', { 'x.y': { '': 2 } }, ['x.y.']],
];

describe.each([['json', json] as const, ['yaml', yaml] as const])('%s', (_name, codec) => {
  it.each(rows)('%s', async (text, value, paths) => {
    expect(await read(codec, text)).toEqual([value, paths]);
  });

  it('of a long text, which is read in turns', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `"k${at}": "a value"`).join(', ');
    const [value, paths] = await read(codec, `{"list": [{}, {${many}, "k7": 1, "z": 2, "z": 3}], "list2": 1}`);
    expect(paths).toEqual(['list[1].k7', 'list[1].z']);
    expect((value as { list: object[] }).list[1]).toMatchObject({ k6: 'a value', k7: 1, z: 3 });
  });

  it('are collected up to a hundred, and their paths are cut', async () => {
    const many = Array.from({ length: 200 }, (_, at) => `"k${at}": 1, "k${at}": 2`).join(', ');
    expect((await read(codec, `{${many}}`))[1]).toHaveLength(100);
    const [, [path]] = await read(codec, `{"${'x'.repeat(9000)}": {"a": 1, "a": 2}}`);
    expect(path?.length).toBeLessThan(1100);
  });
});

it('of YAML do not include a key that overrides a merged one', async () => {
  expect(await read(yaml, 'base: &b {a: 1}\nown: {<<: *b, a: 2}')).toEqual([{ base: { a: 1 }, own: { a: 2 } }, []]);
});

it('of YAML are refused for other faults as ever', async () => {
  await expect(read(yaml, 'a: 1\na: 2\n}')).rejects.toMatchObject({ code: 400 });
});
