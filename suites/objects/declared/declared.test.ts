// A response against what a target declares: the violations, and the right servers that must not be wronged.
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../client/json.js';
import { Reply } from '../../client/reply.js';
import { findingsOf } from './judge.js';
import { type DeclaredOperation, DeclaredOperations, definedOperation, successTypes } from './operations.js';
import { templateOf } from './template.js';
import { Validators } from './validators.js';

const widget = {
  type: 'object',
  required: ['spec'],
  properties: {
    metadata: { $ref: '#/components/schemas/Meta' },
    spec: {
      type: 'object',
      required: ['size', 'tags'],
      properties: {
        size: { type: 'integer', minimum: 0, exclusiveMinimum: true },
        tags: { type: 'array', items: { type: 'string' } },
        color: { type: 'string', enum: ['red', 'green'] },
        port: { 'x-kubernetes-int-or-string': true },
        amount: { oneOf: [{ type: 'string' }, { type: 'number' }] },
        secret: { type: 'string', format: 'byte' },
        open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        next: { $ref: '#/components/schemas/Widget' },
        one: { type: 'object', not: { required: ['a', 'b'] } },
      },
    },
  },
} as const;
const json = (schema: JsonObject) => ({ content: { 'application/json': { schema }, 'application/yaml': { schema } } });
const own = { $ref: '#/components/schemas/Widget' };
const objects = { 200: { ...json(own) }, 201: { ...json(own) }, 401: { description: 'Unauthorized' } };
const collection = '/apis/example.com/v1/namespaces/{ns}/widgets';
const document = {
  components: {
    schemas: {
      Meta: { type: 'object', properties: { creationTimestamp: { type: 'string', format: 'date-time' } } },
      Widget: widget,
      Status: { type: 'object', properties: { code: { type: 'integer' } } },
    },
  },
  paths: {
    [collection]: {
      get: {
        responses: {
          200: json({ type: 'object', required: ['items'], properties: { items: { type: 'array', items: own } } }),
        },
      },
      post: { responses: objects },
    },
    [`${collection}/{widget}`]: {
      get: { responses: objects },
      delete: { responses: { 200: json({ $ref: '#/components/schemas/Status' }) } },
    },
  },
} as unknown as JsonObject;

const operations = new DeclaredOperations({ document, paths: document.paths as JsonObject, format: 'v3' });
const validators = new Validators(document);
const runId = 'abc123';
const list = '/apis/example.com/v1/namespaces/{namespace}/widgets';
const object = `${list}/{name}`;

/** A body of an object of the run. */
const made = (spec: Json, more: JsonObject = {}): JsonObject => ({
  kind: 'Widget',
  metadata: { name: `kac-${runId}-w0-1`, creationTimestamp: null, ...more },
  spec,
});
const right = { size: 1, tags: [] };

interface Given {
  readonly method?: string;
  readonly template?: string;
  readonly status?: number;
  readonly type?: string;
  readonly accept?: string;
}

function found(body: Json, { method = 'GET', template = object, status = 200, ...given }: Given = {}): string[] {
  const declared = operations.of(method, template) as DeclaredOperation;
  const headers = { 'content-type': given.type ?? 'application/json' };
  const reply = new Reply(`${method} ${template}`, status, headers, Buffer.from(JSON.stringify(body)));
  const call = { method, headers: { accept: given.accept ?? 'application/json' } };
  const version = { group: 'example.com', version: 'v1' };
  return findingsOf({ call, reply, declared, validators, runId, version }).map(
    ({ requirement, message }) => `${requirement}: ${message.split(': ').slice(1).join(': ')}`,
  );
}

describe('a violation', () => {
  it.each<[string, Json, Given, string]>([
    [
      'a code',
      made(right),
      { status: 203 },
      'openapi.status: answered 203, and its own OpenAPI declares 200, 201, 401',
    ],
    ['a type', made(right), { type: 'text/html' }, 'openapi.media-type: answered "text/html"'],
    [
      'a text for a number',
      made({ size: '1', tags: [] }),
      {},
      'openapi.body-schema: the body, by its own OpenAPI: spec.size',
    ],
    ['a number below its bound', made({ size: 0, tags: [] }), {}, 'spec.size'],
    ['a value that no enum has', made({ ...right, color: 'blue' }), {}, 'spec.color: "blue" must be equal to one of'],
    ['a field that is missing', made({ size: 1 }), {}, "must have required property 'tags'"],
    ['an object for a port', made({ ...right, port: {} }), {}, 'spec.port'],
    [
      'an item of a list',
      { items: [made(right), made({ size: 'x', tags: [] })] },
      { template: list },
      'items[1].spec.size',
    ],
    ['a list without items', { kind: 'WidgetList' }, { template: list }, "required property 'items'"],
    ['inside of itself', made({ ...right, next: { spec: { size: 1, tags: [1] } } }), {}, 'spec.next.spec.tags[0]'],
    ['a wrong Status', { kind: 'Status', code: 'x' }, { method: 'DELETE' }, 'code'],
    ['what `not` excludes', made({ ...right, one: { a: 1, b: 1 } }), {}, 'spec.one'],
  ])('%s', (_, body, given, words) => {
    const findings = found(body, given);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain(words);
  });
});

