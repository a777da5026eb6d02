// OpenAPI 3 in protobuf: the field numbers of gnostic's `openapi.v3` for what the documents contain.

import type { Writer } from 'protobufjs';
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
  referenceOr,
  schemaOrFlag,
  textField,
  texts,
  truth,
  whole,
} from './gnostic.js';

/** The media types of the encoding: that of today, and its older form. */
export const typesV3 = [
  'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
  'application/com.github.proto-openapi.spec.v3@v1.0+protobuf',
] as const;

/** Encodes a document of OpenAPI 3. */
export const encodeV3 = (document: DocumentNode): Uint8Array => encoded(documentMessage, document);

const reference = one(2, () => only((value, writer) => textField(1)((value as DocumentNode).$ref, writer)));
const schemaOrReference: Message = referenceOr(
  one(1, () => schema),
  reference,
);

/** A default that is a number, a boolean or a text; the message has no field for any other. */
const plainDefault = (value: unknown, writer: Writer): void => {
  const field = { number: double(1), boolean: truth(2), string: textField(3) }[typeof value as string];
  if (field !== undefined) one(33, () => only(field))(value, writer);
};

const schema: Message = message(
  {
    nullable: flagField(1),
    externalDocs: one(6, () => message({ description: textField(1), url: textField(2) }, 3)),
    example: one(7, () => anything),
    title: textField(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: flagField(12),
    minimum: double(13),
    exclusiveMinimum: flagField(14),
    maxLength: whole(15),
    minLength: whole(16),
    pattern: textField(17),
    maxItems: whole(18),
    minItems: whole(19),
    uniqueItems: flagField(20),
    maxProperties: whole(21),
    minProperties: whole(22),
    required: texts(23),
    enum: many(24, () => anything),
    type: textField(25),
    allOf: many(26, () => schemaOrReference),
    oneOf: many(27, () => schemaOrReference),
    anyOf: many(28, () => schemaOrReference),
    not: one(29, () => schema),
    items: one(30, () => only(one(1, () => schemaOrReference))),
    properties: one(31, () => named(1, () => schemaOrReference)),
    additionalProperties: schemaOrFlag(32, () => schemaOrReference),
    default: plainDefault,
    description: textField(34),
    format: textField(35),
  },
  36,
);

const content = () => named(1, () => message({ schema: one(1, () => schemaOrReference) }, 5));

const parameter = message(
  {
    name: textField(1),
    in: textField(2),
    description: textField(3),
    required: flagField(4),
    schema: one(10, () => schemaOrReference),
  },
  14,
);

const parameters = (number: number) => many(number, () => only(one(1, () => parameter)));
const requestBody = message({ description: textField(1), content: one(2, content), required: flagField(3) }, 4);
const response = message({ description: textField(1), content: one(3, content) }, 5);

const operation = message(
  {
    tags: texts(1),
    description: textField(3),
    operationId: textField(5),
    parameters: parameters(6),
    requestBody: one(7, () => only(one(1, () => requestBody))),
    responses: one(8, () => paths(2, 3, () => only(one(1, () => response)))),
  },
  13,
);

const pathItem = message(
  {
    get: one(4, () => operation),
    put: one(5, () => operation),
    post: one(6, () => operation),
    delete: one(7, () => operation),
    options: one(8, () => operation),
    head: one(9, () => operation),
    patch: one(10, () => operation),
    parameters: parameters(13),
  },
  14,
);

const securityScheme = message(
  { type: textField(1), description: textField(2), name: textField(3), in: textField(4) },
  9,
);

const components = message(
  {
    schemas: one(1, () => named(1, () => schemaOrReference)),
    securitySchemes: one(7, () => named(1, () => only(one(1, () => securityScheme)))),
  },
  10,
);

const documentMessage = message(
  {
    openapi: textField(1),
    info: one(2, () => message({ title: textField(1), version: textField(6) }, 7)),
    paths: one(4, () => paths(1, 2, () => pathItem)),
    components: one(5, () => components),
  },
  9,
);
