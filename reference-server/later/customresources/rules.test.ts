// Rules of definitions: which are refused, what objects that break them are told, and what changes may break. `AGAINST` asks
// a real server (testing/customResources.ts).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Causes } from '../../schema/causes.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { doAll } from '../../turns.js';
import { Budget } from '../cel/expression.js';
import {
  DefinitionClient,
  definition,
  definitions,
  mergePatch,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';
import { checkRules } from './rules.js';
import type { StructuralSchema } from './structuralSchema.js';

const run = Date.now() % 1_000_000;
let server: RunningServer;
let client: DefinitionClient;
const left: string[] = [];
let made = 0;

beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
});
afterAll(async () => {
  for (const name of left) await client.send('DELETE', `${definitions}/${name}`);
  await server.close();
});

const int = { type: 'integer' };
const text = { type: 'string', maxLength: 20 };
const ruled = (schema: AnyShape, ...rules: readonly (string | AnyShape)[]): AnyShape => ({
  ...schema,
  'x-kubernetes-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const object = (properties: AnyShape, ...rules: readonly (string | AnyShape)[]): AnyShape =>
  ruled({ type: 'object', properties }, ...rules);
const list = (items: AnyShape, more: AnyShape = {}): AnyShape => ({ type: 'array', maxItems: 5, items, ...more });
const mapList = (properties: AnyShape): AnyShape =>
  list(
    { type: 'object', required: ['k'], properties: { k: text, ...properties } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
  );

const causesOf = ({ body }: { readonly body: AnyShape }): string[] =>
  (body.details?.causes ?? []).map((cause: AnyShape) => `${cause.reason} ${cause.field}: ${cause.message}`);

/** Defines a kind whose spec has a schema. Returns where its objects are. */
async function define(spec: AnyShape, more: { readonly root?: AnyShape; readonly properties?: AnyShape } = {}) {
  made += 1;
  const names = { plural: `ruled${run}x${made}`, kind: `Ruled${run}x${made}` };
  const one = version('v1', { spec, ...more.properties }, { subresources: { status: {} } });
  Object.assign(one.schema.openAPIV3Schema, more.root);
  const body = definition(names.plural, names.kind, [one]);
  left.push(body.metadata.name);
  await client.define(body);
  const path = `/apis/example.com/v1/namespaces/default/${names.plural}`;
  await client.untilStatus(200, path);
  const objectOf = (content: AnyShape) => ({
    apiVersion: 'example.com/v1',
    kind: names.kind,
    metadata: { name: 'a' },
    spec: content,
  });
  return {
    definitionPath: `${definitions}/${body.metadata.name}`,
    create: (content: AnyShape, query = '?dryRun=All') => client.send('POST', path + query, objectOf(content)),
    patch: (content: AnyShape, subresource = '') =>
      client.send('PATCH', `${path}/a${subresource}`, content, { 'content-type': mergePatch }),
  };
}

describe('a definition is refused', () => {
  const at = 'spec.validation.openAPIV3Schema.properties[spec]';
  const rule = `${at}.x-kubernetes-validations[0]`;
  const shown = (of: string) =>
    `{"Rule":${JSON.stringify(of).replaceAll('<', '\\u003c')},"Message":"","MessageExpression":"","Reason":null,"FieldPath":"","OptionalOldSelf":null}`;
  const failed = (of: string, ...lines: readonly string[]) =>
    `FieldValueInvalid ${rule}.rule: Invalid value: ${shown(of)}: compilation failed: ERROR: <input>:${lines.join('\n')}`;
  const tooCostly = (what: string, factor: string) =>
    `Forbidden: ${what} exceeds budget by factor of ${factor} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
  it.each<[string, AnyShape, ...string[]]>([
    [
      'a field that is not there',
      object({ a: int }, 'self.b < 5'),
      failed('self.b < 5', "1:5: undefined field 'b'", ' | self.b < 5', ' | ....^'),
    ],
    [
      'a type that does not fit',
      object({ a: int }, 'self.a == "x"'),
      failed(
        'self.a == "x"',
        "1:8: found no matching overload for '_==_' applied to '(int, string)'",
        ' | self.a == "x"',
        ' | .......^',
      ),
    ],
    [
      'half an expression',
      object({ a: int }, 'self.a < '),
      failed(
        'self.a < ',
        "1:10: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
        ' | self.a < ',
        ' | .........^',
      ),
    ],
    [
      'a field that is kept, but unknown',
      object({ x: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }, 'has(self.x.y)'),
      failed('has(self.x.y)', "1:4: undefined field 'y'", ' | has(self.x.y)', ' | ...^'),
    ],
    [
      'a rule that is no bool',
      object({ a: int }, 'self.a'),
      `FieldValueInvalid ${rule}.rule: Invalid value: ${shown('self.a')}: cel expression must evaluate to a bool`,
    ],
    ['no rule', object({ a: int }, ' '), `FieldValueRequired ${rule}.rule: Required value: rule is not specified`],
    [
      'lines without a message',
      object({ a: int }, 'self.a\n == 1'),
      `FieldValueRequired ${rule}.message: Required value: message must be specified if rule contains line breaks`,
    ],
    [
      'lines in a message',
      object({ a: int }, { rule: 'true', message: 'a\nb' }),
      `FieldValueInvalid ${rule}.message: Invalid value: "a\\nb": must not contain line breaks`,
    ],
    [
      'a message that is no text',
      object({ a: int }, { rule: 'true', messageExpression: 'self.a' }),
      expect.stringContaining(': messageExpression must evaluate to a string') as never,
    ],
    [
      'a reason',
      object({ a: int }, { rule: 'true', reason: 'Foo' }),
      `FieldValueNotSupported ${rule}.reason: Unsupported value: "Foo": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"`,
    ],
    [
      'a path',
      object({ a: list(int) }, { rule: 'true', fieldPath: '.a[0]' }),
      `FieldValueInvalid ${rule}.fieldPath: Invalid value: ".a[0]": must be a valid path`,
    ],
    [
      'an optional old value that is not used',
      object({ a: int }, { rule: 'self.a > 1', optionalOldSelf: true }),
      `FieldValueInvalid ${rule}.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ],
    [
      'items whose old value nothing tells',
      object({ l: list(ruled(int, 'self == oldSelf')) }),
      `FieldValueInvalid ${at}.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${at}.properties[l]`,
    ],
    [
      'a default that breaks a rule',
      object({ a: { ...ruled(int, 'self > 5'), default: 3 } }),
      `FieldValueInvalid ${at}.properties[a].default: Invalid value: 3: failed rule: self > 5`,
    ],
    [
      'rules below allOf',
      object({ a: { ...int, allOf: [ruled({}, 'self > 5')] } }),
      `FieldValueForbidden ${at}.properties[a].allOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural`,
    ],
    [
      'a rule that may cost too much',
      object({ l: { type: 'array', items: int, maxItems: 1500 } }, 'self.l.all(x, self.l.all(y, x+y>0))'),
      `FieldValueForbidden ${rule}.rule: ${tooCostly('estimated rule cost', '1.6x')}`,
    ],
    [
      'loops without a limit',
      object({ l: { type: 'array', items: { type: 'string' } } }, 'self.l.all(x, self.l.all(y, x == y))'),
      `FieldValueForbidden ${rule}.rule: ${tooCostly('estimated rule cost', 'more than 100x')}`,
      `FieldValueForbidden ${rule}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `FieldValueForbidden spec.validation.openAPIV3Schema: ${tooCostly('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', 'more than 100x')}`,
    ],
  ])('with %s', async (_, spec, ...expected) => {
    const answer = await client.send(
      'POST',
      definitions,
      definition('rejected', 'Rejected', [version('v1', { spec })]),
    );
    expect([answer.status, causesOf(answer)]).toEqual([422, expected]);
  });
});

