// The suite's protobuf codec: golden bytes of a real server, values in both directions, and invalid bytes.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiVersionOf, resourceId, statedOperations } from '../../../matrix/api/index.js';
import { type TypeName, typeOf } from '../../../matrix/api/types/index.js';
import { sampleOf } from '../../objects/samples/index.js';
import type { Json } from '../json.js';
import { FrameSequence } from '../streams/sequences.js';
import { decodeEvent, decodeObject, encodeObject, envelopeOf, openEnvelope, protobufMagic } from './envelope.js';
import { decodeMessage, encodeMessage } from './messages.js';
import { delimitedField, varint, varintField } from './wire.js';

const golden = (name: string): Buffer => readFileSync(new URL(`golden/${name}.bin`, import.meta.url));
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('golden bytes of kube-apiserver 1.20.2', () => {
  it('decode to an object', () => {
    expect(decodeObject(golden('configMap'))).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'c1',
        generateName: '',
        namespace: 'ev',
        selfLink: '',
        uid: '11ae40d4-0f90-421e-bda0-53030ecf2c8a',
        resourceVersion: '96',
        generation: 0,
        creationTimestamp: '2026-11-21T01:26:55Z',
        clusterName: '',
      },
      data: { k: 'norv' },
    });
  });

  it('decode to a list', () => {
    const list = decodeObject(golden('configMapList'));
    expect(list).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMapList', metadata: { selfLink: '' } });
    expect(list.items).toMatchObject([
      { metadata: { name: 'c1' }, data: { k: 'norv' } },
      { metadata: { name: 'ct2' }, data: { k: 'v' } },
    ]);
  });

  it.each([1, 7, 1_000])('decode to the events of a watch, cut after every %d bytes', (size) => {
    const bytes = golden('configMapWatch');
    const frames = new FrameSequence();
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
      bytes.subarray(i * size, (i + 1) * size),
    );
    const events = chunks.flatMap((chunk) => frames.push(chunk)).map((piece) => decodeEvent(piece.bytes));
    expect(events).toMatchObject([
      { type: 'ADDED', object: { kind: 'ConfigMap', metadata: { name: 'wp1' }, data: { k: 'v' } } },
      { type: 'DELETED', object: { kind: 'ConfigMap', metadata: { name: 'wp1' }, data: { k: 'v' } } },
    ]);
    expect(frames.rest).toHaveLength(0);
  });
});

