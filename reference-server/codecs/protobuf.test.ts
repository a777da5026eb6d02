// Tests protobuf against bytes of a real server, round trips of every kind, and hostile bytes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinds, listTypeOf, typeOf, typeOfKind } from '../../matrix/api/modern/index.js';
import { StatusError } from '../statusError.js';
import { objectsOf } from '../testing/values.js';
import type { ApiObject } from './codec.js';
import { createProtobuf } from './protobuf.js';

const protobuf = createProtobuf('application/vnd.kubernetes.protobuf');
const { encodeItem, wholeOf, joinList, frame } = protobuf as Required<typeof protobuf>;
const configMap = { apiVersion: 'v1', kind: 'ConfigMap' };

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');
const golden = (name: string) => readFileSync(join(import.meta.dirname, 'protobuf/testdata', `${name}.bin`));
const roundTrip = (object: ApiObject) => protobuf.decode(protobuf.encode(object, false));

/** Returns an envelope around a message of v1 ConfigMap, or of another v1 kind. */
const envelope = (content: string, kind = 'ConfigMap') => Buffer.from(wholeOf('v1', kind, field(0x12, content)));
const field = (tag: number, content: string) => Buffer.concat([Buffer.of(tag), delimited(bytesOf(content))]);
const delimited = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length), bytes]);

function fault(bytes: Uint8Array): string {
  try {
    protobuf.decode(bytes, configMap);
  } catch (error) {
    if (error instanceof StatusError && error.code === 400) return error.message;
    throw error;
  }
  return 'no fault';
}

describe('bytes of a real server', () => {
  it('are an object', () => {
    expect(protobuf.decode(golden('get'))).toEqual({
      ...configMap,
      metadata: {
        name: 'c1',
        namespace: 'ev',
        uid: '11ae40d4-0f90-421e-bda0-53030ecf2c8a',
        resourceVersion: '96',
        creationTimestamp: '2026-11-21T01:26:55Z',
        managedFields: [
          {
            manager: 'unknown',
            operation: 'Update',
            apiVersion: 'v1',
            time: '2026-11-21T01:26:55Z',
            fieldsType: 'FieldsV1',
            fieldsV1: { 'f:data': { '.': {}, 'f:k': {} } },
          },
        ],
      },
      data: { k: 'norv' },
    });
  });

  it('are a list', () => {
    const list = protobuf.decode(golden('list')) as { items: { metadata: { name: string } }[] };
    expect(list).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMapList', metadata: { remainingItemCount: 7 } });
    expect(list.items.map(({ metadata: { name } }) => name)).toEqual(['c1', 'ct2']);
  });

  it('are framed events, as this codec writes them', () => {
    const stream = golden('watch');
    const types: string[] = [];
    for (let at = 0; at < stream.length; ) {
      const length = stream.readUInt32BE(at);
      const event = stream.subarray(at + 4, at + 4 + length);
      const type = event.subarray(2, 2 + (event[1] ?? 0)).toString();
      const object = event.subarray(event.indexOf('k8s\0'));
      expect(protobuf.decode(object)).toMatchObject({ ...configMap, metadata: { name: 'wp1' } });
      expect(Buffer.from(frame(type, object))).toEqual(stream.subarray(at, at + 4 + length));
      types.push(type);
      at += 4 + length;
    }
    expect(types).toEqual(['ADDED', 'DELETED']);
  });
});

