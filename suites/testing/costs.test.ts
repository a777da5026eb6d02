// Tests that the cost of what reads a target grows no faster than what the target sends: a target chooses how much that is,
// and in how many parts it comes.
import { test } from 'vitest';
import { jsonTexts, messages, yamlTexts } from '../../reference-server/testing/costs/codecs.js';
import type { Work } from '../../reference-server/testing/costs/growth.js';
import { patience, requireGrowth } from '../../reference-server/testing/costs/require.js';
import { type Pump, pump } from '../../reference-server/testing/costs/texts.js';
import { decodeBody } from '../client/decoders.js';
import { Redactor } from '../client/evidence/redaction.js';
import { envelopeOf } from '../client/protobuf/envelope.js';
import { Changes } from '../client/streams/changes.js';
import { FrameSequence, JsonSequence, LineSequence } from '../client/streams/sequences.js';
import { FrameReader } from '../client/streams/spdy/frames.js';
import { judged } from '../histories/judge.js';
import type { Change, Entry, History } from '../histories/record.js';

/** Does what may be refused: to find a fault must cost no more. */
function attempt(run: () => unknown): number {
  try {
    run();
  } catch {
    // The words of the refusal are tested elsewhere.
  }
  return 0;
}

const decodings = (type: string, texts: Readonly<Record<string, Pump>>): Work[] =>
  Object.entries(texts).map(([name, make]) => ({
    name: `${type}: ${name}`,
    prepare(bytes) {
      const body = Buffer.from(make(bytes));
      return () => attempt(() => decodeBody(type, body));
    },
  }));

test('bodies in JSON', () => requireGrowth(decodings('application/json', jsonTexts)), patience);

test('bodies in YAML', () => requireGrowth(decodings('application/yaml', yamlTexts)), patience);

test(
  'bodies in protobuf',
  () =>
    requireGrowth(
      Object.entries(messages).map(([name, unit]) => ({
        name: `protobuf: ${name}`,
        prepare(bytes) {
          const raw = Buffer.concat(Array.from({ length: Math.ceil(bytes / unit.length) }, () => unit));
          const body = envelopeOf({ apiVersion: 'v1', kind: 'Pod', raw });
          return () => attempt(() => decodeBody('application/vnd.kubernetes.protobuf', body));
        },
      })),
    ),
  patience,
);

const head = (length: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(1, 0);
  bytes.writeUInt32BE(length, 4);
  return bytes;
};

/** Streams of which a part has no end, or many have one. */
const streams: Readonly<Record<string, (bytes: number) => readonly [{ push(chunk: Buffer): unknown }, Buffer]>> = {
  'an object without an end': (bytes) => [new JsonSequence(), Buffer.alloc(bytes, '[')],
  'many objects': (bytes) => [new JsonSequence(), Buffer.alloc(bytes, '{}')],
  'a line without an end': (bytes) => [new LineSequence(), Buffer.alloc(bytes, 'a')],
  'many lines': (bytes) => [new LineSequence(), Buffer.alloc(bytes, 'a\n')],
  'a frame of protobuf without an end': (bytes) => [
    new FrameSequence(),
    Buffer.concat([head(2 * bytes).subarray(4), Buffer.alloc(bytes)]),
  ],
  'many frames of protobuf': (bytes) => [new FrameSequence(), Buffer.alloc(bytes)],
  'a frame of SPDY without an end': (bytes) => [
    new FrameReader(),
    Buffer.concat([head(2 * bytes), Buffer.alloc(bytes)]),
  ],
  'many frames of SPDY': (bytes) => [new FrameReader(), Buffer.alloc(bytes, head(0))],
};

test(
  'streams in small parts',
  () =>
    requireGrowth(
      Object.entries(streams).map(([name, make]) => ({
        name: `small parts: ${name}`,
        prepare(bytes) {
          return () => {
            const [reader, all] = make(16 * bytes);
            for (let start = 0; start < all.length; start += 16) reader.push(all.subarray(start, start + 16));
            return 0;
          };
        },
      })),
    ),
  patience,
);

const numbered = (count: number, make: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => make(index));

