// What is wrong with definitions, as apiextensions-apiserver 0.36 says it: all causes in their order. `AGAINST` asks a real
// server (testing/customResources.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

let server: RunningServer;
let client: DefinitionClient;
beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
});
afterAll(() => server.close());

const root = 'spec.validation.openAPIV3Schema';
const field = `${root}.properties[spec].properties[f]`;

/** A definition, and the beginning of each cause. */
type Row<Given> = [given: Given, ...causes: string[]];

/** Sends a definition. Expects causes, where `~` is the field and `ROOT` the schema. */
async function expectCauses(made: AnyShape, causes: readonly string[], method = 'POST', at = ''): Promise<void> {
  const { status, body } = await client.send(method, `${definitions}${at}?dryRun=All`, made);
  const said: readonly AnyShape[] = body.details?.causes ?? [];
  const texts = said.map((cause) => `${cause.field}: ${cause.message}`.replaceAll(field, '~').replaceAll(root, 'ROOT'));
  expect([status, texts.map((text, index) => text.slice(0, causes[index]?.length))]).toEqual([
    causes.length > 0 ? 422 : method === 'POST' ? 201 : 200,
    causes,
  ]);
}

const one = (properties: object, more: object = {}): AnyShape => version('v1', properties, more);
const made = (of: AnyShape, more: object = {}): AnyShape => definition('answers', 'Answer', [of], more);
const spec = { spec: { type: 'object', properties: {} } };

const either = [{ type: 'integer' }, { type: 'string' }];
const intOrString = { 'x-kubernetes-int-or-string': true };
const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true };
const open = { ...embedded, 'x-kubernetes-preserve-unknown-fields': true };
const keyed = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] };

