// Custom resources, to the letter: exact integers, patterns, nulls, what is inside atomic parts, unknown fields. `AGAINST`
// asks a real server (testing/customResources.ts), as apiextensions-apiserver 0.36.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseJson } from '../../exactJson.js';
import type { RunningServer } from '../../server.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';
import { exactDefinition, sendExactly, types } from '../testing/exactRequests.js';

const plural = `things${Date.now() % 1_000_000}`;
const kind = `Thing${Date.now() % 1_000_000}`;
const things = `/apis/example.com/v1/namespaces/default/${plural}`;

let server: RunningServer;
let last = 0;

beforeAll(async () => {
  server = await serverWithDefinitions();
  const made = exactDefinition(plural, kind);
  expect((await sendExactly(server, 'POST', definitions, made)).body.message).toBeUndefined();
  await new DefinitionClient(server).until(made, 'Established');
});
afterAll(async () => {
  await sendExactly(server, 'DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

function newName(): string {
  last += 1;
  return `n${last}`;
}
/** A thing with the text of its spec, and more text of its metadata. */
const thing = (name: string, spec: string, metadata = ''): string =>
  `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"name":"${name}"${metadata}},"spec":${spec}}`;
const create = (spec: string, query = '', metadata = '') =>
  sendExactly(server, 'POST', things + query, thing(newName(), spec, metadata));
/** Applies a spec to an object, which has the spec `before` if it is given. */
async function apply(spec: string, before?: string, metadata = '') {
  const name = newName();
  if (before !== undefined) await sendExactly(server, 'POST', things, thing(name, before));
  const path = `${things}/${name}?fieldManager=m&force=true`;
  return { name, ...(await sendExactly(server, 'PATCH', path, thing(name, spec, metadata), types.apply)) };
}
/** What a server stores: the spec without the default that all have. */
const specOf = ({ body }: { body: { spec?: Record<string, unknown> } }): unknown => {
  const { usual: _usual, ...others } = body.spec ?? {};
  return others;
};

describe('numbers', () => {
  it.each([
    '{"big":9007199254740993}',
    '{"big":9223372036854775807}',
    '{"big":-9223372036854775808}',
    '{"size":9007199254740993}',
    '{"num":9007199254740993}',
    '{"either":9007199254740993}',
    '{"some":9007199254740993}',
    '{"most":9007199254740992}',
    '{"dozen":9007199254740996}',
    '{"set":[9007199254740993,9007199254740992]}',
    '{"nums":[9007199254740993,1]}',
    '{"items":[{"id":9007199254740993},{"id":9007199254740992}]}',
    '{"box":{"w":9007199254740993}}',
    '{"refs":[{"n":9007199254740993}]}',
    '{"free":{"a":9007199254740993,"b":[9007199254740993],"c":-9223372036854775808}}',
  ])('%s is stored as it is', async (spec) => {
    const created = await create(spec);
    expect([created.status, specOf(created)]).toEqual([201, parseJson(spec)]);
    expect(specOf(await sendExactly(server, 'GET', `${things}/n${last}`))).toEqual(parseJson(spec));
  });

  it.each([
    ['{"size":1.0}', '{"size":1}'],
    ['{"size":1e3}', '{"size":1000}'],
    ['{"small":1e3}', '{"small":1000}'],
    ['{"either":1.0}', '{"either":1}'],
    ['{"some":1.0}', '{"some":1}'],
    ['{"dozen":24.0}', '{"dozen":24}'],
    ['{"num":9223372036854775808}', '{"num":9223372036854776000}'],
    ['{"num":1e21}', '{"num":1e+21}'],
    ['{"num":1e-7}', '{"num":1e-7}'],
    ['{"num":-0.0}', '{"num":0}'],
    ['{"part":0.3}', '{"part":0.3}'],
    ['{"part":0.7}', '{"part":0.7}'],
    ['{"free":{"b":1.0,"d":9223372036854775808}}', '{"free":{"b":1,"d":9223372036854776000}}'],
  ])('%s is stored as %s', async (spec, stored) => {
    const created = await create(spec);
    expect([created.status, specOf(created)]).toEqual([201, JSON.parse(stored)]);
  });

  it.each([
    ['{"big":9223372036854775808}', 'spec.big in body must be of type int64: "float64"'],
    ['{"big":-9223372036854775809}', 'spec.big in body must be of type int64: "float64"'],
    ['{"big":1e18}', 'spec.big in body must be of type int64: "float64"'],
    ['{"size":9223372036854775808}', 'spec.size in body must be of type integer: "number"'],
    ['{"size":100000000000000000000000}', 'spec.size in body must be of type integer: "number"'],
    ['{"size":1e18}', 'spec.size in body must be of type integer: "number"'],
    ['{"size":9007199254740993.0}', 'spec.size in body must be of type integer: "number"'],
    ['{"size":1.5}', 'spec.size in body must be of type integer: "number"'],
    ['{"small":2147483648}', 'Checked value must be of type integer with format int32 in spec.small'],
    ['{"small":9007199254740993}', 'Checked value must be of type integer with format int32 in spec.small'],
    ['{"part":0.35}', 'Invalid value: 0.35: spec.part in body should be a multiple of 0.1'],
    ['{"part":3}', 'Invalid value: 0: factor MultipleOf declared for spec.part must be positive: 0'],
    ['{"dozen":25}', 'Invalid value: 25: spec.dozen in body should be a multiple of 12'],
    ['{"dozen":9007199254740993}', 'Invalid value: 9007199254740993: spec.dozen in body should be a multiple of 12'],
    ['{"most":9007199254740993}', 'spec.most in body should be less than or equal to 9007199254740992'],
    ['{"some":9007199254740992}', 'Unsupported value: 9007199254740992: supported values: "9007199254740993", "1"'],
    ['{"some":"x"}', 'Unsupported value: "x": supported values: "9007199254740993", "1"'],
    ['{"hosts":[9007199254740993]}', 'spec.hosts[0] in body must be of type string: "integer"'],
    ['{"set":[9007199254740993,9007199254740993]}', 'spec.set[1]: Duplicate value: 9007199254740993'],
    ['{"items":[{"id":9007199254740993},{"id":9007199254740993}]}', 'Duplicate value: {"id":9007199254740993}'],
  ])('%s is refused: %s', async (spec, why) => {
    const { status, body } = await create(spec);
    expect([status, body.message]).toEqual([422, expect.stringContaining(why)]);
  });

  it('are exact in defaults, in patches of each type, in watches, lists, tables and YAML', async () => {
    const name = newName();
    const path = `${things}/${name}`;
    const get = async () => (await sendExactly(server, 'GET', path)).body.spec;
    await sendExactly(server, 'POST', things, thing(name, '{"items":[{"id":9007199254740993,"v":"one"}]}'));
    expect((await get()).usual).toBe(9007199254740993n);
    await sendExactly(server, 'PATCH', path, '{"spec":{"big":9007199254740995}}', types.merge);
    expect((await get()).big).toBe(9007199254740995n);
    const patch = (value: string) =>
      `[{"op":"test","path":"/spec/big","value":${value}},{"op":"replace","path":"/spec/big","value":9007199254740997}]`;
    expect((await sendExactly(server, 'PATCH', path, patch('9007199254740994'), types.json)).status).toBe(422);
    expect((await sendExactly(server, 'PATCH', path, patch('9007199254740995'), types.json)).status).toBe(200);
    const applied = await sendExactly(
      server,
      'PATCH',
      `${path}?fieldManager=m&force=true`,
      thing(name, '{"big":9007199254740999,"set":[9007199254740993]}'),
      types.apply,
    );
    expect(applied.body.spec.big).toBe(9007199254740999n);
    expect(applied.text.replaceAll(' ', '')).toContain('"v:9007199254740993":{}');
    const listed = await sendExactly(server, 'GET', `${things}?fieldSelector=metadata.name%3D${name}`);
    expect(listed.body.items[0].spec.big).toBe(9007199254740999n);
    const table = await sendExactly(server, 'GET', path, undefined, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    expect(table.body.rows[0].cells).toEqual([name, 9007199254740999n, 'one']);
    const watched = await sendExactly(
      server,
      'GET',
      `${things}?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%3D${name}`,
    );
    expect(watched.text).toContain('"big":9007199254740999');
    const asYaml = await sendExactly(server, 'GET', path, undefined, { accept: 'application/yaml' });
    expect(asYaml.text).toContain('big: 9007199254740999\n');
    const { resourceVersion } = (await sendExactly(server, 'GET', path)).body.metadata;
    const yaml = [
      'apiVersion: example.com/v1',
      `kind: ${kind}`,
      `metadata: {name: ${name}, resourceVersion: "${resourceVersion}"}`,
      'spec: {big: 9007199254741001, nums: [0x20000000000001, 0o400000000000000001, 9_007_199_254_740_993]}',
    ].join('\n');
    const replaced = await sendExactly(server, 'PUT', path, yaml, types.yaml);
    expect([replaced.body.message, replaced.body.spec?.big]).toEqual([undefined, 9007199254741001n]);
    expect(replaced.body.spec.nums).toEqual([9007199254740993n, 9007199254740993n, 9007199254740993n]);
    const withStatus = '{"status":{}}';
    expect((await sendExactly(server, 'PATCH', `${path}/status`, withStatus, types.merge)).body.spec.big).toBe(
      9007199254741001n,
    );
  });
});

it.each([
  ['{"least":0}', 201],
  ['{"least":-1}', 422],
  ['{"least":0.4}', 422],
  ['{"least":0.5}', 201],
  ['{"least":1}', 201],
  ['{"least":11}', 422],
  ['{"least":10.7}', 422],
  ['{"least":10}', 201],
  ['{"part":0.30000000000000004}', 201],
  ['{"part":123456789.123456789}', 201],
  ['{"part":0.35}', 422],
  ['{"part":-0.3}', 201],
] as const)('%s is compared and divided as integers and fractions are: %s', async (spec, code) => {
  expect((await create(spec)).status).toBe(code);
});

describe('a null', () => {
  it.each([
    ['{"labels":{"a":null,"b":"c"}}', '{"labels":{"b":"c"}}'],
    ['{"size":null}', '{}'],
    ['{"hosts":null}', '{}'],
    ['{"refs":null}', '{}'],
    ['{"box":null}', '{}'],
    ['{"box":{"w":null}}', '{"box":{}}'],
    ['{"free":{"a":null,"b":[null]}}', '{"free":{"a":null,"b":[null]}}'],
  ])('of a create: %s is stored as %s', async (spec, stored) => {
    expect(specOf(await create(spec))).toEqual(JSON.parse(stored));
  });

  it.each([
    ['{"hosts":[null]}', 'spec.hosts[0] in body must be of type string: "null"'],
    ['{"refs":[null]}', 'spec.refs[0] in body must be of type object: "null"'],
    ['{"nums":[null,1]}', 'spec.nums[0] in body must be of type integer: "null"'],
    ['{"items":[{"id":null}]}', 'spec.items[0].id: Required value'],
  ])('of a create: %s is refused: %s', async (spec, why) => {
    const { status, body } = await create(spec);
    expect([status, body.message]).toEqual([422, expect.stringContaining(why)]);
  });

  it.each<[string, string?]>([
    ['{"labels":{"a":null}}'],
    ['{"labels":{"a":null}}', '{"labels":{"a":"x"}}'],
    ['{"size":null}'],
    ['{"size":null}', '{"size":3}'],
    ['{"hosts":null}', '{"hosts":["q"]}'],
    ['{"hosts":[null]}'],
    ['{"refs":[{"name":null}]}'],
    ['{"box":null}', '{"box":{"w":1}}'],
    ['{"box":{"w":null}}'],
    ['{"items":null}'],
  ])('of an apply stays, and is refused: %s after %s', async (spec, before) => {
    const { status, body } = await apply(spec, before);
    expect([status, body.message]).toEqual([422, expect.stringContaining('in body must be of type')]);
    expect(body.message).toContain('"null"');
  });

  it('of an apply is the default, where there is one, and keeps the items of a list that is a map', async () => {
    expect((await apply('{"usual":null}')).body.spec.usual).toBe(9007199254740993n);
    expect(specOf(await apply('{"items":null}', '{"items":[{"id":1}]}'))).toEqual({ items: [{ id: 1 }] });
  });
});

describe('an apply', () => {
  it.each<[string, string, string?]>([
    ['{"refs":[{"name":"x","colour":"red"}]}', '.spec.refs[0].colour: field not declared in schema'],
    ['{"refs":["x"]}', '.spec.refs[0]: expected map, got &{x}'],
    ['{"refs":[[1]]}', '.spec.refs[0]: expected map, got &{[1]}'],
    ['{"refs":[{"name":1}]}', '.spec.refs[0].name: expected string, got &value.valueUnstructured{Value:1}'],
    ['{"refs":[{"n":"x"}]}', '.spec.refs[0].n: expected numeric (int or float), got string'],
    ['{"box":{"w":1,"h":2}}', '.spec.box.h: field not declared in schema'],
    ['{"box":{"in":{"d":"x","e":1}}}', '.spec.box.in.e: field not declared in schema'],
    ['{"box":{"w":"x"}}', '.spec.box.w: expected numeric (int or float), got string'],
    ['{"box":[1]}', '.spec.box: expected map, got &{[1]}'],
    ['{"box":{"in":1}}', '.spec.box.in: expected map, got &{1}'],
    ['{"hosts":[1]}', '.spec.hosts[0]: expected string, got &value.valueUnstructured{Value:1}'],
    [
      '{"hosts":[{"a":1}]}',
      '.spec.hosts[0]: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":1}}',
    ],
    ['{"hosts":[["a"]]}', '.spec.hosts[0]: expected string, got &value.valueUnstructured{Value:[]interface {}{"a"}}'],
    [
      '{"hosts":["a",1,2]}',
      'errors:\n  .spec.hosts[1]: expected string, got &value.valueUnstructured{Value:1}\n  .spec.hosts[2]: expected string, got &value.valueUnstructured{Value:2}',
    ],
    ['{"hosts":{"a":1}}', '.spec.hosts: expected list, got &{map[a:1]}'],
    ['{"hosts":"x"}', '.spec.hosts: expected list, got &{x}'],
    ['{"nums":["a"]}', '.spec.nums[0]: expected numeric (int or float), got string'],
    ['{"labels":{"a":1}}', '.spec.labels.a: expected string, got &value.valueUnstructured{Value:1}'],
    ['{"free":1}', '.spec.free: expected map, got &{1}'],
    ['{"items":[{"id":1,"zz":1}]}', '.spec.items[id=1].zz: field not declared in schema'],
    ['{"items":[null]}', '.spec.items: element 0: associative list with keys may not have a null element'],
    ['{"items":[{"id":1},{"id":1}]}', '.spec.items: duplicate entries for key [id=1]'],
    ['{"set":[1,1]}', '.spec.set: duplicate entries for key [=1]'],
    ['{}', '.metadata.lables: field not declared in schema', ',"lables":{"a":"b"}'],
    ['{}', '.metadata.labels.a: expected string, got &value.valueUnstructured{Value:1}', ',"labels":{"a":1}'],
  ])('of %s is refused: %s', async (spec, why, metadata) => {
    const { status, body, name } = await apply(spec, undefined, metadata);
    const what = `failed to create typed patch object (/${name}; example.com/v1, Kind=${kind})`;
    // The namespace is that of the configuration, which names none.
    expect([status, body.message]).toEqual([500, `${what}: ${why}`]);
  });

  it('may repeat the values of an atomic list', async () => {
    expect(specOf(await apply('{"hosts":["a","a"]}'))).toEqual({ hosts: ['a', 'a'] });
  });
});

describe('unknown fields, also in the metadata', () => {
  const owners = ',"ownerReferences":[{"apiVersion":"v1","kind":"x","name":"y","uid":"z","zz":1}]';
  const cases: [string, string, string[]][] = [
    ['{"zz":1}', ',"lables":{"a":"b"}', ['unknown field "metadata.lables"', 'unknown field "spec.zz"']],
    [
      '{"zz":1,"box":{"q":1}}',
      `${owners},"aa":1`,
      ['metadata.aa', 'metadata.ownerReferences[0].zz', 'spec.box.q', 'spec.zz'].map(
        (path) => `unknown field "${path}"`,
      ),
    ],
    [
      '{"size":1,"size":1,"zz":1}',
      ',"aa":1,"labels":{},"labels":{}',
      [
        'duplicate field "metadata.labels"',
        'duplicate field "spec.size"',
        'unknown field "metadata.aa"',
        'unknown field "spec.zz"',
      ],
    ],
  ];

  it.each(cases)('are refused with Strict: %s %s', async (spec, metadata, mistakes) => {
    const { status, body } = await create(spec, '?fieldValidation=Strict', metadata);
    const why = `${kind} in version "v1" cannot be handled as a ${kind}: strict decoding error: ${mistakes.join(', ')}`;
    expect([status, body.message]).toEqual([400, why]);
  });

  it.each(cases)('are warned of with Warn: %s %s', async (spec, metadata, mistakes) => {
    const { status, warnings } = await create(spec, '?fieldValidation=Warn', metadata);
    const warned = mistakes.map((mistake) => `299 - ${JSON.stringify(mistake)}`);
    expect([status, warnings]).toEqual([201, warned.join(', ')]);
  });

  it('are refused in each body', async () => {
    await create('{}');
    const path = `${things}/n${last}`;
    const { resourceVersion } = (await sendExactly(server, 'GET', path)).body.metadata;
    const whole = thing(`n${last}`, '{}', `,"lables":{},"resourceVersion":"${resourceVersion}"`);
    const patch = '{"metadata":{"lables":{}}}';
    const operations = '[{"op":"add","path":"/metadata/lables","value":{}}]';
    for (const [method, part, body, headers, code] of [
      ['PUT', '', whole, {}, 400],
      ['PUT', '/status', whole, {}, 400],
      ['PATCH', '', patch, types.merge, 422],
      ['PATCH', '', operations, types.json, 422],
    ] as const) {
      const reply = await sendExactly(server, method, `${path}${part}?fieldValidation=Strict`, body, headers);
      expect([method, part, reply.status]).toEqual([method, part, code]);
      expect(reply.body.message).toContain('unknown field "metadata.lables"');
    }
  });
});

describe('the patterns of a schema', () => {
  const made = (name: string, pattern: string) =>
    definition(name, name.toUpperCase(), [
      version('v1', { spec: { type: 'object', properties: { v: { type: 'string', pattern } } } }),
    ]);
  const tried = async (pattern: string, values: readonly string[]) => {
    const name = `p${Date.now() % 1_000_000}x${newName()}`;
    const definedAs = made(name, pattern);
    const defined = await sendExactly(server, 'POST', definitions, definedAs);
    if (defined.status !== 201) return [defined.status, defined.body.details.causes[0].message];
    await new DefinitionClient(server).until(definedAs, 'Established');
    const codes: number[] = [];
    for (const [index, v] of values.entries()) {
      const body = {
        apiVersion: 'example.com/v1',
        kind: name.toUpperCase(),
        metadata: { name: `v${index}` },
        spec: { v },
      };
      codes.push((await sendExactly(server, 'POST', `/apis/example.com/v1/namespaces/default/${name}`, body)).status);
    }
    await sendExactly(server, 'DELETE', `${definitions}/${name}.example.com`);
    return codes;
  };

  it.each<[string, string[], number[]]>([
    ['^(?i)(red|blue)$', ['RED', 'green'], [201, 422]],
    ['(a(?i)b)C', ['aBC', 'aBc'], [201, 422]],
    ['^\\pL+$', ['äß', '1'], [201, 422]],
    ['^\\x{41}$', ['A', 'B'], [201, 422]],
    ['a\\Qb.c\\E', ['ab.c', 'abxc'], [201, 422]],
    ['[[:^digit:]]', ['a', '1'], [201, 422]],
    ['^(?P<x>a)$', ['a'], [201]],
  ])('%s is a pattern: %j', async (pattern, values, codes) => expect(await tried(pattern, values)).toEqual(codes));

  it.each([
    ['\\C', 'invalid escape sequence: `\\C`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['[a-\\d]', 'invalid escape sequence: `\\d`'],
    ['(?=a)b', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(a)\\1', 'invalid escape sequence: `\\1`'],
  ])('%s is none', async (pattern, why) => {
    const said = `must be a valid regular expression, but isn't: error parsing regexp: ${why}`;
    expect(await tried(pattern, [])).toEqual([422, `Invalid value: ${JSON.stringify(pattern)}: ${said}`]);
  });
});
