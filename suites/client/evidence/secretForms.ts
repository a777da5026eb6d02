// The forms in which a secret can occur in the output of a run: unchanged, escaped and encoded.

/** The minimum number of characters of a form. A shorter form would match in every text. */
export const shortestForm = 4;

/** A form of a secret. `edges`: the number of base64 characters before and after it that hold bits of the secret. */
export interface SecretForm {
  readonly text: string;
  readonly edges?: readonly [before: 0 | 1, after: 0 | 1];
}

export function secretFormsOf(secret: Buffer): readonly SecretForm[] {
  const text = secret.toString('utf8');
  const isText = Buffer.from(text).equals(secret);
  const hex = secret.toString('hex');
  const plain = [
    ...(isText ? [text, ...escapesOf(text), ...urlFormsOf(text)] : []),
    // for binary bodies and header lines
    secret.toString('latin1'),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret.toString('base64')),
  ];
  const forms = new Map<string, SecretForm>(plain.map((form) => [form, { text: form }]));
  for (const form of base64Forms(secret)) if (!forms.has(form.text)) forms.set(form.text, form);
  return [...forms.values()].filter((form) => form.text.length >= shortestForm);
}

/** Returns the lines of a multi-line text that are worth matching, such as those of a key, without indentation. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
}

/** Returns the text as JSON strings of JavaScript and Go, as JSON within JSON, and as a single-quoted YAML string. */
function escapesOf(text: string): string[] {
  const json = inJson(text);
  const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const go = json.replace(/[<>&\u2028\u2029]/g, unicode);
  return [json, inJson(json), go, inJson(go), text.replaceAll("'", "''")];
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

function urlFormsOf(text: string): string[] {
  const loose = encodeURIComponent(text.toWellFormed());
  const strict = loose.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const forms = [loose, strict, strict.replaceAll('%20', '+')];
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()))];
}

/** Returns the base64 texts of the secret inside longer data, one for each offset at which the secret can begin. */
function base64Forms(secret: Buffer): SecretForm[] {
  return ([0, 1, 2] as const).flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64');
    const bits = 8 * (offset + secret.length);
    const text = encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor(bits / 6));
    const edges = [offset === 0 ? 0 : 1, bits % 6 === 0 ? 0 : 1] as const;
    const url = text.replaceAll('+', '-').replaceAll('/', '_');
    return [{ text, edges }, ...(url === text ? [] : [{ text: url, edges }])];
  });
}
