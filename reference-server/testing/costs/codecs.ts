// Costs of decoding and encoding: texts and bytes that are designed to be expensive.

import { type ApiObject, type Codec, decodeBytes } from '../../codecs/codec.js';
import { json } from '../../codecs/json.js';
import { createProtobuf } from '../../codecs/protobuf.js';
import { yaml } from '../../codecs/yaml.js';
import { createYaml, type YamlThread } from '../../codecs/yamlThread.js';
import type { Work } from './growth.js';
import { lengthOfAsync, type Pump, pump } from './texts.js';

const protobuf = createProtobuf('application/vnd.kubernetes.protobuf');
const deep = (open: string, close: string) => open.repeat(900) + close.repeat(900);

/** Texts that cost a reader of JSON much. */
export const jsonTexts: Readonly<Record<string, Pump>> = {
  'a list of numbers': pump('[', '0,', '0]'),
  'a list of empty lists': pump('[', '[],', '0]'),
  'different keys': pump('{', (index) => `"k${index}":0,`, '"z":0}'),
  'equal keys': pump('{', '"k":0,', '"z":0}'),
  'escaped keys': pump('{', (index) => `"\\u0041${index}":0,`, '"z":0}'),
  'a long string': pump('"', 'x', '"'),
  'a string without an end': pump('"', 'x', ''),
  escapes: pump('"', '\\u0041', '"'),
  'a long number': pump('', '9', ''),
  'a long fraction': pump('0.', '0', '1'),
  'a long exponent': pump('1e-', '0', '1'),
  spaces: pump('', ' ', '0'),
  'lines before a fault': pump('', '\n', '}'),
  'brackets without an end': pump('', '[', ''),
  'deep lists': pump('[', `${deep('[', ']')},`, '0]'),
  'deep objects': pump('[', `${deep('{"a":[', ']}')},`, '0]'),
};

/** The same for YAML. */
export const yamlTexts: Readonly<Record<string, Pump>> = {
  'different keys': pump('', (index) => `k${index}: 0\n`, ''),
  'equal keys': pump('', 'k: 0\n', ''),
  'a sequence': pump('', '- a\n', ''),
  'a flow sequence': pump('[', 'a, ', 'a]'),
  'a flow mapping': pump('{', (index) => `k${index}: a, `, 'z: a}'),
  'flow keys without values': pump('{', (index) => `k${index}, `, 'z}'),
  'brackets without an end': pump('', '[', ''),
  dashes: pump('', '- ', 'a'),
  'question marks': pump('', '? ', 'a'),
  'explicit keys': pump('', (index) => `? k${index}\n: a\n`, ''),
  'deep flow sequences': pump('[', `${deep('[', ']')}, `, 'a]'),
  'nested mappings': pump(
    '',
    Array.from({ length: 60 }, (_, index) => `${' '.repeat(index)}k:\n`)
      .join('')
      .replace('k', '- k'),
    '',
  ),
  'a long plain scalar': pump('', 'x', ''),
  words: pump('', 'x ', 'x'),
  'a plain scalar over lines': pump('k: a\n', ' b\n', ''),
  'empty lines in a plain scalar': pump('k: a', '\n', ' b'),
  'double quotes over lines': pump('"', 'a\n', '"'),
  'single quotes': pump("'", "''", "'"),
  escapes: pump('"', '\\x41', '"'),
  'a literal block': pump('k: |\n', '  a\n', ''),
  'a folded block': pump('k: >\n', '  a\n\n', ''),
  'empty lines of a block': pump('k: |\n', '\n', '  a\n'),
  comments: pump('', '# a\n', 'k: a'),
  'a long comment': pump('#', 'a', '\nk: a'),
  spaces: pump('', ' ', 'a'),
  tabs: pump('k:', '\t', 'a'),
  lines: pump('', '\n', 'a'),
  'lines before a fault': pump('', '\n', '}'),
  documents: pump('', '---\na\n', ''),
  'document ends': pump('', '...\n', ''),
  directives: pump('', '%A b\n', '---\na'),
  'tag directives': pump('', (index) => `%TAG !t${index}! a\n`, '---\na'),
  anchors: pump('', (index) => `- &a${index} a\n`, ''),
  'anchors of one name': pump('', '- &a a\n', ''),
  aliases: pump('- &a a\n', '- *a\n', ''),
  'a hundred aliases of a long list': (bytes) => `- &a [${'a, '.repeat(bytes / 6)}a]\n${'- *a\n'.repeat(99)}`,
  'merge keys': pump('- &a {k: 0}\n', '- {<<: *a}\n', ''),
  'merge keys of mappings': pump('- ', '<<: {a: b}\n  ', 'k: a'),
  'a merge key of many mappings': pump('<<: [', (index) => `{k${index}: 0}, `, '{z: 0}]'),
  tags: pump('', '- !!str a\n', ''),
  'unknown tags': pump('', '- !a a\n', ''),
  'a long integer': pump('', '1', ''),
  underscores: pump('1', '_', '1'),
  'a long float': pump('1.', '0', 'e'),
  'binary digits': pump('0b', '1', ''),
  sixties: pump('1', ':59', ''),
};

