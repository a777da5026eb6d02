// Tests that a list of representations comes in turns, and is the same as the list at once.
import { expect, it } from 'vitest';
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
] as const)('%s', async (_, codec, pretty) => {
  const list = listOf(3);
  const expected = codec.encode({ ...list.envelope, rows: [...list.items()] }, pretty);
  expect(Buffer.concat(list.encode(codec, pretty))).toEqual(expected);
  expect(Buffer.concat(await list.encodeInTurns(codec, pretty))).toEqual(expected);
});

it('a long list lets other work run before it is complete', async () => {
  const order: string[] = [];
  const encoded = listOf(200_000)
    .encodeInTurns(json, false)
    .then(() => order.push('list'));
  setImmediate(() => order.push('other'));
  await encoded;
  expect(order).toEqual(['other', 'list']);
});