describe('encodings', () => {
  it.each([
    ['an int', { port: 80 }, '0a 06 08 00 10 50 1a 00'],
    ['a string', { port: 'web' }, '0a 09 08 01 10 00 1a 03 77 65 62'],
  ])('of an IntOrString that is %s', (_, tcpSocket, hex) => {
    const pod = { apiVersion: 'v1', kind: 'Pod', spec: { containers: [{ livenessProbe: { tcpSocket } }] } };
    expect(Buffer.from(protobuf.encode(pod, false)).toString('hex')).toContain(hex.replaceAll(' ', ''));
    expect(roundTrip(pod)).toEqual(pod);
  });

  it.each([
    ['ConfigMap', '0a 04 42 02 08 00', { metadata: { creationTimestamp: '1970-01-01T00:00:00Z' } }],
    ['ConfigMap', '0a 06 42 04 08 00 10 05', { metadata: { creationTimestamp: '1970-01-01T00:00:00Z' } }],
    ['ConfigMap', '0a 02 42 00', { metadata: {} }],
    ['ConfigMap', '0a 02 38 00', { metadata: {} }],
    ['ConfigMap', '0a 02 50 00', { metadata: { deletionGracePeriodSeconds: 0 } }],
    ['ConfigMap', '0a 04 38 01 38 00', { metadata: {} }],
    ['ConfigMap', '0a 0b 38 ff ff ff ff ff ff ff ff ff 01', { metadata: { generation: -1 } }],
    ['ConfigMap', '0a 09 38 ff ff ff ff ff ff ff 0f', { metadata: { generation: Number.MAX_SAFE_INTEGER } }],
    ['ConfigMap', '0a 03 0a 01 61 0a 04 1a 02 65 76', { metadata: { name: 'a', namespace: 'ev' } }],
    ['ConfigMap', '12 00', { data: { '': '' } }],
    ['ConfigMap', '12 04 12 02 6f 6b 7a 00 9b 06 08 01 9c 06 f8 01 01', { data: { '': 'ok' } }],
    ['Secret', '12 07 0a 01 61 12 02 00 ff', { data: { a: 'AP8=' } }],
    ['LimitRange', '12 07 0a 05 12 03 0a 01 63', { spec: { limits: [{ max: { c: '0' } }] } }],
    ['Pod', '12 06 72 04 22 02 01 02', { spec: { securityContext: { supplementalGroups: [1, 2] } } }],
    ['Pod', '12 06 72 04 20 01 20 02', { spec: { securityContext: { supplementalGroups: [1, 2] } } }],
  ])('%s %s', (kind, hex, expected) => {
    expect(protobuf.decode(envelope(hex, kind))).toEqual({ apiVersion: 'v1', kind, ...expected });
  });

  it('of an object whose kind comes from the URL', () => {
    expect(protobuf.decode(bytesOf('6b387300'), configMap)).toEqual(configMap);
  });

  it('of the versions of the first page of discovery, which have no version', () => {
    const versions = { kind: 'APIVersions', versions: ['v1'] };
    expect(protobuf.decode(protobuf.encode(versions, false))).toEqual({ apiVersion: '', ...versions });
    expect(Buffer.from(protobuf.encode(versions, false)).toString('latin1')).toContain('\n\0\x12\x0bAPIVersions');
  });

  it('of half a surrogate pair can be decoded', () => {
    expect(roundTrip({ ...configMap, data: { '\ud800': '\udc00' } })).toEqual({
      ...configMap,
      data: { '\ufffd': '\ufffd' },
    });
  });

  it('is refused for an object without a kind', () => {
    expect(() => protobuf.encode({ major: '1' }, false)).toThrow('application/json, application/yaml');
  });
});

describe('JSON to protobuf and back', () => {
  it.each(kinds.map(({ apiVersion, kind }) => [apiVersion, kind]))('%s %s', (apiVersion = '', kind = '') => {
    const type = typeOfKind(apiVersion, kind);
    if (type === undefined) throw new Error('not in the table');
    fc.assert(
      fc.property(objectsOf(type), (value) => {
        const object = { apiVersion, kind, ...(value as ApiObject) };
        expect(roundTrip(object)).toEqual(object);
      }),
      { numRuns: 30 },
    );
  });

  it('is a list, joined or whole', () => {
    const pods = fc.array(objectsOf(typeOf('Pod')), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(pods, objectsOf(typeOf('ListMeta')), (items, metadata) => {
        const head = { apiVersion: 'v1', kind: 'PodList', metadata };
        const encoded = items.map((item) => encodeItem('v1', 'Pod', item as ApiObject));
        const joined = Buffer.concat([...joinList(head, () => encoded)]);
        expect(joined).toEqual(Buffer.from(protobuf.encode({ ...head, items }, false)));
        expect(protobuf.decode(joined)).toEqual({ ...head, items });
        const whole = wholeOf('v1', 'Pod', encoded[0] as Uint8Array);
        expect(protobuf.decode(whole)).toEqual({ apiVersion: 'v1', kind: 'Pod', ...(items[0] as object) });
      }),
      { numRuns: 8 },
    );
    expect(listTypeOf('Pod').name).toBe('PodList');
  });
});