describe('a field', () => {
  it.each<Row<object>>([
    [
      { type: 'null' },
      '~.type: Unsupported value: "null": supported values: "array", "boolean", "integer", "number", "o',
      '~.type: Forbidden: type cannot be set to null, use nullable as an alternative',
    ],
    [{ type: '' }, '~.type: Required value: must not be empty for specified object fields'],
    [{ type: 'array' }, '~.items: Required value: must be specified'],
    [
      { type: 'array', items: [{ type: 'foo' }] },
      '~.items: Forbidden: items must be a schema object and not an array',
      '~.items[0].type: Unsupported value: "foo": supported values: "array", "boolean", "integer", "num',
    ],
    [{ $ref: '#/x', properties: { q: {} } }, '~.$ref: Forbidden: $ref is not supported'],
    [{ type: 'object', id: 'x' }, '~.id: Forbidden: id is not supported'],
    [
      { type: 'object', $schema: 'x', properties: { q: {} } },
      'ROOT: Invalid value: "": OpenAPIV3Schema \'schema\' is not supported',
    ],
    [
      { type: 'object', definitions: { a: { type: 'foo' } } },
      '~.definitions: Forbidden: definitions is not supported',
      '~.definitions[a].type: Unsupported value: "foo": supported values: "array", "boolean", "integer"',
    ],
    [{ type: 'object', additionalItems: false }, '~.additionalItems: Forbidden: additionalItems is not supported'],
    [{ type: 'object', definitions: {}, patternProperties: {} }],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      '~.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive',
    ],
    [{ type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }],
    [
      { type: 'string', pattern: '(', anyOf: [{ pattern: '[' }] },
      '~.anyOf[0].pattern: Invalid value: "[": must be a valid regular expression, but isn\'t: error par',
      '~.pattern: Invalid value: "(": must be a valid regular expression, but isn\'t: error parsing rege',
    ],
    [{ ...intOrString, anyOf: either }],
    [{ ...intOrString, allOf: [{ anyOf: either, minimum: 1 }, { pattern: 'a' }] }],
    [{ type: 'string', anyOf: either }],
    [
      { ...intOrString, anyOf: [{ type: 'string' }, { type: 'integer' }] },
      '~.anyOf[0].type: Forbidden: must be empty to be structural',
      '~.anyOf[1].type: Forbidden: must be empty to be structural',
    ],
    [
      { ...intOrString, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] },
      '~.anyOf[0].type: Forbidden: must be empty to be structural',
      '~.anyOf[1].type: Forbidden: must be empty to be structural',
    ],
    [
      { ...intOrString, allOf: [{ pattern: 'a' }, { anyOf: either }] },
      '~.allOf[1].anyOf[0].type: Forbidden: must be empty to be structural',
      '~.allOf[1].anyOf[1].type: Forbidden: must be empty to be structural',
    ],
    [
      { ...intOrString, 'x-kubernetes-preserve-unknown-fields': true },
      '~.x-kubernetes-preserve-unknown-fields: Invalid value: true: must be false if x-kubernetes-int-o',
    ],
    [
      { ...intOrString, ...embedded },
      '~.properties: Required value: must not be empty if x-kubernetes-embedded-resource is true withou',
      '~.x-kubernetes-embedded-resource: Invalid value: true: must be false if x-kubernetes-int-or-stri',
    ],
    [
      { type: 'object', not: { additionalProperties: { type: 'string' } } },
      '~.not.additionalProperties: Forbidden: must be undefined to be structural',
    ],
    [{ type: 'object', not: { additionalProperties: false, title: '', nullable: false } }],
    [
      {
        type: 'object',
        properties: { metadata: { type: 'object' } },
        anyOf: [{ properties: { metadata: { required: ['a'] } } }],
      },
      '~.anyOf[0].properties[metadata]: Forbidden: must not be specified in a nested context',
    ],
    [
      {
        type: 'string',
        oneOf: [
          {
            'x-kubernetes-list-map-keys': ['a'],
            'x-kubernetes-list-type': 'set',
            'x-kubernetes-validations': [{ rule: 'true' }],
            nullable: true,
            default: 1,
          },
        ],
      },
      '~.oneOf[0].default: Forbidden: must be undefined to be structural',
      '~.oneOf[0].nullable: Forbidden: must be false to be structural',
      '~.oneOf[0].x-kubernetes-list-map-keys: Forbidden: must be empty to be structural',
      '~.oneOf[0].x-kubernetes-list-type: Forbidden: must be undefined to be structural',
      '~.oneOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural',
      '~.oneOf[0].type: Required value: must be array if x-kubernetes-list-type is specified',
      '~.oneOf[0].x-kubernetes-list-type: Invalid value: "set": must be map if x-kubernetes-list-map-ke',
    ],
    [
      { type: 'string', oneOf: [{ 'x-kubernetes-preserve-unknown-fields': false }] },
      '~.oneOf[0].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
    ],
    [
      { ...embedded, properties: { metadata: { type: 'string' }, kind: {} } },
      '~.properties[kind].type: Invalid value: "": must be string',
      '~.properties[kind].type: Required value: must not be empty for specified object fields',
      '~.properties[metadata].type: Invalid value: "string": must be object',
    ],
    [
      { ...open, additionalProperties: { type: 'string' } },
      '~.additionalProperties: Forbidden: must not be used if x-kubernetes-embedded-resource is set',
    ],
    [
      {
        ...embedded,
        properties: {
          metadata: {
            type: 'object',
            properties: { labels: { type: 'object', additionalProperties: { type: 'string', default: 'x' } } },
          },
        },
      },
      '~.properties[metadata].properties[labels].additionalProperties.default: Forbidden: must not be s',
    ],
    [
      { ...embedded, properties: { metadata: { type: 'object', properties: { a: { ...open } } } } },
      '~.properties[metadata].properties[a].x-kubernetes-embedded-resource: Forbidden: must not be used',
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k', 'k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      },
      '~.x-kubernetes-list-map-keys: Invalid value: ["k","k"]: must not contain duplicate entries',
    ],
    [
      { ...keyed, items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } }, nullable: true } },
      '~.items.nullable: Forbidden: cannot be nullable when x-kubernetes-list-type is map',
    ],
    [
      { ...keyed, items: { type: 'object', properties: { k: { type: 'integer', nullable: true, default: 1 } } } },
      '~.items.properties[k].nullable: Forbidden: this property is in x-kubernetes-list-map-keys, so it',
    ],
    [
      { ...keyed, items: { type: 'object', required: ['k'], properties: { k: { type: 'object' } } } },
      '~.items.properties[k].type: Invalid value: "object": must be a scalar type if parent array\'s x-k',
    ],
    [
      { ...keyed, items: { type: 'string' } },
      '~.items.type: Invalid value: "string": must be object if parent array\'s x-kubernetes-list-type i',
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'atomic',
        'x-kubernetes-list-map-keys': ['a', 'k'],
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
      },
      '~.x-kubernetes-list-type: Invalid value: "atomic": must be map if x-kubernetes-list-map-keys is ',
    ],
    [
      { ...keyed },
      '~.items: Required value: must be specified',
      '~.items: Required value: must have a schema if x-kubernetes-list-type is map',
    ],
    [
      {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'object', 'x-kubernetes-map-type': 'granular' },
      },
      '~.items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of a list with x-kube',
    ],
    [
      { type: 'object', 'x-kubernetes-map-type': 'foo', properties: { a: { 'x-kubernetes-map-type': 'atomic' } } },
      '~.properties[a].type: Required value: must not be empty for specified object fields',
      '~.properties[a].type: Required value: must be object if x-kubernetes-map-type is specified',
      '~.x-kubernetes-map-type: Unsupported value: "foo": supported values: "atomic", "granular"',
    ],
    [{ ...intOrString, default: {} }],
    [
      {
        type: 'array',
        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
        default: [{ k: 'a' }, { k: 'a' }],
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    ],
    [{ type: 'string', default: 1 }, '~.default: Invalid value: "integer":  in body must be of type string: "integer"'],
    [
      { type: 'object', properties: { a: { type: 'string', default: 'x' } }, default: { a: null } },
      '~.default.a: Invalid value: "null": a in body must be of type string: "null"',
    ],
    [
      { type: 'object', required: ['a'], properties: { a: { type: 'string', default: 'x' } }, default: {} },
      '~.default.a: Required value',
    ],
    [
      { type: 'array', items: { type: 'string', maxLength: 1 }, default: ['abc', 1], maxItems: 1 },
      '~.default.[0]: Too long: may not be more than 1 byte',
      '~.default.[1]: Invalid value: "integer": [1] in body must be of type string: "integer"',
      '~.default: Too many: 2: must have at most 1 item',
    ],
    [
      { type: 'object', additionalProperties: { type: 'integer' }, default: { 'a.b': 'x' } },
      '~.default.a.b: Invalid value: "string": .a.b in body must be of type integer: "string"',
    ],
    [{ type: 'object', additionalProperties: { type: 'string', default: 1 } }],
    [
      { type: 'integer', default: 1.5 },
      '~.default: Invalid value: "number":  in body must be of type integer: "number"',
      '~.default: Invalid value: "": Checked value must be of type integer (default format) in ',
    ],
    [
      { type: 'integer', format: 'int32', default: 3000000000 },
      '~.default: Invalid value: "": Checked value must be of type integer with format int32 in ',
    ],
    [
      { type: 'string', default: 'a', anyOf: [{ pattern: 'b' }], allOf: [{ pattern: 'c' }] },
      '~.default: Invalid value: "": "" must validate at least one schema (anyOf)',
      '~.default: Invalid value: "a":  in body should match \'b\'',
      '~.default: Invalid value: "a":  in body should match \'c\'',
      '~.default: Invalid value: "": "" must validate all the schemas (allOf). None validated',
    ],
    [
      { type: 'integer', default: 'a', 'x-kubernetes-validations': [{ rule: 'self > 1' }] },
      '~.default: Invalid value: "string":  in body must be of type integer: "string"',
    ],
    [
      { type: 'integer', default: 0, 'x-kubernetes-validations': [{ rule: 'self > 1' }] },
      '~.default: Invalid value: 0: failed rule: self > 1',
    ],
    [{ ...open, default: { apiVersion: 'v1', kind: 'A', metadata: { other: 1 } } }],
    [
      { ...open, default: { apiVersion: '' } },
      '~.default.kind: Required value',
      '~.default.apiVersion: Invalid value: "": must not be empty',
    ],
    [
      {
        ...embedded,
        properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: '/' } } } },
      },
      '~.properties[metadata].properties[name].default: Invalid value: "/": must result in valid metada',
    ],
    [
      {
        type: 'object',
        properties: {
          a: { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == 1' }] },
          b: { type: 'string', uniqueItems: true },
        },
      },
      '~.properties[b].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime comp',
      '~.properties[a].x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self == 1","Message":"',
    ],
    [
      { type: 'object', additionalProperties: true, 'x-kubernetes-validations': [{ rule: 'self.a == 1' }] },
      '~.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.a == 1"',
    ],
    [
      {
        type: 'foo',
        'x-kubernetes-preserve-unknown-fields': false,
        'x-kubernetes-validations': [{ rule: 'true', fieldPath: '.a' }],
      },
      '~.type: Unsupported value: "foo"',
      '~.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined',
    ],
    [
      {
        type: 'object',
        'x-kubernetes-validations': [{ rule: 'self.b' }],
        properties: { a: { type: 'string', 'x-kubernetes-validations': [{ rule: '' }] } },
      },
      '~.properties[a].x-kubernetes-validations[0].rule: Required value: rule is not specified',
    ],
  ])('%j', (schema, ...causes) =>
    expectCauses(made(one({ spec: { type: 'object', properties: { f: schema } } })), causes),
  );
});