describe('a right server may', () => {
  it.each<[string, Json, Given?]>([
    ['write null for an empty list, a time or a map', made({ size: 1, tags: null, open: null, color: null })],
    ['write null for the items of a list', { items: null }, { template: list }],
    [
      'have a number or a text in a port',
      { items: [made({ ...right, port: 1 }), made({ ...right, port: 'http' })] },
      { template: list },
    ],
    [
      'have a number or a text in a quantity',
      { items: [made({ ...right, amount: 1.5 }), made({ ...right, amount: '1Gi' })] },
      { template: list },
    ],
    ['have fields that no schema names', made({ ...right, open: { any: [1] }, more: 1 })],
    ['keep values that no format allows', made({ ...right, secret: '!' })],
    [
      'show objects of others by an older schema',
      { items: [{ metadata: { name: 'theirs' }, spec: {} }] },
      { template: list },
    ],
    ['read an object of others', { metadata: { name: 'theirs' }, spec: { size: 'old' } }],
    [
      'show an object that was written in another version',
      made({}, { managedFields: [{ apiVersion: 'example.com/v2' }] }),
    ],
    ['answer a delete with the object', made({}), { method: 'DELETE' }],
    ['answer an error that is not declared', { kind: 'Status', code: 404 }, { status: 404 }],
    ['answer 401 without a schema', 'no', { status: 401, type: 'text/plain' }],
    ['answer a table', { kind: 'Table', rows: 1 }, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }],
    ['add parameters to a type', made(right), { type: 'application/json; charset=utf-8' }],
  ])('%s', (_, body, given) => {
    expect(found(body, given)).toEqual([]);
  });
});

describe('a path', () => {
  it.each([
    ['/api/v1/namespaces', '/api/v1/namespaces'],
    ['/api/v1/namespaces/a', '/api/v1/namespaces/{name}'],
    ['/api/v1/namespaces/a/status', '/api/v1/namespaces/{name}/status'],
    ['/api/v1/namespaces/a/pods?limit=1', '/api/v1/namespaces/{namespace}/pods'],
    ['/api/v1/namespaces/a/pods/b/log', '/api/v1/namespaces/{namespace}/pods/{name}/log'],
    ['/apis/example.com/v1/gadgets/a/scale', '/apis/example.com/v1/gadgets/{name}/scale'],
    ['/apis/example.com/v1', '/apis/example.com/v1'],
    ['/apis/example.com/v1/gadgets?watch=false', '/apis/example.com/v1/gadgets'],
    ['/apis/example.com/v1/gadgets?watch=true', undefined],
    ['/apis/example.com/v1/gadgets?limit=1&watch=1', undefined],
    ['/apis/example.com/v1/watch/gadgets', undefined],
    ['/apis', undefined],
    ['/healthz', undefined],
  ])('%s is of %s', (path, template) => expect(templateOf(path)).toBe(template));
});

describe('OpenAPI 2', () => {
  const second = {
    produces: ['application/json'],
    definitions: { Widget: { type: 'object', properties: { port: { type: 'string', format: 'int-or-string' } } } },
    paths: {
      '/apis/example.com/v1/': { get: { responses: { 200: { schema: { type: 'object' } } } } },
      '/apis/example.com/v1/widgets/{name}': {
        parameters: [
          { name: 'pretty', in: 'query' },
          { name: 'name', in: 'path' },
        ],
        get: {
          parameters: [{ $ref: '#/parameters/exact' }],
          produces: ['application/json', 'application/yaml'],
          responses: { 200: { schema: { $ref: '#/definitions/Widget' } }, default: { description: 'an error' } },
        },
        patch: { consumes: ['application/merge-patch+json'], responses: { '2XX': {} } },
      },
    },
    parameters: { exact: { name: 'exact', in: 'query', required: true } },
  } as unknown as JsonObject;
  const read = new DeclaredOperations({ document: second, paths: second.paths as JsonObject, format: 'v2' });
  const one = '/apis/example.com/v1/widgets/{name}';

  it('has its media types, parameters and schemas', () => {
    const get = read.of('GET', one);
    expect(get && successTypes(get)).toEqual(['application/json', 'application/yaml']);
    expect(get?.queryParameters.map(({ name }) => name)).toEqual(['pretty', 'exact']);
    expect(read.of('PATCH', one)?.requestTypes).toEqual(['application/merge-patch+json']);
    expect(read.of('GET', '/apis/example.com/v1')).toBeDefined();
    expect(read.of('PUT', one)).toBeUndefined();
  });

  it('writes a number or a text as a text with a format', () => {
    const schema = { $ref: '#/definitions/Widget' };
    expect(new Validators(second).faultOf(schema, { port: 80 })).toBeUndefined();
    expect(new Validators(second).faultOf(schema, { port: [] })).toContain('port');
  });
});

