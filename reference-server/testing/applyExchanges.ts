// Exchanges of server-side apply, as tables of literals: the same requests go to this server and to a real one.

/** A request, and what must be in the response. */
export interface Exchange {
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** The path below `/api/v1/namespaces/default/`, or an absolute path. */
  readonly path: string;
  /** The short name of the patch type; `apply` and `merge` are sent as JSON, `yaml` as it is. */
  readonly type?: 'apply' | 'merge' | 'json' | 'yaml';
  readonly agent?: string;
  readonly body?: unknown;
  readonly code: number;
  /** The fields of the response, by path: a name in brackets finds an item. */
  readonly has?: Readonly<Record<string, unknown>>;
  /** The managers with their fields, in order, without times: `name Operation version subresource` to fieldsV1. */
  readonly owners?: readonly (readonly [string, object])[];
  /** Whether the resourceVersion is that of the response before. */
  readonly sameVersion?: boolean;
}

const configMap = (name: string, more: object = {}, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  ...more,
});

const member = {};
const data = (...names: string[]) => ({ 'f:data': Object.fromEntries(names.map((name) => [`f:${name}`, member])) });
const newData = (...names: string[]) => ({
  'f:data': { '.': member, ...Object.fromEntries(names.map((name) => [`f:${name}`, member])) },
});

const apply = (what: string, path: string, body: unknown, code: number, more: Partial<Exchange> = {}): Exchange => ({
  what,
  method: 'PATCH',
  type: 'apply',
  path,
  body,
  code,
  ...more,
});

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
  'entries in a request': [
    {
      what: 'count on a create',
      method: 'POST',
      path: 'configmaps?fieldManager=m',
      body: configMap('c', { data: { a: '1' } }, { managedFields: [] }),
      code: 201,
      owners: [['m Update v1', newData('a')]],
    },
    {
      what: 'replace those of the object',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/c?fieldManager=m',
      body: {
        metadata: {
          managedFields: [
            { manager: 'given', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: data('a') },
          ],
        },
      },
      code: 200,
      owners: [['given Update v1', data('a')]],
    },
    {
      what: 'that are malformed do not count',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/c?fieldManager=m',
      body: { metadata: { managedFields: [{ manager: 'bad', operation: 'None', apiVersion: 'v1' }] } },
      code: 200,
      owners: [['given Update v1', data('a')]],
    },
    {
      what: 'of a version that the server lacks go',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/c?fieldManager=m',
      body: {
        metadata: {
          managedFields: [
            { manager: 'old', operation: 'Update', apiVersion: 'v0', fieldsType: 'FieldsV1', fieldsV1: data('a') },
          ],
        },
        data: { b: '2' },
      },
      code: 200,
      owners: [['m Update v1', data('b')]],
    },
    {
      what: 'can be reset by an empty entry',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/c?fieldManager=m',
      body: { metadata: { managedFields: [{}] } },
      code: 200,
      owners: [],
    },
    {
      what: 'do not come back by an update',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/c?fieldManager=m',
      body: { data: { a: '9' } },
      code: 200,
      owners: [],
    },
    apply(
      'before the first apply have a manager',
      'configmaps/c?fieldManager=m',
      configMap('c', { data: { a: '1' } }),
      409,
      {
        has: { message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a' },
      },
    ),
    apply(
      'of that manager are the rest',
      'configmaps/c?fieldManager=m&force=true',
      configMap('c', { data: { a: '1' } }),
      200,
      {
        owners: [
          ['m Apply v1', data('a')],
          ['before-first-apply Update v1', newData('b')],
        ],
      },
    ),
    {
      what: 'can be reset by an empty list',
      method: 'PATCH',
      type: 'json',
      path: 'configmaps/c',
      body: [{ op: 'replace', path: '/metadata/managedFields', value: [] }],
      code: 200,
      owners: [],
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
  'parameters and bodies': [
    apply('an apply needs a manager', 'configmaps/d', configMap('d'), 422, {
      has: {
        message: 'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
      },
    }),
    {
      what: 'force is for an apply',
      method: 'PATCH',
      type: 'merge',
      path: 'configmaps/d?force=true',
      body: {},
      code: 422,
      has: {
        message: 'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
      },
    },
    apply('a manager is printable', 'configmaps/d?fieldManager=a%0Ab', configMap('d'), 422, {
      has: {
        message:
          'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
      },
    }),
    apply('a manager has 128 bytes at most', `configmaps/d?fieldManager=${'a'.repeat(129)}`, configMap('d'), 422),
    apply('no managedFields', 'configmaps/d?fieldManager=m', configMap('d', {}, { managedFields: [] }), 400, {
      has: { message: 'metadata.managedFields must be nil' },
    }),
    apply('another name', 'configmaps/d?fieldManager=m', configMap('e'), 400, {
      has: { message: 'the name of the object (e) does not match the name on the URL (d)' },
    }),
    apply('no name', 'configmaps/d?fieldManager=m', { apiVersion: 'v1', kind: 'ConfigMap' }, 400, {
      has: { message: 'the name of the object (d based on URL) was undeterminable: name must be provided' },
    }),
    apply('no version', 'configmaps/d?fieldManager=m', {}, 400),
    apply('a list', 'configmaps/d?fieldManager=m', [1], 400),
    apply('an unknown field', 'configmaps/d?fieldManager=m', configMap('d', { more: 1 }), 500),
    apply(
      'an item twice',
      'pods/d?fieldManager=m',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'd', finalizers: ['a.example.com/x', 'a.example.com/x'] },
      },
      500,
    ),
    apply(
      'the status of an absent object',
      'pods/none/status?fieldManager=m',
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'none' },
        status: { phase: 'Failed' },
      },
      404,
    ),
    apply(
      'a dry run creates nothing',
      'configmaps/d?fieldManager=m&dryRun=All',
      configMap('d', { data: { a: '1' } }),
      201,
      {
        owners: [['m Apply v1', data('a')]],
      },
    ),
    { what: 'nothing is there', method: 'GET', path: 'configmaps/d', code: 404 },
    {
      what: 'YAML',
      method: 'PATCH',
      type: 'yaml',
      path: 'configmaps/d?fieldManager=m',
      body: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: d\ndata:\n  a: "1"\n',
      code: 201,
      owners: [['m Apply v1', data('a')]],
    },
  ],
};
