// Decodes gnostic's protobuf to the JSON of a document, with descriptors of its own: for tests.
import protobuf from 'protobufjs';

/** `name: type number`; `*` repeats. A message with `pairs` is a map of named values, `oneof` one of its values. */
type Messages = Readonly<Record<string, string>>;

const common: Messages = {
  Any: 'yaml:string 2',
  NamedAny: 'name:string 1, value:Any 2',
  StringArray: '*value:string 1',
  NamedStringArray: 'name:string 1, value:StringArray 2',
  SecurityRequirement: '*additionalProperties:NamedStringArray 1',
};

const v2: Messages = {
  ...common,
  Document:
    'swagger:string 1, info:Info 2, paths:Paths 8, definitions:Definitions 9, *security:SecurityRequirement 12, securityDefinitions:SecurityDefinitions 13',
  Info: 'title:string 1, version:string 2',
  Paths: '*path:NamedPathItem 2',
  NamedPathItem: 'name:string 1, value:PathItem 2',
  PathItem:
    'get:Operation 2, put:Operation 3, post:Operation 4, delete:Operation 5, options:Operation 6, head:Operation 7, patch:Operation 8, *parameters:ParametersItem 9',
  Operation:
    '*tags:string 1, description:string 3, operationId:string 5, *produces:string 6, *consumes:string 7, *parameters:ParametersItem 8, responses:Responses 9, *schemes:string 10, *vendorExtension:NamedAny 13',
  ParametersItem: 'parameter:ParameterItem 1',
  ParameterItem: 'body:BodyParameter 1, nonBody:NonBodyItem 2',
  BodyParameter: 'description:string 1, name:string 2, in:string 3, required:bool 4, schema:Schema 5',
  NonBodyItem: 'query:QueryParameter 3, path:PathParameter 4',
  QueryParameter: 'required:bool 1, in:string 2, name:string 4, type:string 6, uniqueItems:bool 20',
  PathParameter: 'required:bool 1, in:string 2, name:string 4, type:string 5, uniqueItems:bool 18',
  Responses: '*responseCode:NamedResponseItem 1',
  NamedResponseItem: 'name:string 1, value:ResponseItem 2',
  ResponseItem: 'response:Response 1',
  Response: 'description:string 1, schema:SchemaItem 2',
  SchemaItem: 'schema:Schema 1',
  Definitions: '*additionalProperties:NamedSchema 1',
  NamedSchema: 'name:string 1, value:Schema 2',
  TypeItem: 'value:string 1',
  Schema:
    'ref:string 1, format:string 2, description:string 4, *required:string 19, additionalProperties:SchemaItem 21, type:TypeItem 22, items:SchemaItem 23, properties:Definitions 25, *vendorExtension:NamedAny 31',
  SecurityDefinitions: '*additionalProperties:NamedSecurity 1',
  NamedSecurity: 'name:string 1, value:SecurityItem 2',
  SecurityItem: 'apiKey:ApiKey 2',
  ApiKey: 'type:string 1, name:string 2, in:string 3, description:string 4',
};