const invalid = (field: string, why: string) => `FieldValueInvalid ${field}: Invalid value: ${why}`;

describe('an object that breaks a rule', () => {
  const listed = { 'x-kubernetes-list-type': 'set' };
  const dashed = object({ 'a-b': int, if: int, 'a.b': int, u__v: int });
  const nullable = { ...int, nullable: true };
  const dated = {
    t: { type: 'string', format: 'date-time' },
    d: { type: 'string', format: 'duration' },
    b: { type: 'string', format: 'byte' },
  };
  const embedded = {
    type: 'object',
    'x-kubernetes-embedded-resource': true,
    'x-kubernetes-preserve-unknown-fields': true,
  };
  it.each<[string, AnyShape, AnyShape, ...string[]]>([
    ['in its words', object({ a: int }, 'self.a < 5'), { a: 7 }, invalid('spec', 'failed rule: self.a < 5')],
    [
      'in those of a message',
      object({ a: int }, { rule: 'self.a < 5', message: 'is too big' }),
      { a: 7 },
      invalid('spec', 'is too big'),
    ],
    [
      'in those that an expression makes',
      object({ s: text }, { rule: 'false', message: 'm', messageExpression: '"not " + self.s' }),
      { s: 'x' },
      invalid('spec', 'not x'),
    ],
    [
      'if that fails, too',
      object({ s: text }, { rule: 'false', message: 'm', messageExpression: 'self.s' }),
      {},
      invalid('spec', 'm'),
    ],
    [
      'with a reason',
      object({ a: int }, { rule: 'false', reason: 'FieldValueForbidden', fieldPath: '.a' }),
      {},
      'FieldValueForbidden spec.a: Forbidden: failed rule: false',
    ],
    [
      'as a duplicate',
      object({ a: ruled(int, { rule: 'false', reason: 'FieldValueDuplicate' }) }),
      { a: 1 },
      'FieldValueDuplicate spec.a: Duplicate value: 1',
    ],
    [
      'with the value of a leaf',
      object({ l: list(ruled(text, 'self.size() < 3')) }),
      { l: ['a', 'aaaa'] },
      invalid('spec.l[1]', '"aaaa": failed rule: self.size() < 3'),
    ],
    [
      'of a map',
      object({ m: { type: 'object', additionalProperties: ruled(int, 'self < 3') } }),
      { m: { k: 5 } },
      invalid('spec.m[k]', '5: failed rule: self < 3'),
    ],
    [
      'at a key',
      object({ m: { type: 'object', additionalProperties: int } }, { rule: 'false', fieldPath: '.m.k' }),
      {},
      invalid('spec.m[k]', 'failed rule: false'),
    ],
    [
      'because it fails',
      object({ a: int }, '1 / self.a == 1'),
      { a: 0 },
      invalid('spec', '"object": division by zero evaluating rule: 1 / self.a == 1'),
    ],
    [
      'because a field is absent',
      object({ a: int }, 'self.a == 1'),
      {},
      invalid('spec', '"object": no such key: a evaluating rule: self.a == 1'),
    ],
    [
      'because types do not fit',
      object({ x: { 'x-kubernetes-int-or-string': true } }, 'self.x + 1 == 2'),
      { x: 'a' },
      invalid(
        'spec',
        `"object": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: self.x + 1 == 2`,
      ),
    ],
    [
      'that costs too much',
      object({ l: list(int, { maxItems: 900 }) }, 'self.l.all(x, self.l.all(y, x+y>0))'),
      { l: Array.from({ length: 900 }, (_v, index) => index + 1) },
      invalid(
        'spec',
        `"object": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.l.all(x, self.l.all(y, x+y>0))`,
      ),
    ],
    [
      'with escaped names',
      {
        ...dashed,
        'x-kubernetes-validations': [
          { rule: 'self.a__dash__b + self.__if__ + self.a__dot__b + self.u__underscores__v == 5' },
        ],
      },
      { 'a-b': 1, if: 1, 'a.b': 1, u__v: 1 },
      invalid('spec', 'failed rule: self.a__dash__b + self.__if__ + self.a__dot__b + self.u__underscores__v == 5'),
    ],
    ['not because of a null', object({ n: nullable }, '!has(self.n) || self.n > 3'), { n: null }],
    [
      'not with sets in another order',
      object({ a: list(text, listed), b: list(text, listed) }, 'self.a == self.b && size(self.a + self.b) == 2'),
      { a: ['x', 'y'], b: ['y', 'x'] },
    ],
    [
      'not with formats',
      object(dated, 'self.t > timestamp("2020-01-01T00:00:00Z") && self.d == duration("1h") && self.b == b"hi"'),
      { t: '2024-01-01T00:00:00Z', d: '60m', b: 'aGk=' },
    ],
    [
      'not with what every resource has',
      object({ e: embedded }, 'self.e.metadata.name == "x" && self.e.kind == "K"'),
      { e: { apiVersion: 'v1', kind: 'K', metadata: { name: 'x' } } },
    ],
    [
      'also after a mistake of its schema',
      object({ i: { ...int, maximum: 5 } }, 'self.i < 3'),
      { i: 7 },
      invalid('spec.i', '7: spec.i in body should be less than or equal to 5'),
      invalid('spec', 'failed rule: self.i < 3'),
    ],
    [
      'unless that is one of types',
      object({ i: int }, 'self.i < 3'),
      { i: 'x' },
      'FieldValueTypeInvalid spec.i: Invalid value: "string": spec.i in body must be of type integer: "string"',
      invalid(
        '<nil>',
        'null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
      ),
    ],
  ])('is refused %s', async (_, spec, content, ...expected) => {
    const { create } = await define(spec);
    const answer = await create(content);
    expect([answer.status, causesOf(answer)]).toEqual([expected.length === 0 ? 201 : 422, expected]);
  });

  it('is named without a field if the rule is at the root', async () => {
    const { create } = await define({ type: 'object' }, { root: ruled({}, 'self.metadata.name.startsWith("x")') });
    expect(causesOf(await create({}))).toEqual([invalid('<nil>', 'failed rule: self.metadata.name.startsWith("x")')]);
  });
});

