// Conversion by a webhook: each way to read and write an object in another version than the stored one. `AGAINST` asks a
// real server (testing/customResources.ts).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { watched } from '../../testing/watched.js';
import { startFullServer } from '../index.js';
import {
  DefinitionClient,
  definition,
  definitions,
  mergePatch,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';
import { type Respond, WebhookServer } from '../testing/webhookServer.js';

const run = String(Date.now() % 1_000_000);
let server: RunningServer;
let client: DefinitionClient;
let webhook: WebhookServer;

beforeAll(async () => {
  webhook = await WebhookServer.start();
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
});
beforeEach(() => void webhook.asked.splice(0));
afterAll(async () => {
  for (const name of made) await client.send('DELETE', `${definitions}/${name}`);
  await server.close();
  await webhook.close();
});

const made: string[] = [];

/** In v1, a thing has a size; in v2, an amount of something. */
const schemas = {
  v1: { spec: { type: 'object', properties: { size: { type: 'integer', maximum: 9 } } } },
  v2: {
    spec: {
      type: 'object',
      properties: {
        amount: {
          type: 'object',
          properties: { of: { type: 'string', default: 'pieces' }, value: { type: 'integer' } },
        },
      },
    },
  },
};

/** Converts a thing as its webhook does. */
function converted(object: AnyShape, apiVersion: string): AnyShape {
  const { spec, ...others } = object;
  const size = spec?.size ?? spec?.amount?.value;
  const fields =
    size === undefined ? {} : apiVersion.endsWith('v1') ? { size } : { amount: { value: size, of: 'pieces' } };
  return { ...others, apiVersion, spec: fields };
}

const answer = ({ objects, desiredAPIVersion }: AnyShape): AnyShape => ({
  result: { status: 'Success' },
  convertedObjects: objects.map((object: AnyShape) => converted(object, desiredAPIVersion)),
});

interface Things {
  readonly at: string;
  path(version: string, name?: string): string;
  thing(version: string, name: string, spec: object, metadata?: object): AnyShape;
}

async function define(
  name: string,
  respond: Respond = answer,
  reviewVersions = ['v1'],
  stored = 'v2',
): Promise<Things> {
  const plural = `${name}${run}`;
  const kind = `K${name}${run}`;
  const clientConfig = webhook.on(`/${name}`, respond);
  const versions = Object.entries(schemas).map(([of, schema]) =>
    version(of, schema, { storage: of === stored, subresources: { status: {} } }),
  );
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: reviewVersions } };
  const body = definition(plural, kind, versions, { conversion });
  made.push(body.metadata.name);
  await client.define(body);
  const path = (of: string, named?: string) =>
    `/apis/example.com/${of}/namespaces/default/${plural}${named ? `/${named}` : ''}`;
  for (const of of ['v1', 'v2']) await client.untilStatus(200, path(of));
  const thing = (of: string, named: string, spec: object, metadata: object = {}) => ({
    apiVersion: `example.com/${of}`,
    kind,
    metadata: { name: named, ...metadata },
    spec,
  });
  return { at: `${definitions}/${plural}.example.com`, path, thing };
}

const desired = (): readonly string[] => webhook.asked.map(({ review }) => review.request.desiredAPIVersion);