describe('refused bytes', () => {
  const deep = '9b06'.repeat(400_000);
  it.each<[string, Uint8Array, string]>([
    ['nothing', Buffer.alloc(0), 'provided data does not appear to be a protobuf message'],
    ['no magic number', Buffer.from('{"kind":"ConfigMap"}'), 'expected prefix [107 56 115 0]'],
    ['an unknown kind', wholeOf('v1', 'Nobody', Buffer.alloc(0)), 'no kind "Nobody" is registered for version "v1"'],
    ['a length of 2³¹', envelope('0a 80 80 80 80 08'), 'unexpected EOF'],
    ['a length of 2³² - 1', envelope('12 ff ff ff ff 0f'), 'unexpected EOF'],
    ['a length beyond the message', envelope('0a 02 0a 05'), 'index out of range'],
    ['a field beyond its map entry', envelope('12 02 0a 05 61 61 61 61 61'), 'index out of range'],
    ['a truncated tag', envelope('80'), 'index out of range'],
    ['a truncated number', envelope('0a 02 38 80'), 'index out of range'],
    ['an endless number', envelope('0a 0c 38 ff ff ff ff ff ff ff ff ff ff ff'), 'invalid varint'],
    ['a wrong wire type', envelope('08 01'), 'wrong wireType 0 for field 1'],
    ['a wrong wire type of a scalar', envelope('0a 05 0d 00 00 00 00'), 'wrong wireType 5 for field 1'],
    ['a wire type that is none', envelope('7e'), 'illegal wireType 6'],
    ['field 0', envelope('02 00'), 'illegal tag 0'],
    ['the end of a group', envelope('9c 06'), 'illegal wireType 4'],
    ['groups without an end', envelope(deep.slice(0, 160)), 'index out of range'],
    ['many groups without an end', wholeOf('v1', 'ConfigMap', bytesOf(deep)), 'index out of range'],
    ['a string that is not UTF-8', envelope('0a 04 0a 02 c3 28'), 'invalid UTF-8'],
    ['a key that is not allowed', envelope('12 0b 0a 09 5f 5f 70 72 6f 74 6f 5f 5f'), 'the key "__proto__"'],
    ['a time of nobody', envelope('0a 0b 42 09 08 ff ff ff ff ff ff ff 7f'), 'a time outside'],
  ])('%s', (_, bytes, message) => expect(fault(bytes)).toContain(message));

  it('any bytes are read or refused: 6000 examples', () => {
    const seeds = kinds.flatMap(({ apiVersion, kind }) => {
      const type = typeOfKind(apiVersion, kind);
      const objects = type === undefined ? [] : fc.sample(objectsOf(type), { numRuns: 2, seed: 7 });
      return objects.map((object) => protobuf.encode({ apiVersion, kind, ...(object as ApiObject) }, false));
    });
    const broken = fc
      .tuple(
        fc.constantFrom(...seeds, golden('get'), golden('list')),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(0, 1, 2, 7, 8, 127, 128, 255), fc.nat(2)), { maxLength: 6 }),
        fc.nat(20),
      )
      .map(([seed, edits, cut]) => {
        let bytes: Uint8Array = seed.subarray(0, seed.length - (cut > 10 ? cut : 0));
        for (const [where, byte, how] of edits) {
          const at = 4 + (where % Math.max(1, bytes.length - 4));
          const after = bytes.subarray(at + (how === 0 ? 0 : 1));
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(how === 2 ? [] : [byte]), after]);
        }
        return bytes;
      });
    const random = fc.uint8Array({ maxLength: 60 }).map((bytes) => envelope(Buffer.from(bytes).toString('hex')));
    let refused = 0;
    fc.assert(
      fc.property(fc.oneof(broken, random), (bytes) => {
        if (fault(bytes) !== 'no fault') refused += 1;
      }),
      { numRuns: 6000 },
    );
    expect(refused).toBeGreaterThan(1000);
  });

  it('memory is bounded by the number of bytes', () => {
    const bytes = wholeOf(
      'v1',
      'PodList',
      Buffer.concat([bytesOf('12 80 80 80 01'), Buffer.alloc(2 ** 21, '1200', 'hex')]),
    );
    const { items } = protobuf.decode(bytes) as { items: unknown[] };
    expect(items).toHaveLength(2 ** 20);
  });
});
