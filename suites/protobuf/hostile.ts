// Bytes that are not an object of the path are refused, and the server goes on. Unknown fields are skipped.
import { defined } from '../../matrix/api/index.js';
import { clientError, fail, holds, success } from '../client/expect.js';
import type { JsonObject } from '../client/json.js';
import { fill, resourceOf } from '../client/paths.js';
import { encodeObject, envelopeOf, openEnvelope, protobufMagic } from '../client/protobuf/envelope.js';
import { delimitedField, varint, varintField } from '../client/protobuf/wire.js';
import type { Reply } from '../client/reply.js';
import type { OperationSubject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { group } from '../run/group.js';
import { sendBytes } from './sending.js';

/** A field number that no message has. */
const unknown = 1_999;
const startGroup = 3;
/** The depths of nested groups: enough to find recursion, and more for a disposable target. */
const depths = { usual: 10_000, disposable: 100_000 } as const;

/** Returns an object of the path, and a function that sends other bytes in its place. */
async function target({ operation }: OperationSubject, { client, sandbox }: Context) {
  const resource = resourceOf(operation);
  const namespace = resource.namespaced ? await sandbox.namespace() : undefined;
  const name = sandbox.name(resource);
  const body = sandbox.body(resource, name, namespace);
  const path = fill(operation.path, namespace);
  const find = () => sandbox.current({ resource, name, ...defined({ namespace }) });
  return {
    bytes: Buffer.from(encodeObject(body)),
    body,
    find,
    send: (b: Uint8Array) => sendBytes(client, 'POST', path, b),
  };
}

/** Returns the envelope with changed bytes of its object. */
function inside(bytes: Uint8Array, change: (raw: Uint8Array) => Uint8Array): Uint8Array {
  const envelope = openEnvelope(bytes);
  return envelopeOf({ ...envelope, raw: change(envelope.raw) });
}

const after =
  (...parts: readonly Uint8Array[]) =>
  (raw: Uint8Array) =>
    Buffer.concat([raw, ...parts]);
const length = (bytes: number): Uint8Array => Buffer.concat([varint(unknown * 8 + 2), varint(bytes)]);

/** The request bodies, by requirement. */
const bodies: Readonly<Record<string, (bytes: Uint8Array, depth: number) => readonly Uint8Array[]>> = {
  truncated: (bytes) => [
    bytes.subarray(0, protobufMagic.length),
    bytes.subarray(0, bytes.length / 2),
    bytes.subarray(0, -1),
    inside(bytes, (raw) => raw.subarray(0, -1)),
  ],
  'without-magic': (bytes) => [
    bytes.subarray(protobufMagic.length),
    Buffer.concat([Buffer.from('K8S\0'), bytes.subarray(4)]),
  ],
  'wrong-kind': (bytes) => [
    envelopeOf({ apiVersion: 'v1', kind: 'ConfigMap', raw: openEnvelope(bytes).raw }),
    envelopeOf({ apiVersion: 'v1', kind: 'NoSuchKind', raw: openEnvelope(bytes).raw }),
  ],
  'wrong-wire-type': (bytes) => [
    inside(bytes, after(varintField(1, 5))),
    inside(bytes, after(Buffer.of(0x0d, 1, 2, 3, 4))),
  ],
  'huge-length': (bytes) => [
    inside(bytes, after(length(2 ** 31 - 1))),
    inside(bytes, after(length(2 ** 31))),
    inside(bytes, after(length(2 ** 53))),
    Buffer.concat([bytes, length(2 ** 31)]),
  ],
  'deep-nesting': (bytes, depth) => {
    const group = varint(unknown * 8 + startGroup);
    return [inside(bytes, after(Buffer.alloc(depth * group.length, group)))];
  },
};

interface Refused {
  readonly replies: readonly Reply[];
  readonly found: JsonObject | undefined;
}

const isRefused =
  (requirement: string) =>
  (refused: Readonly<Record<string, Refused>>): void => {
    const { replies, found } = refused[requirement] ?? fail(`nothing was sent for ${requirement}`);
    for (const reply of replies) clientError(reply);
    if (found !== undefined) fail(`${replies[0]?.request}, ${requirement}: the object was made`);
  };

export const hostileGroups = [
  group({
    subjects: 'hostileProtobuf',
    setup: async (subject, context) => {
      const refused: Record<string, Refused> = {};
      const depth = depths[context.run.target.disposable ? 'disposable' : 'usual'];
      for (const [requirement, spoil] of Object.entries(bodies)) {
        const { bytes, find, send } = await target(subject, context);
        const replies: Reply[] = [];
        for (const body of spoil(bytes, depth)) replies.push(await send(body));
        refused[requirement] = { replies, found: await find() };
      }
      return refused;
    },
    checks: {
      truncated: isRefused('truncated'),
      'without-magic': isRefused('without-magic'),
      'wrong-kind': isRefused('wrong-kind'),
      'wrong-wire-type': isRefused('wrong-wire-type'),
      'huge-length': isRefused('huge-length'),
      'deep-nesting': isRefused('deep-nesting'),
    },
  }),
  group({
    subjects: 'unknownNumbers',
    setup: async (subject, context) => {
      const { bytes, body, find, send } = await target(subject, context);
      const fields = [varintField(unknown, 7), delimitedField(unknown + 1, 'new')];
      const reply = await send(Buffer.concat([inside(bytes, after(...fields)), ...fields]));
      return { reply, body, found: await find() };
    },
    checks: {
      'unknown-field': ({ reply, body, found }) => {
        success(reply);
        holds(found, body, `${reply.request} with a field more, then read`);
      },
    },
  }),
];