describe('a webhook converts', () => {
  it('what is created and read in the other version', async () => {
    const { path, thing } = await define('created');
    const sent = thing('v1', 'a', { size: 3 }, { labels: { a: 'b' } });
    const created = await client.send('POST', path('v1'), sent);
    expect([created.status, created.body.apiVersion, created.body.spec]).toEqual([201, 'example.com/v1', { size: 3 }]);
    const { body: read } = await client.send('GET', path('v2', 'a'));
    expect([read.apiVersion, read.spec]).toEqual(['example.com/v2', { amount: { value: 3, of: 'pieces' } }]);
    const { body: same } = await client.send('GET', path('v1', 'a'));
    expect([same.spec, same.metadata.uid, same.metadata.labels]).toEqual([{ size: 3 }, read.metadata.uid, { a: 'b' }]);
    const [first, ...others] = desired();
    expect([first, new Set(others)]).toEqual(['example.com/v2', new Set(['example.com/v1'])]);
    const [{ review }] = webhook.asked as unknown as readonly [{ review: AnyShape }];
    expect([review.apiVersion, review.kind]).toEqual(['apiextensions.k8s.io/v1', 'ConversionReview']);
  });

  it('what owners of other versions have', async () => {
    const { path, thing } = await define('owned');
    const as = (manager: string) => `?fieldManager=${manager}`;
    await client.send('POST', path('v1') + as('one'), thing('v1', 'a', { size: 1 }));
    const ownersOf = ({ body }: { readonly body: AnyShape }) =>
      Object.fromEntries(
        body.metadata.managedFields.map(({ manager, fieldsV1 }: AnyShape) => [manager, fieldsV1['f:spec']]),
      );
    const ofValue = { 'f:amount': { 'f:value': {} } };
    const change = { spec: { amount: { value: 2 } } };
    const patched = await client.send('PATCH', path('v2', 'a') + as('two'), change, { 'content-type': mergePatch });
    expect(ownersOf(patched)).toEqual({ one: {}, two: ofValue });
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const applied = await client.send('PATCH', path('v1', 'a') + as('three'), thing('v1', 'a', { size: 3 }), apply);
    expect([applied.status, applied.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "two" using example.com/v2: .spec.amount.value',
    ]);
    const force = `${path('v1', 'a')}${as('three')}&force=true`;
    const forced = await client.send('PATCH', force, thing('v1', 'a', { size: 3 }), apply);
    expect(ownersOf(forced)).toEqual({ one: {}, three: { 'f:size': {} } });
    // What it no longer applies goes, also in another version.
    const pruned = await client.send('PATCH', `${path('v2', 'a')}${as('three')}`, thing('v2', 'a', {}), apply);
    expect([pruned.body.spec, ownersOf(pruned)]).toEqual([{}, { one: {}, three: {} }]);
  });

  it('what owners of other versions have, which an apply needs and another write does not', async () => {
    const { path, thing } = await define('unowned', ({ objects, desiredAPIVersion }) =>
      desiredAPIVersion.endsWith('v1') &&
      objects.some(({ metadata }: AnyShape) => metadata.annotations?.broken === 'yes')
        ? { result: { status: 'Failure', message: 'broken' } }
        : answer({ objects, desiredAPIVersion }),
    );
    await client.send('POST', `${path('v1')}?fieldManager=one`, thing('v1', 'a', { size: 1 }));
    const config = thing('v2', 'a', { amount: { value: 2 } }, { annotations: { broken: 'yes' } });
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const applied = await client.send('PATCH', `${path('v2', 'a')}?fieldManager=two&force=true`, config, apply);
    expect([applied.status, applied.body.message]).toEqual([500, expect.stringContaining('broken')]);
    const patched = await client.send('PATCH', path('v2', 'a'), config, { 'content-type': mergePatch });
    expect([patched.status, patched.body.spec.amount.value]).toEqual([200, 2]);
    expect(patched.body.metadata.managedFields).toBeUndefined();
  });

  it('updates, patches and applies', async () => {
    const { path, thing } = await define('updated');
    const { body } = await client.send('POST', path('v2'), thing('v2', 'a', { amount: { value: 1 } }));
    const put = await client.send(
      'PUT',
      path('v1', 'a'),
      thing('v1', 'a', { size: 4 }, { resourceVersion: body.metadata.resourceVersion }),
    );
    expect([put.status, put.body.spec, put.body.metadata.generation]).toEqual([200, { size: 4 }, 2]);
    const patched = await client.send('PATCH', path('v1', 'a'), { spec: { size: 5 } }, { 'content-type': mergePatch });
    expect([patched.status, patched.body.spec]).toEqual([200, { size: 5 }]);
    const apply = { 'content-type': 'application/apply-patch+yaml' };
    const applied = await client.send(
      'PATCH',
      `${path('v1', 'a')}?fieldManager=m&force=true`,
      thing('v1', 'a', { size: 6 }),
      apply,
    );
    expect([applied.status, applied.body.spec]).toEqual([200, { size: 6 }]);
    const { body: stored } = await client.send('GET', path('v2', 'a'));
    expect(stored.spec).toEqual({ amount: { value: 6, of: 'pieces' } });
    expect((await client.send('DELETE', path('v1', 'a'))).status).toBe(200);
  });

  it('lists, of which only those that differ are asked about', async () => {
    const { path, thing } = await define('listed');
    for (const name of ['a', 'b', 'c'])
      await client.send('POST', path('v2'), thing('v2', name, { amount: { value: 2 } }));
    webhook.asked.splice(0);
    const { body } = await client.send('GET', `${path('v1')}?limit=2`);
    expect([body.apiVersion, body.items.map(({ spec }: AnyShape) => spec)]).toEqual([
      'example.com/v1',
      [{ size: 2 }, { size: 2 }],
    ]);
    await client.send('GET', path('v2'));
    expect(desired().every((version) => version === 'example.com/v1')).toBe(true);
  });

  it('the objects of watches', async () => {
    const { path, thing } = await define('watched');
    await client.send('POST', path('v2'), thing('v2', 'a', { amount: { value: 1 } }));
    const events = await watched(server, `${path('v1')}?watch=1`, async (seen) => {
      await seen(1);
      await client.send('POST', path('v1'), thing('v1', 'b', { size: 2 }));
      await client.send('PATCH', path('v2', 'a'), { spec: { amount: { value: 7 } } }, { 'content-type': mergePatch });
      await client.send('DELETE', path('v2', 'a'));
      await seen(4);
    });
    expect(events.map(({ type, object }) => [type, object.apiVersion, object.metadata.name, object.spec])).toEqual([
      ['ADDED', 'example.com/v1', 'a', { size: 1 }],
      ['ADDED', 'example.com/v1', 'b', { size: 2 }],
      ['MODIFIED', 'example.com/v1', 'a', { size: 7 }],
      ['DELETED', 'example.com/v1', 'a', { size: 7 }],
    ]);
  });

  it('after validation in the version of the request', async () => {
    const { path, thing } = await define('validated');
    const { status, body } = await client.send('POST', path('v1'), thing('v1', 'a', { size: 10 }));
    expect([status, body.message]).toEqual([422, expect.stringContaining('spec.size: Invalid value: 10')]);
    expect(webhook.asked).toEqual([]);
  });

  it('with reviews of v1beta1', async () => {
    const { path, thing } = await define('earlier', answer, ['v2', 'v1beta1', 'v1']);
    const { body } = await client.send('POST', path('v1'), thing('v1', 'a', { size: 3 }));
    expect([body.spec, webhook.asked[0]?.review.apiVersion]).toEqual([{ size: 3 }, 'apiextensions.k8s.io/v1beta1']);
  });

  it('what was stored before the storage version changed, until it is stored again', async () => {
    const { path, thing, at } = await define('moved', answer, ['v1'], 'v1');
    await client.send('POST', path('v1'), thing('v1', 'a', { size: 3 }));
    const { body: before } = await client.send('GET', at);
    const versions = before.spec.versions.map((of: AnyShape) => ({ ...of, storage: of.name === 'v2' }));
    await client.send('PUT', at, { ...before, spec: { ...before.spec, versions } });
    const { body } = await client.send('GET', at);
    expect(body.status.storedVersions).toEqual(['v1', 'v2']);
    const read = async () => (await client.send('GET', path('v2', 'a'))).body;
    await expect.poll(async () => (await read()).spec).toEqual({ amount: { value: 3, of: 'pieces' } });
    const old = await read();
    const again = await client.send('PUT', path('v2', 'a'), old);
    expect(again.body.metadata.resourceVersion).not.toBe(old.metadata.resourceVersion);
    webhook.asked.splice(0);
    const { metadata: _metadata, ...status } = { ...body, status: { ...body.status, storedVersions: ['v2'] } };
    const done = await client.send('PUT', `${at}/status`, { ...status, metadata: body.metadata });
    expect([done.status, done.body.status.storedVersions]).toEqual([200, ['v2']]);
    expect((await read()).spec).toEqual({ amount: { value: 3, of: 'pieces' } });
  });
});