describe('the metadata of the root', () => {
  it.each<Row<object>>([
    [
      {},
      'ROOT.properties[metadata].type: Invalid value: "": must be object',
      'ROOT.properties[metadata].type: Required value: must not be empty for specified object fields',
    ],
    [
      { type: 'object', description: 'x' },
      'ROOT.properties[metadata]: Forbidden: must not specify anything other than name and generateName',
    ],
    [
      { type: 'object', minProperties: 0 },
      'ROOT.properties[metadata]: Forbidden: must not specify anything other than name and generateName',
    ],
    [{ type: 'object', properties: { name: { type: 'string', pattern: 'a' } }, title: '' }],
    [
      { type: 'object', default: {} },
      'ROOT.properties[metadata].default: Forbidden: must not be set in top-level metadata',
    ],
    [
      { type: 'object', properties: { name: { type: 'string', default: 'a' } } },
      'ROOT.properties[metadata].properties[name].default: Forbidden: must not be set in top-level meta',
    ],
    [
      { type: 'object', properties: { labels: { type: 'object', default: {} } } },
      'ROOT.properties[metadata]: Forbidden: must not specify anything other than name and generateName',
      'ROOT.properties[metadata].properties[labels].default: Forbidden: must not be set in top-level me',
    ],
  ])('%j', (metadata, ...causes) => expectCauses(made(one({ ...spec, metadata })), causes));
});

