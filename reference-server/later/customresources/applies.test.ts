// Server-side apply to custom resources: their schema says who owns what. `AGAINST` asks a real server (testing/customResources.ts).
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningServer } from '../../server.js';
import { apply, type Exchange, member } from '../testing/applyExchange.js';
import { differences, mediaTypeOf } from '../testing/applyTable.js';
import {
  DefinitionClient,
  definition,
  definitions,
  serverWithDefinitions,
  version,
} from '../testing/customResources.js';

const plural = `boats${Date.now() % 1_000_000}`;
const kind = `Boat${Date.now() % 1_000_000}`;
const text = { type: 'string' };

const properties = {
  spec: {
    type: 'object',
    properties: {
      name: text,
      sails: { type: 'integer', default: 2 },
      crew: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name', 'role'],
        items: {
          type: 'object',
          required: ['name'],
          properties: { name: text, role: { ...text, default: 'sailor' }, age: { type: 'integer' } },
        },
      },
      ports: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
      route: { type: 'array', items: text },
      engine: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { power: { type: 'integer' } } },
      free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  },
  status: { type: 'object', properties: { sails: { type: 'integer' }, place: text } },
};
const subresources = {
  status: {},
  scale: { specReplicasPath: '.spec.sails', statusReplicasPath: '.status.sails' },
};

let server: RunningServer;
let client: DefinitionClient;
beforeAll(async () => {
  server = await serverWithDefinitions();
  client = new DefinitionClient(server);
  const versions = [
    version('v1', properties, { subresources }),
    version('v2', properties, { subresources, storage: false }),
  ];
  await client.define(definition(plural, kind, versions));
});
afterAll(async () => {
  await client.send('DELETE', `${definitions}/${plural}.example.com`);
  await server.close();
});

const at = (name: string, query: string, of = 'v1') =>
  `/apis/example.com/${of}/namespaces/default/${plural}/${name}?${query}`;
const boat = (name: string, more: object = {}, of = 'v1') => ({
  apiVersion: `example.com/${of}`,
  kind,
  metadata: { name },
  ...more,
});
const crew = (name: string, more: object = {}, role = 'sailor') => ({
  [`k:{"name":"${name}","role":"${role}"}`]: { '.': member, 'f:name': member, ...more },
});

