// The schemas accept responses of servers of every version, and reject responses that no server sends.
import { describe, expect, it } from 'vitest';
import { type Json, type JsonObject, merge } from '../../client/json.js';
import { additionalIn } from './additional.js';
import { hasStatedFields, isValid } from './validate.js';

const container = { name: 'main', image: 'registry.example/some:1' };
const deployment: JsonObject = {
  apiVersion: 'extensions/v1beta1',
  kind: 'Deployment',
  metadata: { name: 'some', namespace: 'there', creationTimestamp: '2016-12-24T18:00:00Z' },
  spec: {
    replicas: 0,
    template: { metadata: { creationTimestamp: null, labels: { a: 'b' } }, spec: { containers: [container] } },
  },
};
const object = (kind: string, more: JsonObject, apiVersion = 'v1'): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'some', namespace: 'there' },
  ...more,
});
const changed = (change: JsonObject): JsonObject => merge(deployment, change);
const inTemplate = (spec: JsonObject): JsonObject => changed({ spec: { template: { spec } } });

describe('a response of a server of any version', () => {
  it.each<[what: string, body: JsonObject]>([
    ['a Deployment', deployment],
    ['members of a newer server', changed({ metadata: { managedFields: [{ fieldsV1: {} }] }, spec: { newer: 1 } })],
    ['a protocol that came later', object('Service', { spec: { ports: [{ port: 1, protocol: 'SCTP' }] } })],
    ['null for what is empty', object('Pod', { spec: { containers: null, volumes: null, nodeSelector: null } })],
    ['an empty Secret value as null', object('Secret', { data: { some: null, other: 'AAEC/w==' }, type: 'Opaque' })],
    ['null for a text that is not set', object('Secret', { type: null })],
    ['no data at all', object('Secret', { data: null })],
    ['an integer as a float', changed({ spec: { replicas: Number('1.0') } })],
    ['a quantity as a number', inTemplate({ containers: [{ ...container, resources: { limits: { cpu: 2 } } }] })],
    ['an int or a string', changed({ spec: { strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } } } })],
    ['an enumeration that is not said', inTemplate({ restartPolicy: '' })],
    ['a time with parts of a second', changed({ metadata: { creationTimestamp: '2026-11-22T06:17:44.123456Z' } })],
    ['a service without ports', object('Service', { spec: { clusterIP: 'None' } })],
    ['endpoints without subsets', object('Endpoints', {})],
    ['discovery of an old server', { kind: 'APIResourceList', groupVersion: 'v1', resources: [] }],
    ['an account without Secrets', object('ServiceAccount', { secrets: null })],
    ['an empty list', { apiVersion: 'v1', kind: 'PodList', metadata: {}, items: null }],
    ['a Status', { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code: 404, details: {} }],
  ])('is valid: %s', (_, body) => {
    isValid(body, 'the body');
    if (body.apiVersion !== undefined) hasStatedFields(body, 'the body');
  });

  it('is valid in protobuf without required fields that are zero', () => {
    const event = object('Binding', {});
    expect(() => isValid(event, 'the body')).toThrow("must have required property 'target'");
    isValid(event, 'the body', 'protobuf');
  });

  it('has no schema for an unknown kind', () => isValid({ kind: 'Nothing', metadata: 1 }, 'the body'));
});

describe('an invalid response', () => {
  it.each<[problem: string, body: JsonObject]>([
    ['spec.replicas: "1" must be integer', changed({ spec: { replicas: '1' } })],
    ['spec.replicas: 1.5 must be integer', changed({ spec: { replicas: 1.5 } })],
    ['spec.minReadySeconds: 3000000000 must match format "int32"', changed({ spec: { minReadySeconds: 3e9 } })],
    [
      'metadata.creationTimestamp: "today" must match format "date-time"',
      changed({ metadata: { creationTimestamp: 'today' } }),
    ],
    ['metadata.labels.a: 1 must be string', changed({ metadata: { labels: { a: 1 } } })],
    ['spec.template.spec.containers: it must be array,null', inTemplate({ containers: {} })],
    ["spec.template.spec.containers[0]: it must have required property 'name'", inTemplate({ containers: [{}] })],
    ['spec.template.spec.containers[0]: null must be object', inTemplate({ containers: [null] })],
    ['must be equal to one of the allowed values: ["Always"', inTemplate({ restartPolicy: 'always' })],
    ['data.some: "no base64" must match format "byte"', object('Secret', { data: { some: 'no base64' } })],
    ['metadata.labels.a/b~c: 1 must be string', changed({ metadata: { labels: { 'a/b~c': 1 } } })],
    ['items[0].spec: "none" must be object', { apiVersion: 'v1', kind: 'PodList', items: [{ spec: 'none' }] }],
  ])('is not valid: %s', (problem, body) => {
    expect(() => isValid(body, 'the body')).toThrow(problem);
  });

  it.each<[problem: string, body: JsonObject]>([
    ["it must have required property 'apiVersion'", { kind: 'Status' }],
    ["metadata: it must have required property 'name'", changed({ metadata: { name: undefined } as never })],
    ["metadata: it must have required property 'namespace'", { ...deployment, metadata: { name: 'some' } }],
    ["spec: it must have required property 'replicas'", { ...deployment, spec: { template: {} } }],
    [
      "spec.template: it must have required property 'metadata'",
      { ...deployment, spec: { replicas: 1, template: {} } },
    ],
    ["containers[0]: it must have required property 'image'", inTemplate({ containers: [{ name: 'main' }] })],
    ['spec.serviceAccountName: 1 must be string', object('Pod', { spec: { serviceAccountName: 1 } })],
    ["secrets[0]: it must have required property 'name'", object('ServiceAccount', { secrets: [{}] })],
    ['data.some: "#" must match format "byte"', object('Secret', { data: { some: '#' } })],
    [
      "items[0].metadata: it must have required property 'name'",
      { apiVersion: 'v1', kind: 'NodeList', items: [{ metadata: {} }] },
    ],
  ])('lacks a required field: %s', (problem, body) => {
    expect(() => hasStatedFields(JSON.parse(JSON.stringify(body)), 'the body')).toThrow(problem);
  });
});

describe('fields that are not in the table', () => {
  it('are reported by their paths, once each', () => {
    const items: Json = [container, container].map((one) =>
      object('Pod', { spec: { containers: [{ ...one, newer: 1 }], host: 1 } }),
    );
    const note = additionalIn({ apiVersion: 'v1', kind: 'PodList', items, extra: 1 });
    expect(note?.text).toBe('PodList: items[].spec.containers[].newer, items[].spec.host, extra');
    expect(additionalIn(deployment)).toBeUndefined();
  });
});
