// JSON in lines, each with its path.
import { describe, expect, it } from 'vitest';
import { prettyJson } from './pretty.js';

const shown = (source: string): string | undefined =>
  prettyJson(source)
    ?.map(({ text }) => text)
    .join('\n');

describe('JSON on lines', () => {
  it.each([
    ['{"a":1,"b":[1,{"c":null}],"d":{},"e":[]}'],
    ['[]'],
    ['[{"a":"x, y: {z} \\" ]"}]'],
    ['{"a":{"b":{"c":[[1],[2]]}}}'],
  ])('sets %s as JSON.stringify does', (source) => {
    expect(shown(source)).toBe(JSON.stringify(JSON.parse(source), null, 2));
  });

  it('changes no number and keeps duplicate keys', () => {
    expect(shown('{"n":12345678901234567890.10,"n":1e400}')).toBe(
      '{\n  "n": 12345678901234567890.10,\n  "n": 1e400\n}',
    );
  });

  it('formats a truncated body up to its end', () => {
    expect(shown('{"a":{"b":"cut')).toBe('{\n  "a": {\n    "b": "cut');
  });

  it.each(['plain', '', '}{', '[}', '{]', `${'['.repeat(40)}`])('does not change %s', (source) => {
    expect(prettyJson(source)).toBeUndefined();
  });

  it('knows the path of each line', () => {
    const lines = prettyJson('{"spec":{"list":[{"name":"x"},{"name":"y"}],"n":1}}') ?? [];
    expect(Object.fromEntries(lines.map(({ text, path }) => [text.trim(), path]))).toMatchObject({
      '"spec": {': 'spec',
      '"list": [': 'spec.list',
      '"name": "x"': 'spec.list[0].name',
      '"name": "y"': 'spec.list[1].name',
      '"n": 1': 'spec.n',
    });
  });
});
