// The links of proxied HTML: they lead through the proxy, as kube-apiserver makes them.
import { Transform, type TransformCallback } from 'node:stream';

/** The attributes that hold links, by the names of their elements. */
const attributes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ['href'],
    applet: ['codebase'],
    area: ['href'],
    audio: ['src'],
    base: ['href'],
    blockquote: ['cite'],
    body: ['background'],
    button: ['formaction'],
    command: ['icon'],
    del: ['cite'],
    embed: ['src'],
    form: ['action'],
    frame: ['longdesc', 'src'],
    head: ['profile'],
    html: ['manifest'],
    iframe: ['longdesc', 'src'],
    img: ['longdesc', 'src', 'usemap'],
    input: ['formaction', 'src', 'usemap'],
    ins: ['cite'],
    link: ['href'],
    object: ['classid', 'codebase', 'data', 'usemap'],
    q: ['cite'],
    script: ['src'],
    source: ['src'],
    track: ['src'],
    video: ['poster', 'src'],
  }),
);

/** The elements whose content is text, whatever it looks like. */
const texts = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

/** What may end a comment or such an element. */
const textEnds = /-->|<\/[a-z]+/gi;

/** The longest tag that is looked into, in bytes. */
const longestTag = 8192;

/** Rewrites the links of HTML that passes through, in any encoding whose first 128 characters are those of ASCII. */
export class Links extends Transform {
  #held = '';
  /** Ends the comment or the text that passes unchanged; empty outside of one. */
  #until = '';

  constructor(readonly rewrite: (link: string) => string) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#held += chunk.toString('latin1');
    let passed = '';
    for (let piece = this.#next(); piece !== ''; piece = this.#next()) passed += piece;
    done(null, Buffer.from(passed, 'latin1'));
  }

  override _flush(done: TransformCallback): void {
    done(null, Buffer.from(this.#held, 'latin1'));
  }

  /** Takes the next piece that is complete; empty if more must come. */
  #next(): string {
    if (this.#until !== '') return this.#passText();
    const start = this.#held.indexOf('<');
    if (start !== 0) return this.#take(start < 0 ? this.#held.length : start);
    if (this.#held.startsWith('<!--')) {
      this.#until = '-->';
      return this.#take('<!--'.length);
    }
    if ('<!--'.startsWith(this.#held)) return '';
    const [, name] = /^<([a-z][a-z0-9]*)/i.exec(this.#held.slice(0, longestTag)) ?? [];
    if (name === undefined) return this.#take(1);
    const end = endOfTag(this.#held);
    if (end < 0) return this.#held.length < longestTag ? '' : this.#take(this.#held.length);
    const element = name.toLowerCase();
    if (texts.has(element)) this.#until = `</${element}`;
    return this.#rewriteTag(this.#take(end), name.length + 1, attributes.get(element) ?? []);
  }

  /** Takes text up to its end, or as much of it as cannot belong to its end. */
  #passText(): string {
    for (const { 0: found, index } of this.#held.matchAll(textEnds)) {
      if (found.toLowerCase() !== this.#until) continue;
      this.#until = '';
      return this.#take(index + found.length);
    }
    return this.#take(Math.max(this.#held.length - this.#until.length, 0));
  }

  #take(length: number): string {
    const taken = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return taken;
  }

  /** Rewrites attributes of a tag, which begin at a place. */
  #rewriteTag(tag: string, from: number, names: readonly string[]): string {
    if (names.length === 0) return tag;
    let rewritten = tag.slice(0, from);
    let at = from;
    const match = (pattern: RegExp): string => {
      pattern.lastIndex = at;
      const [found = ''] = pattern.exec(tag) ?? [];
      at += found.length;
      return found;
    };
    while (at < tag.length) {
      const name = match(/[^\s"'<>/=]+/y);
      const equals = name === '' ? '' : match(/\s*=\s*/y);
      const value = equals === '' ? '' : match(/"[^"]*"|'[^']*'|[^\s"'>]+/y);
      const quote = /^["']/.exec(value)?.[0] ?? '';
      const link = value.slice(quote.length, value.length - quote.length);
      const isLink = value !== '' && names.includes(name.toLowerCase());
      rewritten += name + equals + (isLink ? quote + this.rewrite(link) + quote : value);
      if (name === '') rewritten += tag.charAt(at++);
    }
    return rewritten;
  }
}

/** Returns the place after the tag at the beginning of a text; -1 if the tag does not end there. */
function endOfTag(text: string): number {
  let quote = '';
  for (let at = 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at + 1;
    else if ((character === '"' || character === "'") && /=\s*$/.test(text.slice(Math.max(at - 8, 0), at)))
      quote = character;
  }
  return -1;
}
