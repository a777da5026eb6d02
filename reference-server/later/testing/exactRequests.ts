// A definition with every kind of value, and requests whose bodies and answers are exact: texts, and integers beyond 2⁵³.
import { jsonText, parseJson } from '../../exactJson.js';
import type { RunningServer } from '../../server.js';
import type { AnyShape } from '../../testing/anyShape.js';
import { ask } from '../../testing/standIn.js';
import { definition, version } from './customResources.js';

const integer = { type: 'integer' };
const text = { type: 'string' };
const fields = (properties: object): object => ({ type: 'object', properties });
const list = (items: object, more: object = {}): object => ({ type: 'array', items, ...more });

const spec = {
  size: integer,
  small: { type: 'integer', format: 'int32' },
  big: { type: 'integer', format: 'int64' },
  part: { type: 'number', multipleOf: 0.1 },
  dozen: { type: 'integer', multipleOf: 12 },
  most: { type: 'integer', maximum: 9007199254740992 },
  num: { type: 'number' },
  least: { type: 'number', minimum: 0.5, maximum: 10.6 },
  either: { 'x-kubernetes-int-or-string': true },
  some: { type: 'integer', enum: [9007199254740993n, 1] },
  usual: { type: 'integer', default: 9007199254740993n },
  hosts: list(text),
  nums: list(integer),
  set: list(integer, { 'x-kubernetes-list-type': 'set' }),
  labels: { type: 'object', additionalProperties: text },
  refs: list(fields({ name: text, n: integer }), { 'x-kubernetes-list-type': 'atomic' }),
  items: list(
    { type: 'object', required: ['id'], properties: { id: integer, v: text } },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['id'] },
  ),
  box: {
    type: 'object',
    'x-kubernetes-map-type': 'atomic',
    properties: { w: integer, in: fields({ d: text }) },
  },
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
};

const columns = [
  { name: 'Big', type: 'integer', jsonPath: '.spec.big' },
  { name: 'Found', type: 'string', jsonPath: '.spec.items[?(@.id==9007199254740993)].v' },
];

/** The definition of things with all these fields. */
export const exactDefinition = (plural: string, kind: string): AnyShape =>
  definition(plural, kind, [
    version('v1', { spec: fields(spec) }, { subresources: { status: {} }, additionalPrinterColumns: columns }),
  ]);

/** A response with its exact body. */
export interface ExactReply {
  readonly status: number;
  readonly body: AnyShape;
  readonly text: string;
  readonly warnings: string;
}

/** Sends a body: a text as it is, or a value as exact JSON. */
export async function sendExactly(
  server: RunningServer,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ExactReply> {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : jsonText(body) };
  const reply = await ask(server, path, {
    method,
    ...sent,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
  const isJson = String(reply.headers['content-type']).includes('json');
  return {
    status: reply.status,
    text: reply.text,
    body: isJson ? parseJson(reply.text) : undefined,
    warnings: String(reply.headers.warning ?? ''),
  };
}

/** The types of patches and of other bodies. */
export const types = {
  merge: { 'content-type': 'application/merge-patch+json' },
  json: { 'content-type': 'application/json-patch+json' },
  strategic: { 'content-type': 'application/strategic-merge-patch+json' },
  apply: { 'content-type': 'application/apply-patch+yaml' },
  yaml: { 'content-type': 'application/yaml' },
} as const;
