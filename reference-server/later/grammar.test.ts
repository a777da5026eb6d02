// Tests the server with drawn definitions and objects: each request is answered, none with an error of the server, and what
// is stored survives a restart. Nearly all definitions are accepted; those with a flaw are refused, with its cause.
// `GRAMMAR_RUNS` sets the number of definitions, and `SEED` which ones are drawn.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { storageOf } from '../storages/index.js';
import type { AnyShape } from '../testing/anyShape.js';
import { startFullServer } from './index.js';
import { type Answered, DefinitionClient, definition, definitions, mergePatch } from './testing/customResources.js';
import { flawed, flaws } from './testing/schemaFlaws.js';
import { drawValue, drawVersion } from './testing/schemaGrammar.js';

const numRuns = Number(process.env.GRAMMAR_RUNS ?? 30);
const { seed } = fc.readConfigureGlobal();
const folder = mkdtempSync(join(tmpdir(), 'grammar-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = () => startFullServer(storageOf({ dataDir: join(folder, 'data') }));
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const partial = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };

/** The bytes of a response for each byte of a request and of what is stored: defaults add a whole object at most. */
const mostLength = 2 * 1024 * 1024;

/** Real servers answer 500 to an apply of a value of another type, and to a scale whose replicas are not there. */
const asRealServers =
  /"message":"(failed to create typed patch object|Internal error occurred: the spec replicas field)/;

/** Sends a request, which the server must answer, and not with an error of its own. */
async function ask(client: DefinitionClient, ...request: Parameters<DefinitionClient['send']>): Promise<Answered> {
  const answer = await client.send(...request);
  const [method, path, body] = request;
  const what = `${method} ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (!asRealServers.test(answer.text)) expect(answer.status, what).toBeLessThan(500);
  expect(answer.text.length, what).toBeLessThan(mostLength);
  return answer;
}

/** How many definitions in a hundred have a flaw. */
const flawedShare = 15;

interface Drawn {
  readonly flaw: string | undefined;
  readonly made: AnyShape;
  readonly objects: readonly AnyShape[];
  readonly patch: AnyShape;
  readonly later: AnyShape;
}

const drawn: fc.Arbitrary<Drawn> = fc.gen().map((draw) => {
  const version = drawVersion(draw);
  const content = () => drawValue(draw, version.schema.openAPIV3Schema, 5) as AnyShape;
  const flaw = draw(fc.constantFrom, ...flaws);
  const isFlawed = draw(fc.nat, { max: 99 }) < flawedShare;
  return {
    flaw: isFlawed ? flaw : undefined,
    made: version,
    objects: [content(), content(), content()],
    patch: content(),
    later: drawVersion(draw),
  };
});

/** Sends a definition with a flaw. */
async function refused(client: DefinitionClient, plural: string, made: AnyShape, flaw: string): Promise<void> {
  const { version, cause } = flawed(made, flaw);
  const { status, body } = await ask(client, 'POST', definitions, definition(plural, `K${plural}`, [version]));
  const causes = (body.details?.causes ?? []).map(({ field, message }: AnyShape) => `${field}: ${message}`);
  expect([status, causes], flaw).toEqual([422, expect.arrayContaining([expect.stringMatching(cause)])]);
}

/** Sends everything that can be sent about a definition and its objects. */
async function exchange(client: DefinitionClient, plural: string, { made, objects, patch, later }: Drawn) {
  const body = definition(plural, `K${plural}`, [made]);
  const created = await ask(client, 'POST', definitions, body);
  expect([created.status, created.body.message, JSON.stringify(made)]).toEqual([201, undefined, JSON.stringify(made)]);
  await client.until(body, 'Established');
  const collection = `/apis/example.com/v1/namespaces/default/${plural}`;
  await client.untilStatus(200, collection);
  const object = (name: string, content: AnyShape) => {
    const fields =
      typeof content === 'object' && content !== null && !Array.isArray(content) ? content : { spec: content };
    return { ...fields, apiVersion: 'example.com/v1', kind: `K${plural}`, metadata: { name } };
  };
  for (const [index, content] of objects.entries()) await ask(client, 'POST', collection, object(`o${index}`, content));
  const apply = { 'content-type': 'application/apply-patch+yaml' };
  await ask(client, 'PATCH', `${collection}/o0`, object('o0', patch), { 'content-type': mergePatch });
  for (const name of ['o1', 'o9']) {
    await ask(client, 'PATCH', `${collection}/${name}?fieldManager=f&force=true`, object(name, patch), apply);
  }
  await ask(client, 'PUT', `${collection}/o2/status`, object('o2', patch));
  await ask(client, 'PUT', `${collection}/o2/scale`, { metadata: { name: 'o2' }, spec: { replicas: 2 } });
  await ask(client, 'GET', `${collection}/o2/scale`);
  for (const headers of [table, partial, { accept: 'application/yaml' }])
    await ask(client, 'GET', collection, undefined, headers);
  await ask(client, 'GET', `${collection}?fieldSelector=spec.a%3D1`);
  await ask(
    client,
    'PATCH',
    `${definitions}/${plural}.example.com`,
    { spec: { versions: [later] } },
    { 'content-type': mergePatch },
  );
  for (const headers of [table, {}]) await ask(client, 'GET', collection, undefined, headers);
}

const contentsOf = async (client: DefinitionClient, plurals: readonly string[]) =>
  Promise.all(
    plurals.map(async (plural) => {
      const { status, body } = await ask(client, 'GET', `/apis/example.com/v1/namespaces/default/${plural}`);
      return [plural, status, body.items];
    }),
  );

test('a definition with any flaw is refused', async () => {
  await using server = await startFullServer();
  const client = new DefinitionClient(server);
  const made = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
  for (const flaw of flaws) await refused(client, 'fs', made, flaw);
});

test(`${numRuns} drawn definitions and their objects (SEED=${seed})`, async () => {
  const accepted: string[] = [];
  let before: unknown;
  {
    await using server = await start();
    const client = new DefinitionClient(server);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(drawn, async (of) => {
        count += 1;
        const plural = `g${count}s`;
        if (of.flaw !== undefined) return refused(client, plural, of.made, of.flaw);
        await exchange(client, plural, of);
        accepted.push(plural);
      }),
      { numRuns, endOnFailure: true },
    );
    if (accepted.length > 0) await client.untilStatus(200, '/openapi/v3/apis/example.com/v1');
    before = await contentsOf(client, accepted);
  }
  await using restarted = await start();
  expect(await contentsOf(new DefinitionClient(restarted), accepted)).toEqual(before);
  process.stdout.write(
    `grammar: seed ${seed}, ${accepted.length} of ${numRuns} definitions accepted, the others refused\n`,
  );
});