const v3: Messages = {
  ...common,
  Document: 'openapi:string 1, info:Info 2, paths:Paths 4, components:Components 5',
  Info: 'title:string 1, version:string 6',
  Paths: '*path:NamedPathItem 1',
  NamedPathItem: 'name:string 1, value:PathItem 2',
  PathItem:
    'get:Operation 4, put:Operation 5, post:Operation 6, delete:Operation 7, options:Operation 8, head:Operation 9, patch:Operation 10, *parameters:ParameterOrReference 13',
  Operation:
    '*tags:string 1, description:string 3, operationId:string 5, *parameters:ParameterOrReference 6, requestBody:RequestBodyOrReference 7, responses:Responses 8, *specificationExtension:NamedAny 13',
  ParameterOrReference: 'parameter:Parameter 1',
  Parameter: 'name:string 1, in:string 2, description:string 3, required:bool 4, schema:SchemaOrReference 10',
  RequestBodyOrReference: 'requestBody:RequestBody 1',
  RequestBody: 'content:MediaTypes 2, required:bool 3',
  MediaTypes: '*additionalProperties:NamedMediaType 1',
  NamedMediaType: 'name:string 1, value:MediaType 2',
  MediaType: 'schema:SchemaOrReference 1',
  Responses: '*responseOrReference:NamedResponse 2',
  NamedResponse: 'name:string 1, value:ResponseOrReference 2',
  ResponseOrReference: 'response:Response 1',
  Response: 'description:string 1, content:MediaTypes 3',
  Components: 'schemas:Schemas 1, securitySchemes:SecuritySchemes 7',
  Schemas: '*additionalProperties:NamedSchema 1',
  NamedSchema: 'name:string 1, value:SchemaOrReference 2',
  SchemaOrReference: 'schema:Schema 1, reference:Reference 2',
  Reference: 'ref:string 1',
  Schema:
    'uniqueItems:bool 20, *required:string 23, type:string 25, *oneOf:SchemaOrReference 27, items:SchemaItem 30, properties:Schemas 31, additionalProperties:SchemaItem 32, description:string 34, format:string 35, *specificationExtension:NamedAny 36, *allOf:SchemaOrReference 26, *enum:Any 24, default:DefaultType 33',
  DefaultType: 'number:double 1, boolean:bool 2, string:string 3',
  SchemaItem: 'schemaOrReference:SchemaOrReference 1',
  SecuritySchemes: '*additionalProperties:NamedSecurity 1',
  NamedSecurity: 'name:string 1, value:SecurityOrReference 2',
  SecurityOrReference: 'security:Security 1',
  Security: 'type:string 1, description:string 2, name:string 3, in:string 4',
};

/** Messages that only wrap the value of one of their fields. */
const wrapper = /(?<!^Path)Item$|OrReference$/;

const roots = { v2: rootOf(v2), v3: rootOf(v3) };

function rootOf(messages: Messages): protobuf.Root {
  const nested = Object.entries(messages).map(([name, rows]) => {
    const fields = rows.split(', ').map((row) => {
      const [, star = '', field = '', type = '', id = ''] = /^(\*?)(\w+):(\w+) (\d+)$/.exec(row) ?? [];
      return [field, { type, id: Number(id), ...(star && { rule: 'repeated' }) }] as const;
    });
    return [name, { fields: Object.fromEntries(fields) }] as const;
  });
  return protobuf.Root.fromJSON({ nested: Object.fromEntries(nested) });
}

/** Decodes a document. Throws if the bytes have a field that the descriptors lack. */
export function decodeGnostic(version: keyof typeof roots, bytes: Uint8Array): unknown {
  const type = roots[version].lookupType('Document');
  return jsonOf(type.decode(bytes));
}

function jsonOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.every(isPair) ? Object.fromEntries(value.map(pairOf)) : value.map(jsonOf);
  if (!(value instanceof protobuf.Message)) return value;
  const type = value.$type.name;
  const unread = (value as { $unknowns?: unknown[] }).$unknowns ?? [];
  if (unread.length > 0) throw new Error(`${type} has fields that the descriptor lacks`);
  const fields = Object.entries(value as object).filter(([, inner]) => !Array.isArray(inner) || inner.length > 0);
  if (type === 'Any') return JSON.parse(String(fields[0]?.[1]));
  if (type === 'StringArray') return fields[0]?.[1] ?? [];
  if (wrapper.test(type)) return jsonOf(fields[0]?.[1]);
  const result: Record<string, unknown> = {};
  for (const [name, inner] of fields) {
    const json = jsonOf(inner);
    if (/Extension$|^additionalProperties$|^path$|^responseCode$|^responseOrReference$/.test(name) && isMap(inner))
      Object.assign(result, json);
    else result[name === 'ref' ? '$ref' : name] = json;
  }
  return result;
}

const isPair = (value: unknown): boolean => value instanceof protobuf.Message && value.$type.name.startsWith('Named');
const isMap = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isPair);
const pairOf = (pair: { name?: string; value?: unknown }): [string, unknown] => [pair.name ?? '', jsonOf(pair.value)];
