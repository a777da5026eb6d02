// Exchanges of server-side apply, as tables of literals: the same requests go to this server and to a real one.
import { apply, configMap, data, type Exchange, member, newData } from './applyExchange.js';
import { requestExchanges } from './applyRequests.js';

/** Each list begins on a server without these objects. */
export const exchanges: Readonly<Record<string, readonly Exchange[]>> = {
  'the managers of an object': [
    apply('an apply creates', 'configmaps/a?fieldManager=one', configMap('a', { data: { a: '1', b: '2' } }), 201, {
      has: { 'data.a': '1' },
      owners: [['one Apply v1', data('a', 'b')]],
    }),
    apply(
      'the same again changes nothing',
      'configmaps/a?fieldManager=one',
      configMap('a', { data: { a: '1', b: '2' } }),
      200,
      {
        sameVersion: true,
        owners: [['one Apply v1', data('a', 'b')]],
      },
    ),
    apply('another value is a conflict', 'configmaps/a?fieldManager=two', configMap('a', { data: { a: 'x' } }), 409, {
      has: {
        message: 'Apply failed with 1 conflict: conflict with "one": .data.a',
        reason: 'Conflict',
        'details.causes': [{ reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.a' }],
      },
    }),
    apply(
      'two values are two conflicts',
      'configmaps/a?fieldManager=two',
      configMap('a', { data: { a: 'x', b: 'y' } }),
      409,
      {
        has: { message: 'Apply failed with 2 conflicts: conflicts with "one":\n- .data.a\n- .data.b' },
      },
    ),
    apply(
      'force takes the field',
      'configmaps/a?fieldManager=two&force=true',
      configMap('a', { data: { a: 'x' } }),
      200,
      {
        has: { 'data.a': 'x', 'data.b': '2' },
        owners: [
          ['one Apply v1', data('b')],
          ['two Apply v1', data('a')],
        ],
      },
    ),
    apply(
      'equal values are shared',
      'configmaps/a?fieldManager=one',
      configMap('a', { data: { a: 'x', b: '2' } }),
      200,
      {
        owners: [
          ['one Apply v1', data('a', 'b')],
          ['two Apply v1', data('a')],
        ],
      },
    ),
    apply('a dropped field stays if another manager has it', 'configmaps/a?fieldManager=two', configMap('a'), 200, {
      has: { 'data.a': 'x' },
      owners: [['one Apply v1', data('a', 'b')]],
    }),
    apply(
      'a dropped field without managers goes',
      'configmaps/a?fieldManager=one',
      configMap('a', { data: { b: '2' } }),
      200,
      {
        has: { 'data.a': undefined, 'data.b': '2' },
        owners: [['one Apply v1', data('b')]],
      },
    ),
    {
      what: 'an update takes what it changes',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/a?fieldManager=three',
      body: { data: { b: '3', c: '4' } },
      code: 200,
      owners: [['three Update v1', data('b', 'c')]],
    },
    apply(
      'an update is named with its version',
      'configmaps/a?fieldManager=one',
      configMap('a', { data: { b: '2' } }),
      409,
      {
        has: { message: 'Apply failed with 1 conflict: conflict with "three" using v1: .data.b' },
      },
    ),
    {
      what: 'an update that changes nothing takes nothing',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/a?fieldManager=four',
      body: { data: { b: '3' } },
      code: 200,
      owners: [['three Update v1', data('b', 'c')]],
    },
    {
      what: 'a removed field has no owner',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/a?fieldManager=four',
      body: { data: { b: null } },
      code: 200,
      owners: [['three Update v1', data('c')]],
    },
    apply(
      'another resourceVersion is a conflict',
      'configmaps/a?fieldManager=one',
      configMap('a', {}, { resourceVersion: '1' }),
      409,
      {
        has: {
          message:
            'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
        },
      },
    ),
  ],
  'the default manager': [
    {
      what: 'is the beginning of the User-Agent',
      method: 'POST',
      path: 'configmaps',
      agent: 'client/v1.2 (linux)',
      body: configMap('b', { data: { a: '1' } }),
      code: 201,
      owners: [['client Update v1', newData('a')]],
    },
    {
      what: 'keeps what it has',
      method: 'PATCH',
      type: 'merge',
      agent: 'client/v1.3',
      path: 'configmaps/b',
      body: { data: { b: '2' } },
      code: 200,
      owners: [['client Update v1', newData('a', 'b')]],
    },
    {
      what: 'of an update is not that of an apply',
      method: 'PATCH',
      type: 'apply',
      path: 'configmaps/b?fieldManager=client',
      body: configMap('b', { data: { a: '1' } }),
      code: 200,
      owners: [
        ['client Apply v1', data('a')],
        ['client Update v1', newData('a', 'b')],
      ],
    },
  ],
  'lists and maps': [
    apply(
      'items have keys, with the defaults of absent ones',
      'pods/p?fieldManager=one',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', finalizers: ['example.com/a'] },
        spec: {
          containers: [
            {
              name: 'a',
              image: 'x',
              args: ['b'],
              ports: [{ containerPort: 80 }, { containerPort: 9, protocol: 'UDP' }],
            },
          ],
        },
      },
      201,
      {
        has: { 'spec.containers[a].ports.0.protocol': 'TCP' },
        owners: [
          [
            'one Apply v1',
            {
              'f:metadata': { 'f:finalizers': { 'v:"example.com/a"': member } },
              'f:spec': {
                'f:containers': {
                  'k:{"name":"a"}': {
                    '.': member,
                    'f:args': member,
                    'f:image': member,
                    'f:name': member,
                    'f:ports': {
                      'k:{"containerPort":80,"protocol":"TCP"}': { '.': member, 'f:containerPort': member },
                      'k:{"containerPort":9,"protocol":"UDP"}': {
                        '.': member,
                        'f:containerPort': member,
                        'f:protocol': member,
                      },
                    },
                  },
                },
              },
            },
          ],
        ],
      },
    ),
    apply(
      'a conflict names the item',
      'pods/p?fieldManager=two',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p', finalizers: ['example.com/b'] },
        spec: { containers: [{ name: 'a', image: 'y' }] },
      },
      409,
      { has: { message: 'Apply failed with 1 conflict: conflict with "one": .spec.containers[name="a"].image' } },
    ),
    apply(
      'sets have the values of all',
      'pods/p?fieldManager=two',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', finalizers: ['example.com/b'] } },
      200,
      { has: { 'metadata.finalizers': ['example.com/a', 'example.com/b'] } },
    ),
    apply(
      'a value goes with its manager',
      'pods/p?fieldManager=two',
      { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } },
      200,
      { has: { 'metadata.finalizers': ['example.com/a'] } },
    ),
  ],
  ...requestExchanges,
};