const values: Readonly<Record<string, (bytes: number) => ApiObject>> = {
  'many fields': (bytes) => ({
    data: Object.fromEntries(Array.from({ length: bytes / 12 }, (_, at) => [`k${at}`, 'v'])),
  }),
  'many items': (bytes) => ({ items: Array.from({ length: bytes / 4 }, () => 'v') }),
  'many objects': (bytes) => ({ items: Array.from({ length: bytes / 10 }, () => ({ a: {} })) }),
  ...Object.fromEntries(
    [
      'x',
      'x ',
      ' ',
      '\n',
      'a\n',
      'a\n\n',
      ' a\n',
      '"',
      "'",
      '\\',
      '\u0001',
      '\u2028',
      '- ',
      ': ',
      ' #',
      '1',
      '1_',
      '\ud83d\ude00',
      '\ud800',
      '<<',
      '%',
      '\t\n',
    ].map((unit) => [
      `a text of ${JSON.stringify(unit)}`,
      (bytes: number) => ({ data: { k: pump('', unit, '')(bytes) } }),
    ]),
  ),
};

const encodings: readonly Work[] = Object.entries(values).flatMap(([name, make]) =>
  [
    ['json', (value: ApiObject) => json.encode(value, false)] as const,
    ['pretty json', (value: ApiObject) => json.encode(value, true)] as const,
    ['yaml', (value: ApiObject) => yaml.encode(value, false)] as const,
    [
      'protobuf',
      (value: ApiObject) =>
        protobuf.encode({ apiVersion: 'v1', kind: 'ConfigMap', ...(value.data ? value : {}) }, false),
    ] as const,
  ].map(([codec, encode]) => ({
    name: `${codec} out: ${name}`,
    prepare(bytes: number) {
      const value = make(bytes);
      return () => encode(value).length;
    },
  })),
);

/** Returns a repeated field of a message: its tag, length and bytes. */
const field = (number: number, content: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...lengthBytes(bytes.length)]), bytes]);
};

function lengthBytes(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, ...lengthBytes(length >>> 7)];
}

/** Parts of a Pod in protobuf, of which many cost a reader much. */
export const messages: Readonly<Record<string, Buffer>> = {
  containers: field(2, field(2, field(1, 'c'))),
  'empty containers': field(2, field(2, '')),
  'specs in parts': field(2, ''),
  labels: field(1, field(11, Buffer.concat([field(1, 'k'), field(2, 'v')]))),
  names: field(1, field(1, 'n')),
  'unknown fields': field(100 >> 3, 'x'),
  groups: Buffer.from([0x7b, 0x7c]),
  'groups without an end': Buffer.from([0x7b]),
  'what is not a field': Buffer.from([0xff]),
  quantities: field(2, field(2, field(8, field(1, Buffer.concat([field(1, 'cpu'), field(2, field(1, '1'))]))))),
};

const protobufs = Object.entries(messages).map(([name, unit]): Work => {
  const input = (bytes: number) => {
    const message = Buffer.concat(Array.from({ length: Math.ceil(bytes / unit.length) }, () => unit));
    const meta = Buffer.concat([field(1, 'v1'), field(2, 'Pod')]);
    return Buffer.concat([Buffer.from('k8s\0'), field(1, meta), field(2, message)]);
  };
  return decoding(`protobuf: ${name}`, protobuf, 'pods', input);
});

/** Decodes a body as a server does. */
function decoding(name: string, codec: Codec, plural: string, input: (bytes: number) => Buffer): Work {
  return {
    name,
    prepare(bytes) {
      const body = input(bytes);
      return () => lengthOfAsync(() => decodeBytes(codec, body));
    },
    request: (bytes) => ({
      path: `/api/v1/namespaces/default/${plural}?dryRun=All`,
      mediaType: codec.mediaType,
      body: input(bytes),
    }),
  };
}

const decodings = (what: string, codec: Codec, pumps: Readonly<Record<string, Pump>>): Work[] =>
  Object.entries(pumps).map(([name, make]) =>
    decoding(`${what}: ${name}`, codec, 'configmaps', (bytes) => Buffer.from(make(bytes))),
  );

/** All decoders and encoders. Long YAML uses the thread, which the caller must close. */
export const codecWorks = (thread: YamlThread): readonly Work[] => [
  ...decodings('json', json, jsonTexts),
  ...decodings('yaml', createYaml(thread), yamlTexts),
  ...protobufs,
  ...encodings,
  decoding('json: bytes that are not UTF-8 at the end', json, 'configmaps', (bytes) =>
    Buffer.concat([Buffer.alloc(bytes, '\n'), Buffer.from([0xff])]),
  ),
];
