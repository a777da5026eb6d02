// Costs of finding repeated and unknown fields.
import { type Codec, decodeBytes } from '../../codecs/codec.js';
import { RepeatedFields } from '../../codecs/fieldPaths.js';
import { json } from '../../codecs/json.js';
import { createYaml, type YamlThread } from '../../codecs/yamlThread.js';
import { checkFields } from '../../schema/body.js';
import { doAll } from '../../turns.js';
import type { Work } from './growth.js';
import { lengthOfAsync, type Pump, pump } from './texts.js';

const deep = 900;

const repeated: Readonly<Record<string, Pump>> = {
  'equal keys': pump('{', '"k":0,', '"z":0}'),
  'pairs of equal keys': pump('{', (index) => `"k${index}":0,"k${index}":0,`, '"z":0}'),
  'objects with equal keys': pump('[', '{"k":0,"k":0},', '0]'),
  'equal keys at a great depth': pump(`${'{"a":'.repeat(deep)}{`, '"k":0,', `"z":0}${'}'.repeat(deep)}`),
};

const yamlRepeated: Readonly<Record<string, Pump>> = {
  ...repeated,
  'equal keys in blocks': pump('', 'k: 0\n', ''),
};

const pods: Readonly<Record<string, Pump>> = {
  'unknown fields': pump('{"spec":{', (index) => `"k${index}":0,`, '"z":0}}'),
  'containers with unknown fields': pump('{"spec":{"containers":[', '{"k":0},', '{}]}}'),
  'an unknown list': pump('{"spec":{"k":[', '{"k":0},', '{}]}}'),
  labels: pump('{"metadata":{"labels":{', (index) => `"k${index}":"v",`, '"z":""}}}'),
};

const request = (body: string, codec: Codec) => ({
  path: '/api/v1/namespaces/default/pods?dryRun=All&fieldValidation=Warn',
  mediaType: codec.mediaType,
  body,
});

function decoding(what: string, codec: Codec, pumps: Readonly<Record<string, Pump>>): Work[] {
  return Object.entries(pumps).map(([name, make]) => ({
    name: `${what}, repeated: ${name}`,
    prepare(bytes) {
      const body = Buffer.from(make(bytes));
      return () => lengthOfAsync(() => decodeBytes(codec, body, undefined, new RepeatedFields()));
    },
    request: (bytes) => request(make(bytes), codec),
  }));
}

const checks = Object.entries(pods).map(
  ([name, make]): Work => ({
    name: `fields: ${name}`,
    prepare(bytes) {
      const repeated = new RepeatedFields();
      const pod = json.decode(Buffer.from(make(bytes)), undefined, repeated);
      const body = { mediaType: json.mediaType, duplicates: repeated.found };
      return () => {
        const warnings: string[] = [];
        const check = { isStrict: false, warn: (text: string) => warnings.push(text) };
        doAll(checkFields({ apiVersion: 'v1', kind: 'Pod' }, pod, check, body));
        return warnings.join('').length;
      };
    },
    request: (bytes) => request(make(bytes), json),
  }),
);

/** The decoders with repeated fields, and the search for unknown fields. */
export const fieldCheckWorks = (thread: YamlThread): readonly Work[] => [
  ...decoding('json', json, repeated),
  ...decoding('yaml', createYaml(thread), yamlRepeated),
  ...checks,
];
