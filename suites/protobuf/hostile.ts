// Bytes that are no object of the path: refused, nothing written, and the server goes on. What is merely new is skipped.
import type { OperationSubject } from '../../matrix/requirements/index.js';
import { clientError, fail, holds, success } from '../support/expect.js';
import type { JsonObject } from '../support/json.js';
import { encodeObject, envelopeOf, magic, openEnvelope } from '../support/protobuf/envelope.js';
import { delimitedField, varint, varintField } from '../support/protobuf/wire.js';
import type { Recorded } from '../support/recorded.js';
import type { Reply } from '../support/reply.js';
import { fill } from '../support/scope.js';
import type { Context } from '../support/worker.js';
import { sendBytes } from './sending.js';

/** A field number that no message has. */
const unknown = 1_999;
const startGroup = 3;
/** Groups within groups: as many as shows who recurses, and more for a disposable target. */
const depths = { usual: 10_000, disposable: 100_000 } as const;

/** An object of the path, and the bytes that are sent in its place. */
async function target({ operation }: OperationSubject, { client, scope }: Context) {
  const resource = operation.resource ?? fail('a create without a resource');
  const namespace = resource.namespaced ? await scope.namespace() : undefined;
  const name = scope.name(resource);
  const body = scope.body(resource, name, namespace);
  const path = fill(operation.path, namespace);
  const find = () => scope.current({ resource, name, ...(namespace === undefined ? {} : { namespace }) });
  return {
    bytes: Buffer.from(encodeObject(body)),
    body,
    find,
    send: (b: Uint8Array) => sendBytes(client, 'POST', path, b),
  };
}

/** The object's bytes, changed and put into the envelope again. */
function inside(bytes: Uint8Array, change: (raw: Uint8Array) => Uint8Array): Uint8Array {
  const envelope = openEnvelope(bytes);
  return envelopeOf({ ...envelope, raw: change(envelope.raw) });
}

const after =
  (...parts: readonly Uint8Array[]) =>
  (raw: Uint8Array) =>
    Buffer.concat([raw, ...parts]);
const length = (bytes: number): Uint8Array => Buffer.concat([varint(unknown * 8 + 2), varint(bytes)]);

/** What is sent, by requirement. */
const bodies: Readonly<Record<string, (bytes: Uint8Array, depth: number) => readonly Uint8Array[]>> = {
  truncated: (bytes) => [
    bytes.subarray(0, magic.length),
    bytes.subarray(0, bytes.length / 2),
    bytes.subarray(0, -1),
    inside(bytes, (raw) => raw.subarray(0, -1)),
  ],
  'without-magic': (bytes) => [bytes.subarray(magic.length), Buffer.concat([Buffer.from('K8S\0'), bytes.subarray(4)])],
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
  'deep-nesting': (bytes, depth) => [
    inside(bytes, after(...Array.from({ length: depth }, () => varint(unknown * 8 + startGroup)))),
  ],
};

interface Refused {
  readonly replies: readonly Reply[];
  readonly found: JsonObject | undefined;
}

export const hostilePerformers = {
  hostileProtobuf: async (subject: OperationSubject, context: Context) => {
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
  unknownNumbers: async (subject: OperationSubject, context: Context) => {
    const { bytes, body, find, send } = await target(subject, context);
    const fields = [varintField(unknown, 7), delimitedField(unknown + 1, 'new')];
    const reply = await send(Buffer.concat([inside(bytes, after(...fields)), ...fields]));
    return { reply, body, found: await find() };
  },
};

type Performers = typeof hostilePerformers;
type Hostile = Recorded<Performers['hostileProtobuf']>;

const isRefused =
  (requirement: string) =>
  (refused: Hostile): void => {
    const { replies, found } = refused[requirement] ?? fail(`nothing was sent for ${requirement}`);
    for (const reply of replies) clientError(reply);
    if (found !== undefined) fail(`${replies[0]?.request}, ${requirement}: the object was made`);
  };

export const hostileChecks = {
  truncated: isRefused('truncated'),
  'without-magic': isRefused('without-magic'),
  'wrong-kind': isRefused('wrong-kind'),
  'wrong-wire-type': isRefused('wrong-wire-type'),
  'huge-length': isRefused('huge-length'),
  'deep-nesting': isRefused('deep-nesting'),
  'unknown-field': ({ reply, body, found }: Recorded<Performers['unknownNumbers']>) => {
    success(reply);
    holds(found, body, `${reply.request} with a field more, then read`);
  },
};