const exchanges: Readonly<Record<string, readonly Exchange[]>> = {
  'lists and maps by their schema': [
    apply(
      'an apply creates',
      at('a', 'fieldManager=one'),
      boat('a', {
        spec: {
          crew: [{ name: 'ann', age: 30 }],
          ports: ['north'],
          route: ['x', 'y'],
          engine: { power: 5 },
          free: { any: { thing: 1 } },
        },
      }),
      201,
      {
        has: { 'spec.sails': 2, 'spec.crew': [{ age: 30, name: 'ann', role: 'sailor' }] },
        owners: [
          [
            'one Apply example.com/v1',
            {
              'f:spec': {
                'f:crew': crew('ann', { 'f:age': member }),
                'f:ports': { 'v:"north"': member },
                'f:route': member,
                'f:engine': member,
                'f:free': { 'f:any': { '.': member, 'f:thing': member } },
              },
            },
          ],
        ],
      },
    ),
    apply(
      'items of others stay',
      at('a', 'fieldManager=two'),
      boat('a', {
        spec: { crew: [{ name: 'bob', role: 'cook' }], ports: ['south'] },
      }),
      200,
      {
        has: {
          'spec.ports': ['north', 'south'],
          'spec.crew': [
            { age: 30, name: 'ann', role: 'sailor' },
            { name: 'bob', role: 'cook' },
          ],
        },
      },
    ),
    apply(
      'another age is a conflict',
      at('a', 'fieldManager=two'),
      boat('a', {
        spec: { crew: [{ name: 'ann', age: 31 }] },
      }),
      409,
      {
        has: { message: 'Apply failed with 1 conflict: conflict with "one": .spec.crew[name="ann",role="sailor"].age' },
      },
    ),
    apply(
      'a list without keys has one owner',
      at('a', 'fieldManager=two'),
      boat('a', { spec: { route: ['z'] } }),
      409,
      {
        has: { message: 'Apply failed with 1 conflict: conflict with "one": .spec.route' },
      },
    ),
    apply('what is left out is removed', at('a', 'fieldManager=two'), boat('a'), 200, {
      has: { 'spec.ports': ['north'], 'spec.crew': [{ age: 30, name: 'ann', role: 'sailor' }] },
    }),
  ],
  'versions and parts': [
    apply('an apply creates', at('b', 'fieldManager=one'), boat('b', { spec: { name: 'x' } }), 201),
    apply(
      'another version has the same owners',
      at('b', 'fieldManager=two', 'v2'),
      boat('b', { spec: { name: 'y' } }, 'v2'),
      409,
      {
        has: { message: 'Apply failed with 1 conflict: conflict with "one": .spec.name' },
      },
    ),
    apply(
      'force takes the field in the other version',
      at('b', 'fieldManager=two&force=true', 'v2'),
      boat('b', { spec: { name: 'y' } }, 'v2'),
      200,
      {
        has: { 'spec.name': 'y' },
        owners: [['two Apply example.com/v2', { 'f:spec': { 'f:name': member } }]],
      },
    ),
    apply(
      'the status has owners of its own',
      at('b/status', 'fieldManager=three'),
      boat('b', { status: { place: 'sea' } }),
      200,
      {
        has: { 'status.place': 'sea' },
        owners: [
          ['two Apply example.com/v2', { 'f:spec': { 'f:name': member } }],
          ['three Apply example.com/v1 status', { 'f:status': { 'f:place': member } }],
        ],
      },
    ),
    {
      what: 'a write through the scale',
      method: 'PATCH',
      type: 'merge',
      path: at('b/scale', 'fieldManager=four'),
      body: { spec: { replicas: 3 } },
      code: 200,
      has: { 'spec.replicas': 3 },
    },
    {
      what: 'does not own what no one owned',
      method: 'GET',
      path: at('b', ''),
      code: 200,
      has: { 'spec.sails': 3 },
      owners: [
        ['two Apply example.com/v2', { 'f:spec': { 'f:name': member } }],
        ['three Apply example.com/v1 status', { 'f:status': { 'f:place': member } }],
      ],
    },
    apply('an apply owns the replicas', at('b', 'fieldManager=one'), boat('b', { spec: { sails: 3 } }), 200),
    {
      what: 'a write through the scale',
      method: 'PATCH',
      type: 'merge',
      path: at('b/scale', 'fieldManager=four'),
      body: { spec: { replicas: 4 } },
      code: 200,
    },
    {
      what: 'takes the replicas',
      method: 'GET',
      path: at('b', ''),
      code: 200,
      has: { 'spec.sails': 4 },
      owners: [
        ['two Apply example.com/v2', { 'f:spec': { 'f:name': member } }],
        ['three Apply example.com/v1 status', { 'f:status': { 'f:place': member } }],
        ['four Update example.com/v1 scale', { 'f:spec': { 'f:sails': member } }],
      ],
    },
  ],
  'other writes': [
    {
      what: 'a create owns its fields and their containers',
      method: 'POST',
      path: `/apis/example.com/v1/namespaces/default/${plural}?fieldManager=one`,
      body: boat('c', { spec: { name: 'x', crew: [{ name: 'ann' }] } }),
      code: 201,
      owners: [
        [
          'one Update example.com/v1',
          {
            'f:spec': {
              '.': member,
              'f:name': member,
              'f:sails': member,
              'f:crew': { '.': member, ...crew('ann', { 'f:role': member }) },
            },
          },
        ],
      ],
    },
    apply(
      'a field that the schema does not have is refused',
      at('c', 'fieldManager=two'),
      boat('c', { spec: { nonsense: 1 } }),
      500,
      {
        has: {
          message: `failed to create typed patch object (/c; example.com/v1, Kind=${kind}): .spec.nonsense: field not declared in schema`,
        },
      },
    ),
  ],
};

it.each(Object.entries(exchanges))('%s', async (_what, list) => {
  const found = await differences(list, async ({ method, type, body }, path) => {
    const headers = type === undefined ? {} : { 'content-type': mediaTypeOf[type] };
    const { status, body: answer } = await client.send(method, path, body, headers);
    return { code: status, body: answer };
  });
  expect(found).toEqual([]);
});
