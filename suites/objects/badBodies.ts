// Bodies that a server must refuse, by the name of the variant.
import type { JsonObject } from '../client/json.js';
import { writeYaml } from '../client/yaml.js';

const repeat = (text: string, times: number): string => text.repeat(times);

interface BadBody {
  readonly mediaType: string;
  readonly text: string;
}

/** Returns a body that does not decode to an object. `valid` is a body that would be accepted. */
export function malformed(variant: string, valid: JsonObject): BadBody {
  const text = JSON.stringify(valid);
  const json = (body: string): BadBody => ({ mediaType: 'application/json', text: body });
  switch (variant) {
    case 'truncated JSON':
      return json(text.slice(0, -2));
    case 'two objects':
      return json(text + text);
    case 'an array':
      return json(`[${text}]`);
    case 'a string':
      return json('"an object"');
    case 'no body':
      return json('');
    case 'YAML that is called JSON':
      return json(writeYaml(valid));
    case 'malformed YAML':
      return { mediaType: 'application/yaml', text: 'kind: "unterminated\nmetadata: [' };
    default:
      throw new Error(`no malformed body for ${variant}`);
  }
}

/** Returns a body of another kind or version. */
export function wrongKind(variant: string, valid: JsonObject): JsonObject {
  switch (variant) {
    case 'another kind':
      return { ...valid, ...(valid.kind === 'Pod' ? { kind: 'Secret' } : { kind: 'Pod' }), apiVersion: 'v1' };
    case 'an unknown kind':
      return { ...valid, kind: 'NoSuchKind' };
    case 'another version':
      return {
        ...valid,
        apiVersion: valid.apiVersion === 'v1' ? 'v9' : `${String(valid.apiVersion).split('/')[0]}/v9`,
      };
    default:
      throw new Error(`no wrong kind for ${variant}`);
  }
}

const nestedJson = (depth: number): string =>
  `{"kind":"ConfigMap","apiVersion":"v1","data":${repeat('[', depth)}${repeat(']', depth)}}`;
const nestedYaml = (depth: number): string =>
  `kind: ConfigMap\napiVersion: v1\ndata: ${repeat('[', depth)}${repeat(']', depth)}\n`;

/**
 * Returns YAML aliases with twelve times as many values in each layer. A decoder that expands them has 500,000 values
 * after five layers, and no memory after twelve.
 */
function aliases(layers: number): string {
  const lines = Array.from(
    { length: layers },
    (_, i) => `l${i + 1}: &l${i + 1} [${Array(12).fill(`*l${i}`).join(', ')}]`,
  );
  return `kind: ConfigMap\napiVersion: v1\nl0: &l0 [x, x]\n${lines.join('\n')}\ndata: *l${layers}\n`;
}

/** Returns a body with many invalid keys. A server that reports each key returns many times the size of the request. */
function wrongKeys(count: number): string {
  const data = Object.fromEntries(Array.from({ length: count }, (_, index) => [`/${index}`, '']));
  return JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', data });
}

/** Returns input that is built to exhaust or confuse a decoder. */
export function hostile(
  variant: string,
  name: string,
): { readonly mediaType: string; readonly body: string | Uint8Array } {
  const json = 'application/json';
  switch (variant) {
    case 'JSON nested 10,000 deep':
      return { mediaType: json, body: nestedJson(10_000) };
    case 'JSON nested 100,000 deep':
      return { mediaType: json, body: nestedJson(100_000) };
    case 'YAML aliases in five layers':
      return { mediaType: 'application/yaml', body: aliases(5) };
    case 'YAML alias bomb':
      return { mediaType: 'application/yaml', body: aliases(12) };
    case 'YAML nested 1,000 deep':
      return { mediaType: 'application/yaml', body: nestedYaml(1_000) };
    case 'YAML nested 10,000 deep':
      return { mediaType: 'application/yaml', body: nestedYaml(10_000) };
    case 'a __proto__ key':
      return {
        mediaType: json,
        body: `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}","labels":{"__proto__":"x"}}}`,
      };
    case '500 keys that are wrong':
      return { mediaType: json, body: wrongKeys(500) };
    case '3,000 keys that are wrong':
      return { mediaType: json, body: wrongKeys(3_000) };
    case 'invalid UTF-8':
      return {
        mediaType: json,
        body: Buffer.concat([
          Buffer.from('{"kind":"ConfigMap","apiVersion":"v1","data":{"'),
          Buffer.from([0xff, 0xfe, 0x80]),
          Buffer.from('":1}}'),
        ]),
      };
    default:
      throw new Error(`no hostile body for ${variant}`);
  }
}
