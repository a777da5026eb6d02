// The limit of stored objects: writes that grow an object beyond it are refused, and change nothing.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultMaxObjectSize, jsonBytes } from '../schema/objectSize.js';
import { MemoryStorage } from '../storage/memory.js';
import { type Direct, startDirect } from '../testing/direct.js';
import { keyOf } from '../versions/addresses.js';

const templates = '/api/v1/namespaces/default/podtemplates';
const storage = new MemoryStorage();
let server: Direct;
beforeAll(async () => {
  server = await startDirect(storage);
});
afterAll(() => server.stop());

const template = (name: string, bytes: number) => ({
  metadata: { name },
  template: { spec: { containers: [{ name: 'a', image: 'a', args: ['x'.repeat(bytes)] }] } },
});

/** Patches the command of the container; undefined makes its argument shorter instead. */
const command = (name: string, text: string | undefined) =>
  server.call('PATCH', `${templates}/${name}`, {
    body: [
      text === undefined
        ? { op: 'replace', path: '/template/spec/containers/0/args/0', value: 'x'.repeat(1_900_000) }
        : { op: 'add', path: '/template/spec/containers/0/command', value: [text] },
    ],
    mediaType: 'application/json-patch+json',
  });

it.each([
  ['text', 'x'.repeat(100)],
  ['characters beyond ASCII', 'ü𝄞'.repeat(100)],
  ['numbers and lists', [1, 22, [333, null, true], -0.5]],
  ['objects', { a: { b: 1 }, c: undefined, d: 'e' }],
])('counts about the bytes of %s', (_, value) => {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  expect(jsonBytes(value)).toBeGreaterThanOrEqual(bytes);
  expect(jsonBytes(value)).toBeLessThanOrEqual(bytes + 8);
});

it('counts no further than it must', () => {
  const shared = Array.from({ length: 1000 }, () => 'x'.repeat(1000));
  const most = 10_000;
  const bytes = jsonBytes(
    Array.from({ length: 1_000_000 }, () => shared),
    most,
  );
  expect(bytes).toBeGreaterThan(most);
  expect(bytes).toBeLessThan(2 * most);
});

it('a create beyond the limit is refused', async () => {
  const { status, body } = await server.call('POST', templates, { body: template('large', defaultMaxObjectSize) });
  expect([status, body.reason]).toEqual([413, 'RequestEntityTooLarge']);
  expect(body.message).toBe('the object is too large to be stored: the limit is 1572864 bytes');
  expect((await server.call('GET', `${templates}/large`)).status).toBe(404);
});

it('patches cannot add up to more than the limit', async () => {
  await server.create(templates, template('grows', 1_000_000));
  const before = (await server.call('GET', `${templates}/grows`)).body;
  expect((await command('grows', 'x'.repeat(600_000))).status).toBe(413);
  expect((await server.call('GET', `${templates}/grows`)).body).toEqual(before);
  expect((await command('grows', 'x'.repeat(500_000))).status).toBe(200);
});

it('an object of an earlier limit can become smaller, and be deleted', async () => {
  await server.create(templates, template('old', 1000));
  const { context } = server.cluster.registry.of('core/podtemplates');
  const key = keyOf(context.stored, 'default', 'old');
  const { value } = (await storage.get(key)) ?? expect.fail('it is not stored');
  const { template: large } = template('old', 2_000_000);
  await storage.guaranteedUpdate(key, () => ({ put: { ...value, template: large } }));
  expect((await command('old', 'y')).status).toBe(413);
  expect((await command('old', undefined)).status).toBe(200);
  expect((await server.call('DELETE', `${templates}/old`)).status).toBe(200);
});
