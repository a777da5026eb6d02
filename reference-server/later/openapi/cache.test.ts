// What is kept of the documents: those that a change of the server leaves as they are, within a number of bytes.
import { expect, it } from 'vitest';
import { operations, type Resource } from '../../../matrix/api/index.js';
import { expandOperations } from '../../../matrix/api/operations.js';
import { createCodecs } from '../../codecs/index.js';
import { nothingDisabled } from '../../features/features.js';
import { GroupVersions, versionsOf } from '../customresources/rows.js';
import { DocumentCache } from './cache.js';
import { documentSource, setSchema } from './source.js';

const codecs = createCodecs('kubernetes');
const groupVersions = new GroupVersions();

/** Makes the resource of a definition with one field. */
function made(name: string, type: string): Resource {
  const names = { plural: `${name}s`, singular: name, kind: name.toUpperCase(), listKind: `${name.toUpperCase()}List` };
  const schema = { openAPIV3Schema: { type: 'object', properties: { a: { type } } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema }];
  const group = `${name}.example.com`;
  const [version] = versionsOf({ group, scope: 'Namespaced', names, versions }, names, groupVersions.of);
  if (version === undefined) throw new Error('no version');
  setSchema(version.resource, version.schema);
  return version.resource;
}

const sourceOf = (...resources: readonly Resource[]) =>
  documentSource({
    operations: [...operations, ...expandOperations(resources)],
    codecs,
    lacks: nothingDisabled,
    kubeVersion: '1.36',
  });
const indexOf = async (cache: DocumentCache): Promise<Readonly<Record<string, object>>> =>
  JSON.parse(Buffer.from((await cache.index('')).bytes('json')).toString()).paths;

it('a change of a definition makes only its documents again', async () => {
  const stays = made('b', 'string');
  const first = new DocumentCache(sourceOf(made('a', 'string'), stays));
  const before = await indexOf(first);
  const source = sourceOf(made('a', 'integer'), stays, made('c', 'string'));
  const second = new DocumentCache(source);
  second.takeOver(first);
  for (const path of ['api/v1', 'apis/batch/v1', 'apis/b.example.com/v1'])
    expect(await second.v3(path)).toBe(await first.v3(path));
  const after = await indexOf(second);
  expect(after).toEqual(await indexOf(new DocumentCache(source)));
  expect(Object.keys(after).filter((path) => JSON.stringify(after[path]) !== JSON.stringify(before[path]))).toEqual([
    'apis/a.example.com/v1',
    'apis/c.example.com',
    'apis/c.example.com/v1',
  ]);
});

it('documents that few ask for are made again, and are the same', async () => {
  const cache = new DocumentCache(sourceOf(), 1);
  const [one, other] = ['api/v1', 'apis/batch/v1'];
  const document = await cache.v3(one);
  expect(await cache.v3(one)).toBe(document);
  const index = await indexOf(cache);
  await cache.v3(other);
  expect(await cache.v3(one)).not.toBe(document);
  expect((await cache.v3(one))?.hash).toBe(document?.hash);
  expect(await indexOf(cache)).toEqual(index);
});