describe('a document of the target', () => {
  it('that cannot be compiled holds nothing against a body', () => {
    const nested = JSON.parse(`${'{"not":'.repeat(50_000)}{}${'}'.repeat(50_000)}`) as JsonObject;
    const wrong = { required: 'a' } as unknown as JsonObject;
    for (const schema of [nested, wrong]) {
      const validators = new Validators({});
      expect(validators.faultOf(schema, {})).toBeUndefined();
      expect(validators.whyUnused(schema)).toContain('cannot be compiled: ');
    }
    expect(new Validators({}).faultOf({ $ref: '#/absent' }, {})).toBeUndefined();
  });

  it.each<[string, (next: JsonObject) => JsonObject]>([
    ['the next twice', (next) => ({ allOf: [next, next] })],
    ['one of the next twice', (next) => ({ anyOf: [next, { type: 'integer' }, next] })],
    ['itself', () => ({ allOf: [{ $ref: '#/definitions/0' }] })],
    ['the next twice, for each member', (next) => ({ additionalProperties: { allOf: [next, next] } })],
  ])('gives up a schema that holds one value against %s', (_, make) => {
    const definitions = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`${index}`, make({ $ref: `#/definitions/${index + 1}` })]),
    );
    // One of two is looked for until the last of them.
    if (make({}).anyOf !== undefined) definitions[60] = { type: 'string' };
    const body = JSON.parse(`${'{"a":'.repeat(40)}0${'}'.repeat(40)}`);
    const [validators, schema] = [new Validators({ definitions }), { $ref: '#/definitions/0' }];
    expect(validators.faultOf(schema, body)).toBeUndefined();
    expect(validators.whyUnused(schema)).toBe('it takes more than 1000 ms for one body, or has no end');
  });

  it('with patterns that never end holds no body up', () => {
    expect(new Validators({}).faultOf({ type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`)).toBeUndefined();
  });

  it('that cannot be held against a body says why, and violates nothing', () => {
    const types = { 'application/json': { schema: { required: 'a' } } };
    const paths = { [object]: { get: { responses: { 200: { content: types } } } } } as unknown as JsonObject;
    const document = { paths };
    const declared = new DeclaredOperations({ document, paths, format: 'v3' }).of('GET', object);
    const reply = new Reply('GET a', 200, { 'content-type': 'application/json' }, Buffer.from('{}'));
    const version = { group: 'example.com', version: 'v1' };
    const answer = { call: { method: 'GET' }, reply, declared: declared as DeclaredOperation, runId, version };
    expect(findingsOf({ ...answer, validators: new Validators(document) })).toEqual([
      {
        kind: 'unchecked',
        requirement: 'openapi.body-schema',
        message: expect.stringMatching(
          /^the schema of the body in the target's OpenAPI is held against no body: it cannot/,
        ),
      },
    ]);
  });

  it('is compiled only where it is used', () => {
    let reads = 0;
    const definitions = {
      Used: { type: 'string' },
      get Unused() {
        reads += 1;
        return { type: 'string' };
      },
    };
    expect(new Validators({ definitions }).faultOf({ $ref: '#/definitions/Used' }, 1)).toContain('must be string');
    expect(reads).toBe(0);
  });
});

describe('the definition of a custom resource', () => {
  const schemaOf = (plural: string) => (plural === 'widgets' ? ({ type: 'object' } as const) : undefined);

  it.each([
    ['GET', list, true],
    ['POST', list, true],
    ['GET', object, true],
    ['PUT', `${object}/status`, true],
    ['PATCH', `${object}/scale`, false],
    ['DELETE', object, false],
    ['GET', '/apis/example.com/v1/gadgets', false],
    ['GET', '/apis/example.com/v1', false],
  ])('declares %s %s: %s', (method, template, is) => {
    expect(definedOperation(method, template, schemaOf) !== undefined).toBe(is);
  });
});
