// OpenAPI 2 in protobuf: the field numbers of gnostic's `openapi.v2` for what the documents contain.
import type { DocumentNode } from './dialect.js';
import {
  anything,
  double,
  encoded,
  flagField,
  type Message,
  many,
  message,
  named,
  one,
  only,
  paths,
  schemaOrFlag,
  textField,
  texts,
  whole,
} from './gnostic.js';

/** The media types of the encoding: that of today, and the one that clients have always asked for. */
export const typesV2 = [
  'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
] as const;

/** Encodes a document of OpenAPI 2. */
export const encodeV2 = (document: DocumentNode): Uint8Array => encoded(documentMessage, document);

const schema: Message = message(
  {
    $ref: textField(1),
    format: textField(2),
    title: textField(3),
    description: textField(4),
    default: one(5, () => anything),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: flagField(8),
    minimum: double(9),
    exclusiveMinimum: flagField(10),
    maxLength: whole(11),
    minLength: whole(12),
    pattern: textField(13),
    maxItems: whole(14),
    minItems: whole(15),
    maxProperties: whole(17),
    minProperties: whole(18),
    required: texts(19),
    enum: many(20, () => anything),
    additionalProperties: schemaOrFlag(21, () => schema),
    type: one(22, () => only(textField(1))),
    items: one(23, () => only(one(1, () => schema))),
    properties: one(25, () => named(1, () => schema)),
    externalDocs: one(29, () => message({ description: textField(1), url: textField(2) }, 3)),
    example: one(30, () => anything),
  },
  31,
);

const bodyParameter = message(
  {
    description: textField(1),
    name: textField(2),
    in: textField(3),
    required: flagField(4),
    schema: one(5, () => schema),
  },
  6,
);
const inAll = { required: flagField(1), in: textField(2), description: textField(3), name: textField(4) };
const queryParameter = message({ ...inAll, type: textField(6), format: textField(7), uniqueItems: flagField(20) }, 23);
const pathParameter = message({ ...inAll, type: textField(5), format: textField(6), uniqueItems: flagField(18) }, 22);

const otherParameter: Message = (value, writer) => {
  const isInPath = (value as DocumentNode).in === 'path';
  one(isInPath ? 4 : 3, () => (isInPath ? pathParameter : queryParameter))(value, writer);
};

const parameter: Message = (value, writer) => {
  const isBody = (value as DocumentNode).in === 'body';
  one(isBody ? 1 : 2, () => (isBody ? bodyParameter : otherParameter))(value, writer);
};

const parameters = (number: number) => many(number, () => only(one(1, () => parameter)));

const response = message({ description: textField(1), schema: one(2, () => only(one(1, () => schema))) }, 5);

const operation = message(
  {
    tags: texts(1),
    description: textField(3),
    operationId: textField(5),
    produces: texts(6),
    consumes: texts(7),
    parameters: parameters(8),
    responses: one(9, () => paths(1, 2, () => only(one(1, () => response)))),
    schemes: texts(10),
  },
  13,
);

const pathItem = message(
  {
    get: one(2, () => operation),
    put: one(3, () => operation),
    post: one(4, () => operation),
    delete: one(5, () => operation),
    options: one(6, () => operation),
    head: one(7, () => operation),
    patch: one(8, () => operation),
    parameters: parameters(9),
  },
  10,
);

const apiKey = message({ type: textField(1), name: textField(2), in: textField(3), description: textField(4) }, 5);

const documentMessage = message(
  {
    swagger: textField(1),
    info: one(2, () => message({ title: textField(1), version: textField(2) }, 7)),
    paths: one(8, () => paths(2, 1, () => pathItem)),
    definitions: one(9, () => named(1, () => schema)),
    security: many(12, () => named(1, () => only(texts(1)))),
    securityDefinitions: one(13, () => named(1, () => only(one(2, () => apiKey)))),
  },
  16,
);
