// Exchanges about the parameters and bodies of applies, and about the entries that requests give.
import { apply, configMap, data, type Exchange, newData } from './applyExchange.js';

export const requestExchanges: Readonly<Record<string, readonly Exchange[]>> = {
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