describe('a version', () => {
  it.each<Row<object>>([
    [
      { name: 'V1' },
      'spec.versions[0].name: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanum',
      'spec.version: Invalid value: "V1": a DNS-1035 label must consist of lower case alphanumeric char',
    ],
    [
      { deprecationWarning: 'x' },
      'spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions',
    ],
    [
      { deprecated: true, deprecationWarning: '' },
      'spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string',
    ],
    [
      { deprecated: true, deprecationWarning: 'é\n' },
      'spec.versions[0].deprecationWarning: Invalid value: "é\\n": must only contain printable UTF-8 cha',
    ],
    [{ subresources: { scale: { specReplicasPath: '.spec.r[0]', statusReplicasPath: '.status.n' } } }],
    [{ subresources: { scale: { specReplicasPath: '.spec..r', statusReplicasPath: '.status.n' } } }],
    [
      {
        subresources: {
          scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '.status.' },
        },
      },
    ],
    [
      {
        subresources: {
          scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n', labelSelectorPath: '' },
        },
      },
    ],
    [
      { subresources: { scale: { specReplicasPath: ".spec['n']", statusReplicasPath: '.status.n' } } },
      'spec.subresources.scale.specReplicasPath: Invalid value: ".spec[\'n\']": should be a json path und',
    ],
    [
      {
        subresources: {
          scale: { specReplicasPath: '.spec', statusReplicasPath: '.status.n', labelSelectorPath: '.metadata.a' },
        },
      },
      'spec.subresources.scale.specReplicasPath: Invalid value: ".spec": should be a json path under .s',
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.a": should be a json path u',
    ],
    [
      { storage: false },
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"De',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ],
    [
      { selectableFields: [{ jsonPath: '.spec' }, { jsonPath: '' }, { jsonPath: '.kind' }] },
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec": must point to a field of type string,',
      'spec.selectableFields[1].jsonPath: Required value',
      'spec.selectableFields[2].jsonPath: Invalid value: ".kind": is an invalid path: does not refer to',
    ],
  ])('%j', (more, ...causes) => expectCauses(made(one(spec, more)), causes));
});

