// Tests that a list of representations is the same as the list at once.
import { expect, it } from 'vitest';
import { joined } from '../../codecs/codec.js';
import { json } from '../../codecs/json.js';
import { yaml } from '../../codecs/yaml.js';
import { MadeListBody } from './listBody.js';

const listOf = (count: number) =>
  new MadeListBody({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' }, 'rows', '', function* () {
    for (let index = 0; index < count; index += 1) yield { cells: [`name-${index}`, index], object: null };
  });

it.each([
  ['JSON', json, false],
  ['pretty JSON', json, true],
  ['YAML', yaml, false],
] as const)('%s', (_, codec, pretty) => {
  const list = listOf(3);
  const expected = codec.encode({ ...list.envelope, rows: [...list.items()] }, pretty);
  expect(joined(list.encode(codec, pretty))).toEqual(expected);
});

it.each([
  ['JSON', json, false],
  ['pretty JSON', json, true],
  ['YAML', yaml, false],
] as const)('%s is made as far as it is read', (_, codec, pretty) => {
  let made = 0;
  const list = new MadeListBody({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' }, 'rows', '', function* () {
    for (; made < 1000; made += 1) yield { cells: [made] };
  });
  const parts = list.encode(codec, pretty)[Symbol.iterator]();
  for (let count = 0; count < 10; count += 1) parts.next();
  expect(made).toBeLessThanOrEqual(10);
});
