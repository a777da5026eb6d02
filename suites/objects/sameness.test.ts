// The comparison of an object in protobuf and in JSON: which differences count.
import { expect, it } from 'vitest';
import type { JsonObject } from '../client/json.js';
import { sameObject } from './sameness.js';

const job = (fields: JsonObject): JsonObject => ({ apiVersion: 'batch/v1', kind: 'Job', ...fields });
const container = (fields: JsonObject): JsonObject => ({
  spec: { template: { spec: { containers: [{ name: 'main', ...fields }] } } },
});

it.each<[what: string, protobuf: JsonObject, json: JsonObject]>([
  ['equal objects', container({ image: 'a' }), container({ image: 'a' })],
  ['zeros and empty texts that JSON leaves out', container({ image: '', stdin: false }), container({})],
  ['empty messages that JSON leaves out', { spec: { template: { spec: {} } } }, {}],
  ['empty objects that protobuf leaves out', {}, { metadata: { labels: {} }, spec: { selector: null }, status: {} }],
  ['an empty time', { metadata: { creationTimestamp: null } }, { metadata: {} }],
  ['a member that the table lacks', {}, { metadata: { managedFields: [{ manager: 'a' }] } }],
])('%s are the same', (_, protobuf, json) => {
  expect(() => sameObject(job(protobuf), job(json), 'read')).not.toThrow();
});

it.each<[what: string, protobuf: JsonObject, json: JsonObject, where: string]>([
  ['another text', container({ image: 'a' }), container({ image: 'b' }), 'spec.template.spec.containers[0].image'],
  ['a zero that protobuf lacks', {}, { spec: { parallelism: 0 } }, 'spec.parallelism'],
  ['a number that JSON lacks', { spec: { parallelism: 1 } }, {}, 'spec.parallelism'],
  ['a text in place of a number', { spec: { parallelism: '1' } }, { spec: { parallelism: 1 } }, 'spec.parallelism'],
  ['an item less', container({}), { spec: { template: { spec: { containers: [] } } } }, 'containers'],
  ['another key', { metadata: { labels: { a: '' } } }, { metadata: { labels: { b: '' } } }, 'metadata.labels'],
  ['a key less', { metadata: {} }, { metadata: { labels: { a: '' } } }, 'metadata.labels'],
  ['another kind', { kind: 'Pod' }, {}, 'kind'],
])('%s is a difference', (_, protobuf, json, where) => {
  expect(() => sameObject(job(protobuf), job(json), 'read')).toThrow(where);
});