describe('a change', () => {
  it('is compared with the object before', async () => {
    const grows = object({ a: int, l: mapList({ v: ruled(int, 'self >= oldSelf') }) }, 'self.a >= oldSelf.a', {
      rule: 'oldSelf.hasValue() ? self.a > 0 : self.a == 3',
      optionalOldSelf: true,
    });
    const { create, patch } = await define(grows);
    expect((await create({ a: 4, l: [] }, '')).status).toBe(422);
    expect((await create({ a: 3, l: [{ k: 'x', v: 3 }, { k: 'y', v: 5 }] }, '')).status).toBe(201); // biome-ignore format: a row
    expect(causesOf(await patch({ spec: { a: 2 } }))).toEqual([invalid('spec', 'failed rule: self.a >= oldSelf.a')]);
    const moved = await patch({ spec: { l: [{ k: 'y', v: 4 }, { k: 'x', v: 5 }] } }); // biome-ignore format: a row
    expect(causesOf(moved)).toEqual([invalid('spec.l[0].v', '4: failed rule: self >= oldSelf')]);
    expect((await patch({ spec: { a: 4, l: [{ k: 'z', v: 1 }] } })).status).toBe(200);
  });

  it('may leave a part that breaks a newer rule', async () => {
    const { create, patch, definitionPath } = await define(object({ a: int, b: int }));
    expect((await create({ a: 3, b: 1 }, '')).status).toBe(201);
    const { body } = await client.send('GET', definitionPath);
    const { properties } = body.spec.versions[0].schema.openAPIV3Schema.properties.spec;
    properties.a = ruled(int, { rule: 'self > 5', message: 'too small' });
    expect((await client.send('PUT', definitionPath, body)).status).toBe(200);
    await expect
      .poll(async () => causesOf(await patch({ spec: { a: 2 } })))
      .toEqual([invalid('spec.a', '2: too small')]);
    const other = await patch({ spec: { b: 2 } });
    expect([other.status, other.headers.warning]).toEqual([200, '299 - "spec.a: Invalid value: 3: too small"']);
    expect((await patch({ spec: { a: 6 } })).status).toBe(200);
  });

  it('of the status is checked as part of the object', async () => {
    const status = object({ s: ruled(int, 'self < 5') });
    const root = ruled({}, '!has(self.status) || self.status.s < self.spec.a');
    const { create, patch } = await define(object({ a: int }), { properties: { status }, root });
    expect((await create({ a: 3 }, '')).status).toBe(201);
    expect((await patch({ status: { s: 1 } }, '/status')).status).toBe(200);
    expect(causesOf(await patch({ status: { s: 9 } }, '/status')).sort()).toEqual([
      invalid('<nil>', 'failed rule: !has(self.status) || self.status.s < self.spec.a'),
      invalid('status.s', '9: failed rule: self < 5'),
    ]);
  });
});

it('a stored rule that does not compile refuses objects until the definition changes', () => {
  const schema: StructuralSchema = object({ a: ruled(int, 'self.b ==') });
  const causes = new Causes();
  doAll(checkRules({ schema, value: { a: 1 }, field: 'spec' }, new Budget(), causes));
  expect(causes.list).toEqual([expect.objectContaining({ field: 'spec.a' })]);
  expect(causes.list[0]?.message).toMatch(
    /^Invalid value: "integer": rule compile error: ERROR: <input>:1:10: Syntax error/,
  );
});
