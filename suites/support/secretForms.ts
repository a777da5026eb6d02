// The forms in which a secret can stand in what a run writes: as it is, escaped, and encoded.

/** Characters of a form that is looked for, at least: a shorter one would hit everything. */
export const shortest = 4;

/** A form of a secret. `edges`: base64 characters next to it, before and after, that hold bits of the secret. */
export interface SecretForm {
  readonly text: string;
  readonly edges?: readonly [before: 0 | 1, after: 0 | 1];
}

/** Every form of a secret, each once. */
export function formsOf(secret: Buffer): readonly SecretForm[] {
  const text = secret.toString('utf8');
  const isText = Buffer.from(text).equals(secret);
  const hex = secret.toString('hex');
  const plain = [
    ...(isText ? [text, ...escapesOf(text), ...urlFormsOf(text)] : []),
    // of bodies that are no text, and of header lines
    secret.toString('latin1'),
    hex,
    hex.toUpperCase(),
    encodeURIComponent(secret.toString('base64')),
  ];
  const forms = new Map<string, SecretForm>(plain.map((form) => [form, { text: form }]));
  for (const form of base64Forms(secret)) if (!forms.has(form.text)) forms.set(form.text, form);
  return [...forms.values()].filter((form) => form.text.length >= shortest);
}

/** The lines of a text of several that tell something: those of a key, however the text is indented or escaped. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.length < 2 ? [] : lines.filter((line) => line.length >= 16 && !line.startsWith('-----'));
}

/** In JSON as JavaScript and as Go write it, in JSON within JSON, and in YAML between single quotes. */
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

/** What base64 of any bytes with the secret among them holds: three texts, by where the secret begins. */
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
