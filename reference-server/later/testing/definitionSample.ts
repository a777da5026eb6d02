// A definition of a custom resource with each form that its messages in protobuf have, for tests.

/** Each alternative of a schema, raw values of each type, numbers, and all parts of a version. */
export const definitionSample = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['w', 'wi'] },
    scope: 'Namespaced',
    conversion: { strategy: 'None' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'a widget',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'number', minimum: 0.5, maximum: 1e9, exclusiveMaximum: true, default: 1.5 },
                  count: { type: 'integer', format: 'int32', minimum: 0, multipleOf: 2, enum: [2, 4], default: 2 },
                  color: {
                    type: 'string',
                    pattern: '^[a-z]+$',
                    minLength: 1,
                    maxLength: 0x7fffffff,
                    enum: ['red', 'blue'],
                  },
                  on: { type: 'boolean', default: false, nullable: true },
                  any: { 'x-kubernetes-preserve-unknown-fields': true },
                  port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                  labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 3 },
                  free: { type: 'object', additionalProperties: true },
                  parts: {
                    type: 'array',
                    maxItems: 5,
                    items: {
                      type: 'object',
                      required: ['name'],
                      properties: { name: { type: 'string' }, raw: { type: 'string', default: 'x' } },
                    },
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['name'],
                    default: [{ name: 'a', raw: 'b' }],
                  },
                  not: { type: 'string', not: { enum: ['never', ''] } },
                },
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
        subresources: {
          status: {},
          scale: {
            specReplicasPath: '.spec.count',
            statusReplicasPath: '.status.count',
            labelSelectorPath: '.status.selector',
          },
        },
        additionalPrinterColumns: [
          { name: 'Size', type: 'number', jsonPath: '.spec.size', description: 'how large', priority: 1 },
        ],
      },
      {
        name: 'v2',
        served: false,
        storage: false,
        deprecated: true,
        deprecationWarning: 'use v1',
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
