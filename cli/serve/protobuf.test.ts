// Tests the suite's samples in protobuf on the reference server, and their results in both formats.
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { apiVersionOf, operations } from '../../matrix/api/index.js';
import type { RunningServer } from '../../reference-server/index.js';
import { startFullServer } from '../../reference-server/later/index.js';
import { mediaType, sendProtobuf } from '../../reference-server/testing/protobuf.js';
import { sampleOf } from '../../suites/objects/samples/index.js';

const created = operations.filter(({ id, verb }) => verb === 'create' && !id.includes('{name}'));
const cases = operations.flatMap(({ verb, path, resource }) => {
  if (verb !== 'read' || resource === undefined) return [];
  const collection = path.slice(0, path.lastIndexOf('/'));
  return created.some((create) => create.path === collection) ? [{ collection, resource }] : [];
});

/** In protobuf, an empty text or a null is absent. */
const withoutEmpty = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_key, each) => (each === '' || each === null ? undefined : each)));

let server: RunningServer;
beforeAll(async () => {
  server = await startFullServer();
});
afterAll(() => server.close());

it.each(cases)(
  '$collection: created, read, listed, replaced and deleted in protobuf',
  async ({ collection, resource }) => {
    const { fields, fieldsIn, nameSuffix = '' } = sampleOf(resource);
    const path = collection.replace('{namespace}', 'default');
    const name = `proto-${resource.groupVersion.group || 'core'}${nameSuffix}`;
    const head = { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind };
    const sample = { ...head, ...fields, ...fieldsIn?.('default'), metadata: { name } };
    const send = (method: string, place: string, body?: object, accept?: string) =>
      sendProtobuf(server, method, place, body as Readonly<Record<string, unknown>>, accept);

    const made = await send('POST', path, sample);
    expect([made.status, made.type]).toEqual([200, mediaType]);
    const readBoth = async (place: string) => ({
      protobuf: (await send('GET', place)).object,
      json: (await send('GET', place, undefined, 'application/json')).object,
    });
    // A controller may write the status between the two reads, so they are repeated until they agree.
    const equalAt = (place: string) =>
      vi.waitFor(
        async () => {
          const { protobuf, json } = await readBoth(place);
          expect(withoutEmpty(protobuf)).toEqual(withoutEmpty(json));
          return protobuf;
        },
        { timeout: inject('deadline') / 2 },
      );
    const read = await equalAt(`${path}/${name}`);
    await equalAt(path);

    const { resourceVersion: _, ...unversioned } = read.metadata;
    const metadata = { ...unversioned, labels: { in: 'protobuf' } };
    const replaced = await send('PUT', `${path}/${name}`, { ...read, metadata });
    expect([replaced.status, replaced.object.metadata.labels]).toEqual([
      200,
      expect.objectContaining({ in: 'protobuf' }),
    ]);
    const options = { apiVersion: head.apiVersion, kind: 'DeleteOptions', gracePeriodSeconds: 0 };
    const deleted = await send('DELETE', `${path}/${name}`, options);
    expect([deleted.status, deleted.type]).toEqual([200, mediaType]);
  },
);