describe('a field', () => {
  it.each<[what: string, type: TypeName, object: Record<string, Json>, bytes: string]>([
    ['a number', 'ScaleSpec', { replicas: 300 }, '08 ac02'],
    ['a negative number', 'ScaleSpec', { replicas: -1 }, '08 ffffffffffffffffff01'],
    ['zero', 'ScaleSpec', { replicas: 0 }, '08 00'],
    ['a text', 'ScaleStatus', { replicas: 1, selector: 'a=ä' }, '08 01 12 04 613dc3a4'],
    ['a boolean', 'DeleteOptions', { orphanDependents: false }, '18 00'],
    ['a list', 'DeleteOptions', { dryRun: ['All', ''] }, '2a 03 416c6c 2a 00'],
    ['a map', 'ReplicationControllerSpec', { selector: { a: 'b' } }, '12 06 0a0161 120162'],
    ['bytes of a map', 'Secret', { data: { a: '//4=' } }, '12 07 0a0161 1202fffe'],
    ['a quantity', 'ResourceRequirements', { limits: { cpu: '100m' } }, '0a 0d 0a03637075 1206 0a0431 30306d'],
    ['an integer or a string', 'RollingUpdateDeployment', { maxSurge: 5 }, '12 06 0800 1005 1a00'],
    ['a string or an integer', 'RollingUpdateDeployment', { maxSurge: '5%' }, '12 08 0801 1000 1a02 3525'],
    ['a time', 'JobStatus', { startTime: '1970-01-01T00:05:00Z' }, '12 05 08ac02 1000'],
    ['inlined fields', 'Volume', { name: 'v', emptyDir: { medium: 'Memory' } }, '0a0176 120a 1208 0a064d656d6f7279'],
    ['a bare list', 'APIResource', { verbs: ['get'] }, '2205 0a03676574'],
    ['a map of bare lists', 'UserInfo', { extra: { a: ['b'] } }, '2208 0a0161 1203 0a0162'],
  ])('%s is written and read', (_, type, object, bytes) => {
    expect(Buffer.from(encodeMessage(typeOf(type), object)).toString('hex')).toBe(hex(bytes).toString('hex'));
    expect(decodeMessage(typeOf(type), hex(bytes))).toEqual(object);
  });

  it('that is an empty time is null', () => {
    expect(decodeMessage(typeOf('JobStatus'), hex('1200'))).toEqual({ startTime: null });
  });

  it('that is packed is a list', () => {
    expect(decodeMessage(typeOf('PodSecurityContext'), hex('22 03 01ac02'))).toEqual({ supplementalGroups: [1, 300] });
  });

  it('with an unknown number is skipped, whatever its wire type', () => {
    const unknown = [varintField(99, 1), delimitedField(99, 'x'), hex('9d06 01020304'), hex('9906 0102030405060708')];
    const group = hex('9b06 0801 13 14 9c06');
    const bytes = Buffer.concat([...unknown, group, varintField(1, 3)]);
    expect(decodeMessage(typeOf('ScaleSpec'), bytes)).toEqual({ replicas: 3 });
  });
});

describe('the samples', () => {
  const created = statedOperations.flatMap(({ verb, resource }) => (verb === 'create' && resource ? [resource] : []));

  it.each(
    created.filter(({ kind }) => kind !== 'Binding').map((resource) => [resourceId(resource), resource] as const),
  )('%s come through unchanged', (_, resource) => {
    const { fields, status } = sampleOf(resource);
    const { groupVersion, kind } = resource;
    const object = { apiVersion: apiVersionOf(groupVersion), kind, ...fields, ...(status ? { status } : {}) };
    expect(decodeObject(encodeObject(object))).toEqual(object);
  });
});

describe('bytes that are none', () => {
  const valid = Buffer.from(encodeObject({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } }));
  const raw = openEnvelope(valid).raw;
  const inEnvelope = (bytes: Uint8Array): Uint8Array => envelopeOf({ apiVersion: 'v1', kind: 'ConfigMap', raw: bytes });

  it.each<[string, Uint8Array]>([
    ['without the first four bytes', valid.subarray(4)],
    ['too short', valid.subarray(0, -1)],
    ['a length beyond the end', inEnvelope(hex('12 ffffffff07'))],
    ['a negative length', inEnvelope(hex('12 ffffffffffffffffff01'))],
    ['a varint without end', inEnvelope(hex('08 ffffffffffffffffffffffff'))],
    ['a message that is a number', inEnvelope(varintField(1, 5))],
    ['groups without end', inEnvelope(Buffer.alloc(100_000, 0x9b))],
    ['a group that was not begun', inEnvelope(hex('0c'))],
    ['text that is no UTF-8', inEnvelope(delimitedField(2, hex('0a01ff')))],
    ['an unknown kind', envelopeOf({ apiVersion: 'v1', kind: 'NoSuchKind', raw })],
    ['nothing in the envelope', protobufMagic],
  ])('%s is an error', (_, bytes) => {
    expect(() => decodeObject(bytes)).toThrow();
  });

  it('a frame that never comes whole stays apart', () => {
    const frames = new FrameSequence();
    expect(frames.push(hex('80000000 0102'))).toEqual([]);
    expect(frames.rest).toEqual(hex('80000000 0102'));
  });

  it('numbers of more than 53 bits are written whole', () => {
    expect(Buffer.from(varint(2n ** 63n)).toString('hex')).toBe('80808080808080808001');
  });
});