describe('a spec', () => {
  it.each<Row<object>>([
    [{ conversion: {} }, 'spec.conversion.strategy: Required value'],
    [
      { conversion: { strategy: 'Foo' } },
      'spec.conversion.strategy: Unsupported value: "Foo": supported values: "None", "Webhook"',
    ],
    [
      {
        conversion: {
          strategy: 'None',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x' } },
        },
      },
      'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to We',
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set ',
    ],
    [
      {
        conversion: {
          strategy: 'Webhook',
          webhook: {
            conversionReviewVersions: ['v2'],
            clientConfig: { service: { namespace: '', name: '', path: 'x', port: 70000 } },
          },
        },
      },
      'spec.conversion.webhookClientConfig.service.name: Required value',
      'spec.conversion.webhookClientConfig.service.namespace: Required value',
      'spec.conversion.webhookClientConfig.service.port: Invalid value: 70000: port is not valid: must ',
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "x": must start with a \'/\'',
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "x": segment[0] may not be empt',
      'spec.conversion.conversionReviewVersions: Invalid value: ["v2"]: must include at least one of v1',
    ],
    [
      {
        preserveUnknownFields: true,
        conversion: {
          strategy: 'Webhook',
          webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x' } },
        },
      },
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields i',
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-u',
    ],
  ])('%j', (more, ...causes) => expectCauses(made(one(spec), more), causes));
});

describe('a URL of a webhook', () => {
  it.each<Row<string>>([
    ['https://x:99999'],
    ['https:x', 'Invalid value: "": host must be specified; desired format: https://host[/path]'],
    ['//x', 'Invalid value: "": \'https\' is the only allowed URL scheme; desired format: https://host[/path]'],
    [
      'x',
      'Invalid value: "": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      'Invalid value: "": host must be specified; desired format: https://host[/path]',
    ],
    ['https://x y', 'Required value: url must be a valid URL: parse "https://x y": invalid character " " in host name'],
    ['https://x:y', 'Required value: url must be a valid URL: parse "https://x:y": invalid port ":y" after host; desi'],
    [
      'https://x/%zz',
      'Required value: url must be a valid URL: parse "https://x/%zz": invalid URL escape "%zz"; desire',
    ],
    [
      'https://[::1',
      'Required value: url must be a valid URL: parse "https://[::1": missing \']\' in host; desired form',
    ],
    [
      'https://a@x/?b#c',
      'Invalid value: "a": user information is not permitted in the URL',
      'Invalid value: "c": fragments are not permitted in the URL',
      'Invalid value: "b": query parameters are not permitted in the URL',
    ],
  ])('%s', (url, ...causes) => {
    const conversion = { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig: { url } } };
    return expectCauses(
      made(one(spec), { conversion }),
      causes.map((text) => `spec.conversion.webhookClientConfig.url: ${text}`),
    );
  });
});