test(
  'events of which each is looked for among all',
  () =>
    requireGrowth([
      {
        name: 'a wait for the last event',
        async prepare(bytes) {
          const events = Array.from({ length: bytes / 8 }, (_, index) => index);
          return async () => {
            const [come, changes] = [[] as number[], new Changes()];
            const last = String(events.length - 1);
            const waiting = changes.until(
              () => come.map(String).includes(last),
              () => false,
              patience,
            );
            for (const event of events) {
              come.push(event);
              changes.happened();
              await new Promise((resolve) => setImmediate(resolve));
            }
            await waiting;
            return 0;
          };
        },
      },
    ]),
  patience,
);

/** Secrets of a list of a target, of about this many bytes together. */
const secrets: Readonly<Record<string, (bytes: number) => string[]>> = {
  'with one beginning': (bytes) => numbered(bytes / 20, (index) => `aaaaaaaaaaaaaaaa${index}`),
  'of which each begins the next': (bytes) => numbered(Math.sqrt(2 * bytes), (index) => 'a'.repeat(index)),
  'with many lines': (bytes) => numbered(bytes / 400, (index) => `0123456789abcdef${index}\n`.repeat(20)),
};

test(
  'redaction',
  () =>
    requireGrowth([
      ...Object.entries(secrets).map(
        ([name, make]): Work => ({
          name: `secrets ${name}`,
          prepare(bytes) {
            const items = make(bytes).map((k) => ({ stringData: { k } }));
            const text = pump('', 'aaaaaaaaaaaaaaaaab ', '')(bytes);
            return () => {
              const redactor = new Redactor();
              redactor.learn({ kind: 'SecretList', items });
              redactor.redact(text);
              return 0;
            };
          },
        }),
      ),
      ...['eyJ', 'eyJaaaaaaaa.', 'eyJaaaaaaaa.aaaaaaaa.', '…', 'a…', 'abcd', 'abc'].map(
        (unit): Work => ({
          name: `redaction of ${unit}`,
          prepare(bytes) {
            const redactor = new Redactor();
            redactor.add(`abcd${'abc'.repeat(5_000)}x`);
            const text = pump('', unit, '')(bytes);
            return () => {
              redactor.redact(text);
              return 0;
            };
          },
        }),
      ),
    ]),
  patience,
);

const configMap = (name: string, version: number) => ({ metadata: { name, resourceVersion: `${version}` } });
const changeOf = (index: number, type: string, name: string): Change => ({
  ...{ index, type, name, version: `${index}` },
  object: configMap(name, index),
});
const entryOf = (entry: Pick<Entry, 'what' | 'method' | 'reply'>): Entry => ({
  ...{ client: 1, place: 'here', path: '/', sent: 0, answered: 1, status: 200 },
  ...entry,
});

/** Histories of which a target has written most. */
const histories: Readonly<Record<string, (count: number) => Partial<History> & { readonly changes?: Change[] }>> = {
  'many changes': (count) => ({
    changes: Array.from({ length: count }, (_, index) => changeOf(index + 1, index === 0 ? 'ADDED' : 'MODIFIED', 'a')),
    entries: [entryOf({ what: 'list', method: 'GET', reply: { items: [configMap('a', 0)] } })],
  }),
  'a list of many objects': (count) => ({
    entries: [
      entryOf({
        what: 'list',
        method: 'GET',
        reply: { items: numbered(count, String).map((name) => configMap(name, 1)) },
      }),
    ],
  }),
  'a watch of many objects': (count) => ({
    watches: [
      {
        ...{ request: 'GET /', place: 'here', status: 200, isCut: false, isOver: false },
        events: numbered(count, String).map((name, index) => changeOf(index + 1, 'ADDED', name)),
      },
    ],
  }),
};

test(
  'histories',
  () =>
    requireGrowth(
      Object.entries(histories).map(([name, make]) => ({
        name: `history: ${name}`,
        prepare(bytes) {
          const {
            changes = Array.from({ length: 20 }, (_, index) => changeOf(index + 1, 'ADDED', `x${index}`)),
            ...rest
          } = make(bytes / 16);
          const order = { place: 'here', request: 'GET order', version: '0', start: [], changes, isComplete: true };
          const history = { seed: 1, entries: [], watches: [], marker: 'end', isRemovedByOthers: false, ...rest };
          return () => attempt(() => judged({ ...history, orders: [order] }));
        },
      })),
    ),
  patience,
);
