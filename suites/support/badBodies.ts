// Bodies that a server must refuse, by the name of the variant.
import type { JsonObject } from './json.js';

const repeat = (text: string, times: number): string => text.repeat(times);

interface BadBody {
  readonly mediaType: string;
  readonly text: string;
}

/** Bodies that do not decode to an object. `valid` is a body that would be accepted. */
export function malformed(variant: string, valid: JsonObject): BadBody {
  const text = JSON.stringify(valid);
  const json = (body: string): BadBody => ({ mediaType: 'application/json', text: body });
  switch (variant) {
    case 'truncated JSON':
      return json(text.slice(0, -2));
    case 'an array':
      return json(`[${text}]`);
    case 'a string':
      return json('"an object"');
    case 'no body':
      return json('');
    case 'malformed YAML':
      return { mediaType: 'application/yaml', text: 'kind: "unterminated\nmetadata: [' };
    default:
      throw new Error(`no malformed body for ${variant}`);
  }
}

/** Bodies of another kind or version. */
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

/** Input built to exhaust or confuse a decoder. */
export function hostile(
  variant: string,
  name: string,
): { readonly mediaType: string; readonly body: string | Uint8Array } {
  const json = 'application/json';
  switch (variant) {
    case 'JSON nested 100,000 deep':
      return {
        mediaType: json,
        body: `{"kind":"ConfigMap","apiVersion":"v1","data":${repeat('[', 100_000)}${repeat(']', 100_000)}}`,
      };
    case 'YAML alias bomb': {
      const layers = Array.from(
        { length: 12 },
        (_, i) => `l${i + 1}: &l${i + 1} [${Array(12).fill(`*l${i}`).join(', ')}]`,
      );
      return {
        mediaType: 'application/yaml',
        body: `kind: ConfigMap\napiVersion: v1\nl0: &l0 [x, x]\n${layers.join('\n')}\ndata: *l12\n`,
      };
    }
    case 'YAML nested 10,000 deep':
      return {
        mediaType: 'application/yaml',
        body: `kind: ConfigMap\napiVersion: v1\ndata: ${repeat('[', 10_000)}${repeat(']', 10_000)}\n`,
      };
    case 'a __proto__ key':
      return {
        mediaType: json,
        body: `{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"${name}","labels":{"__proto__":"x"}}}`,
      };
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