describe('an update', () => {
  const schemaOf = (properties: object): AnyShape => ({ type: 'object', properties });
  const text = { type: 'string' };
  const versions = [
    one({ spec: schemaOf({ a: text }) }),
    { ...one({ spec: schemaOf({ a: text }) }), name: 'v2', storage: false },
  ];
  const base: AnyShape = definition('updated', 'Updated', versions);
  let current: AnyShape;
  beforeAll(async () => {
    await client.define(base);
    current = (await client.send('GET', `${definitions}/${base.metadata.name}`)).body;
  });
  afterAll(() => client.send('DELETE', `${definitions}/${base.metadata.name}`));

  const bundle = (caBundle: string): AnyShape => ({
    strategy: 'Webhook',
    webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x', caBundle } },
  });
  const [first, second] = ['spec.versions[0]', 'spec.versions[1]'];
  const fieldA = 'schema.openAPIV3Schema.properties[spec].properties[a].type: ';

  it.each<[what: string, change: (spec: AnyShape) => void, ...causes: string[]]>([
    ['nothing', () => {}],
    [
      'the group, the scope and names',
      (spec) => Object.assign(spec, { group: 'f.com', scope: 'Cluster', names: { plural: 'others', kind: 'Other' } }),
      'spec.scope: Invalid value: "Cluster": field is immutable',
      'spec.names.kind: Invalid value: "Other": field is immutable',
      'spec.group: Invalid value: "f.com": field is immutable',
      'spec.names.plural: Invalid value: "others": field is immutable',
    ],
    [
      'a bundle of authorities',
      (spec) => Object.assign(spec, { conversion: bundle('eA==') }),
      'spec.conversion.webhookClientConfig.caBundle: Invalid value: "eA==": unable to load root certificates: unable to parse',
    ],
    [
      'a type in each of two schemas',
      ({ versions: [v1, v2] }) => {
        v1.schema = { openAPIV3Schema: schemaOf({ spec: schemaOf({ a: {} }) }) };
        v2.schema = { openAPIV3Schema: schemaOf({ spec: schemaOf({ a: { type: 'foo' } }) }) };
      },
      `${first}.${fieldA}Required value: must not be empty for specified object fields`,
      `${second}.${fieldA}Unsupported value: "foo"`,
    ],
    [
      'columns of one version',
      ({ versions: [v1] }) =>
        Object.assign(v1, { additionalPrinterColumns: [{ name: 'a', type: 'x', jsonPath: '.a' }] }),
      `${first}.additionalPrinterColumns[0].type: Invalid value: "x"`,
    ],
    [
      'columns of all versions',
      (spec) => {
        for (const of of spec.versions) of.additionalPrinterColumns = [{ name: 'a', type: 'x', jsonPath: '.a' }];
      },
      'spec.additionalPrinterColumns[0].type: Invalid value: "x"',
    ],
    [
      'selectable fields of all versions, whose schemas differ',
      ({ versions }) => {
        for (const of of versions) of.selectableFields = [{ jsonPath: '.spec.a' }];
        versions[1].schema.openAPIV3Schema.properties.more = text;
      },
      'spec.selectableFields: Invalid value: "": may only be set when validations.schema is included',
    ],
    [
      'what the root says beside a status',
      ({ versions: [v1, v2] }) => {
        v2.subresources = { status: {} };
        for (const of of [v1, v2]) of.schema.openAPIV3Schema.maxProperties = 3;
      },
      'ROOT: Invalid value: {',
    ],
    [
      'fields of a condition that the schema lacks',
      ({ versions }) => {
        const anyOf = [{ properties: { spec: { properties: { b: { minimum: 1 } } } } }];
        for (const of of versions) of.schema.openAPIV3Schema.anyOf = anyOf;
      },
      'ROOT.properties[spec].properties[b]: Required value: because it is defined in ROOT.anyOf[0].properties[spec].properties[b]',
    ],
    [
      'the storage version, and the one before is dropped',
      (spec) => {
        spec.versions = [{ ...spec.versions[1], storage: true }];
      },
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions',
    ],
    [
      'two versions of one name',
      ({ versions }) => Object.assign(versions[1], { name: 'v1' }),
      'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null',
    ],
  ])('of %s', async (_what, change, ...causes) => {
    const next = structuredClone(current);
    change(next.spec);
    await expectCauses(next, causes, 'PUT', `/${base.metadata.name}`);
  });

  it.each<[status: AnyShape, ...causes: string[]]>([
    [{ storedVersions: ['v9'] }],
    [{ storedVersions: [] }],
    [{ acceptedNames: { plural: 'A_', kind: 'X' } }, 'status.acceptedNames.plural: Invalid value: "A_"'],
  ])('of the status: %j', async (more, ...causes) => {
    const next = { ...current, status: { ...current.status, ...more } };
    await expectCauses(next, causes, 'PUT', `/${base.metadata.name}/status`);
  });
});
