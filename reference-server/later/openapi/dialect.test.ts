// Tests what the documents of OpenAPI 2 and 3 say of a custom resource, as kube-apiserver 1.20.2 publishes it in version 2.
import { expect, it } from 'vitest';
import { dialectV2, dialectV3 } from './dialect.js';

const open = { 'x-kubernetes-preserve-unknown-fields': true };
const text = { type: 'string' };
const spec = { type: 'object', properties: { a: text } };

it.each([
  ['an object', spec, spec],
  ['an object with unknown fields', { ...spec, ...open }, open],
  [
    'an object of another kind',
    { type: 'object', 'x-kubernetes-embedded-resource': true, ...open },
    {
      'x-kubernetes-embedded-resource': true,
      ...open,
    },
  ],
  ['what may be null', { ...spec, nullable: true }, {}],
  ['a list of them', { type: 'array', items: { ...spec, nullable: true } }, { type: 'array', items: {} }],
  [
    'a map of them',
    { type: 'object', additionalProperties: { ...spec, ...open } },
    {
      type: 'object',
      additionalProperties: open,
    },
  ],
  [
    'a number or a string',
    { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, text] },
    {
      'x-kubernetes-int-or-string': true,
    },
  ],
])('shows %s in OpenAPI 2 without what clients would drop fields for', (_what, schema, expected) => {
  expect(dialectV2.schema({ type: 'object', properties: { spec: schema } })).toEqual({
    type: 'object',
    properties: { spec: expected },
  });
});

it('says nothing of a resource with unknown fields in OpenAPI 2, and all in OpenAPI 3', () => {
  expect(dialectV2.schema({ ...spec, ...open })).toBeUndefined();
  expect(dialectV3.schema({ ...spec, ...open })).toEqual({ ...spec, ...open });
});
