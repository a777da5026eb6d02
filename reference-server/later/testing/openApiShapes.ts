// JSON Schemas of OpenAPI documents, version 2 and version 3, as strict as the two specifications: for tests.

const text = { type: 'string' };
const texts = { type: 'array', items: text, minItems: 1 };

/** An object with no other fields than these and extensions. */
const strict = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  patternProperties: { '^x-': {} },
  additionalProperties: false,
});

const mapOf = (value: object) => ({ type: 'object', additionalProperties: value });
const own = (name: string) => ({ $ref: `#/$defs/${name}` });
const kind = strict({ group: text, kind: text, version: text }, ['group', 'kind', 'version']);
const extensions = {
  'x-kubernetes-action': {
    enum: ['get', 'list', 'put', 'patch', 'post', 'delete', 'deletecollection', 'watch', 'watchlist', 'connect'],
  },
  'x-kubernetes-group-version-kind': kind,
};
const info = strict({ title: text, version: text }, ['title', 'version']);
const type = { enum: ['array', 'boolean', 'integer', 'number', 'object', 'string'] };
const security = mapOf(
  strict({ type: { const: 'apiKey' }, description: text, name: text, in: { const: 'header' } }, ['type', 'name', 'in']),
);

const schemaFields = {
  type,
  format: text,
  description: text,
  required: texts,
  properties: mapOf(own('schema')),
  items: own('schema'),
  additionalProperties: own('schema'),
  'x-kubernetes-group-version-kind': { type: 'array', items: kind, minItems: 1 },
  'x-kubernetes-list-map-keys': texts,
  'x-kubernetes-list-type': { enum: ['atomic', 'map', 'set'] },
  'x-kubernetes-patch-merge-key': text,
  'x-kubernetes-patch-strategy': { enum: ['merge', 'retainKeys', 'merge,retainKeys'] },
};

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];
const pathItem = strict({
  ...Object.fromEntries(methods.map((method) => [method, own('operation')])),
  parameters: { type: 'array', items: own('parameter') },
});
const paths = { type: 'object', patternProperties: { '^/': pathItem }, additionalProperties: false };

const yes = { const: true };
/** A parameter of a query, or of a path, where it is always required. */
const parameters = (fields: object, required: readonly string[]) => [
  strict({ name: text, in: { const: 'query' }, required: yes, ...fields }, ['name', 'in', ...required]),
  strict({ name: text, in: { const: 'path' }, required: yes, ...fields }, ['name', 'in', 'required', ...required]),
];

/** OpenAPI 2. */
export const shapeV2 = {
  ...strict(
    {
      swagger: { const: '2.0' },
      info,
      paths,
      definitions: mapOf(own('schema')),
      securityDefinitions: security,
      security: { type: 'array', items: mapOf({ type: 'array', items: text }) },
    },
    ['swagger', 'info', 'paths'],
  ),
  $defs: {
    schema: strict({ $ref: text, ...schemaFields }),
    parameter: {
      anyOf: [
        strict({ name: text, in: { const: 'body' }, required: yes, schema: own('schema') }, ['name', 'in', 'schema']),
        ...parameters({ type, uniqueItems: { type: 'boolean' } }, ['type']),
      ],
    },
    operation: strict(
      {
        tags: texts,
        description: text,
        operationId: text,
        consumes: texts,
        produces: texts,
        schemes: texts,
        parameters: { type: 'array', items: own('parameter'), uniqueItems: true },
        responses: mapOf(strict({ description: text, schema: own('schema') }, ['description'])),
        ...extensions,
      },
      ['responses', 'operationId'],
    ),
  },
};

const content = mapOf(strict({ schema: own('schema') }, ['schema']));

/** OpenAPI 3.0. */
export const shapeV3 = {
  ...strict(
    {
      openapi: { const: '3.0.0' },
      info,
      paths,
      components: strict({ schemas: mapOf(own('schema')), securitySchemes: security }),
    },
    ['openapi', 'info', 'paths'],
  ),
  $defs: {
    // A reference stands alone.
    schema: {
      anyOf: [
        { type: 'object', properties: { $ref: text }, required: ['$ref'], additionalProperties: false },
        strict({
          ...schemaFields,
          uniqueItems: { type: 'boolean' },
          allOf: { type: 'array', items: own('schema'), minItems: 1 },
          oneOf: { type: 'array', items: own('schema'), minItems: 1 },
        }),
      ],
    },
    parameter: { anyOf: parameters({ schema: own('schema') }, ['schema']) },
    operation: strict(
      {
        tags: texts,
        description: text,
        operationId: text,
        parameters: { type: 'array', items: own('parameter'), uniqueItems: true },
        requestBody: strict({ content, required: { type: 'boolean' } }, ['content']),
        responses: mapOf(strict({ description: text, content }, ['description'])),
        ...extensions,
      },
      ['responses', 'operationId'],
    ),
  },
};