/** What a webhook answers, and what the server says of it. */
const failures: Readonly<Record<string, readonly [respond: Respond, message: string | RegExp]>> = {
  failed: [() => ({ result: { status: 'Failure', message: 'no such size' } }), 'failed: no such size'],
  wordless: [() => ({ result: { status: 'Failure' } }), `failed: response.result.status was 'Failure', not 'Success'`],
  unidentified: [(request) => ({ ...answer(request), uid: 'x' }), /failed: expected response.uid="[^"]+", got "x"/],
  unanswered: [
    (_, { apiVersion, kind }) => ({ answer: { body: { apiVersion, kind } } }),
    'failed: no response provided',
  ],
  short: [() => ({ result: { status: 'Success' }, convertedObjects: [] }), 'returned 0 objects, expected 1'],
  renamed: [
    changing((object) => ({ metadata: { ...object.metadata, name: 'x' } })),
    /returned invalid .*must have the same name: a != x/,
  ],
  reborn: [
    changing((object) => ({ metadata: { ...object.metadata, uid: 'x' } })),
    /returned invalid .*must have the same UID: [-0-9a-f]+ != x/,
  ],
  retyped: [changing(() => ({ kind: 'X' })), /returned invalid .*invalid kind \(expected K\w+, received X\)/],
  unchanged: [
    changing(() => ({ apiVersion: 'example.com/v2' })),
    /returned invalid .*invalid groupVersion \(expected example.com\/v1, received example.com\/v2\)/,
  ],
  bare: [changing(() => ({ metadata: undefined })), /returned invalid/],
  labelled: [
    changing((object) => ({ metadata: { ...object.metadata, labels: { 'a b': 'c' } } })),
    /returned invalid metadata/,
  ],
  broken: [() => ({ answer: { status: 500, body: 'no' } }), 'failed: an error on the server'],
  reset: [() => ({ answer: 'reset' }), 'EOF'],
};

function changing(change: (object: AnyShape) => AnyShape): Respond {
  return (request) => {
    const { convertedObjects, ...others } = answer(request);
    return {
      ...others,
      convertedObjects: convertedObjects.map((object: AnyShape) => ({ ...object, ...change(object) })),
    };
  };
}

describe('a conversion fails that', () => {
  it.each(Object.entries(failures))('is %s', async (name, [respond, message]) => {
    const { path, thing } = await define(name, respond);
    await client.send('POST', path('v2'), thing('v2', 'a', { amount: { value: 1 } }));
    const { status, body } = await client.send('GET', path('v1', 'a'));
    expect([status, body.code, body.reason]).toEqual([500, 500, undefined]);
    expect(body.message).toMatch(/^conversion webhook for example.com\/v2, Kind=K/);
    if (typeof message === 'string') expect(body.message).toContain(message);
    else expect(body.message).toMatch(message);
    expect((await client.send('DELETE', path('v2', 'a'))).status).toBe(200);
  });

  it('changes labels and annotations only', async () => {
    const metadata = (object: AnyShape) => ({
      metadata: { ...object.metadata, labels: { by: 'webhook' }, finalizers: ['example.com/x'], generation: 9 },
    });
    const { path, thing } = await define('kept', changing(metadata));
    await client.send('POST', path('v2'), thing('v2', 'a', { amount: { value: 1 } }, { labels: { by: 'client' } }));
    const { body } = await client.send('GET', path('v1', 'a'));
    const { labels, finalizers, generation } = body.metadata;
    expect([labels, finalizers, generation]).toEqual([{ by: 'webhook' }, undefined, 1]);
  });
});

describe('a definition is refused', () => {
  const versions = Object.entries(schemas).map(([of, schema]) => version(of, schema, { storage: of === 'v1' }));
  const conversionReviewVersions = ['v1'];
  const clientConfig = { url: 'https://hooks.example.com/x' };

  it.each<readonly [AnyShape, ...string[]]>([
    [
      { strategy: 'Webhook' },
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
      'spec.conversion.conversionReviewVersions: Required value',
    ],
    [
      { strategy: 'Webhook', webhook: { clientConfig: {}, conversionReviewVersions } },
      'spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required',
    ],
    [
      { strategy: 'Webhook', webhook: { clientConfig: { url: 'http://a' }, conversionReviewVersions } },
      `spec.conversion.webhookClientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme`,
    ],
    [
      { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v2'] } },
      'must include at least one of v1, v1beta1',
    ],
    [
      { strategy: 'None', webhook: { clientConfig, conversionReviewVersions } },
      'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
    ],
  ])('%j', async (conversion, ...messages) => {
    const { status, body } = await client.send(
      'POST',
      `${definitions}?dryRun=All`,
      definition('foos', 'Foo', versions, { conversion }),
    );
    expect(status).toBe(422);
    for (const message of messages) expect(body.message).toContain(message);
  });
});

it.skipIf(process.env.AGAINST !== undefined)(
  'a definition installs before its webhook answers, and loopback is not called unasked',
  async () => {
    await using plain = await startFullServer();
    const there = new DefinitionClient(plain);
    const versions = Object.entries(schemas).map(([of, schema]) => version(of, schema, { storage: of === 'v1' }));
    const webhookThere = { clientConfig: webhook.on('/none', answer), conversionReviewVersions: ['v1'] };
    await there.define(
      definition('foos', 'Foo', versions, { conversion: { strategy: 'Webhook', webhook: webhookThere } }),
    );
    const foos = (of: string) => `/apis/example.com/${of}/namespaces/default/foos`;
    const foo = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'a' }, spec: { size: 1 } };
    expect((await there.send('POST', foos('v1'), foo)).status).toBe(201);
    const { status, body } = await there.send('GET', `${foos('v2')}/a`);
    expect([status, body.message]).toEqual([500, expect.stringContaining('failed: Post "')]);
    expect(body.message).toContain('address not allowed');
    expect(webhook.asked).toEqual([]);
  },
);
