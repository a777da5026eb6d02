// Which codec answers: Accept with q-values against the codecs that exist; which one reads a body: Content-Type.
import Negotiator from 'negotiator';
import type { Codec } from '../codecs/codec.js';
import type { Codecs } from '../codecs/index.js';
import { notAcceptable } from '../errors.js';

/** What an Accept header came to. */
export interface Choice {
  readonly codec: Codec;
  /** True where `;stream=watch` was asked for. */
  readonly stream: boolean;
}

/** `object` for every answer with one body, `watch` for a stream of events, `kindless` for a body that is no object. */
export type Form = 'object' | 'watch' | 'kindless';

/** Clients send a handful of headers over and over. */
const mostKnown = 256;

/** The choices of a server, from its codecs. */
export class Negotiation {
  readonly #codecs: Codecs;
  readonly #usual: Choice;
  readonly #offers: Readonly<Record<Form, readonly Codec[]>>;
  readonly #known: Readonly<Record<Form, Map<string, Choice | undefined>>> = {
    object: new Map(),
    watch: new Map(),
    kindless: new Map(),
  };

  constructor(codecs: Codecs) {
    const { all } = codecs;
    this.#codecs = codecs;
    this.#usual = { codec: all[0], stream: false };
    this.#offers = {
      object: all,
      watch: all.filter(({ frame }) => frame !== undefined),
      kindless: all.filter(({ needsKind }) => needsKind !== true),
    };
  }

  /**
   * Chooses a codec. None given and any type are JSON; the highest q-value wins, then the client's order.
   * Parameters that no codec has (charset and the like) are ignored; a clause with `as=` asks for a form
   * that is not served, so the next clause counts.
   * Throws 406 where nothing fits.
   */
  choose(accept: string | undefined, form: Form): Choice {
    const choice = this.#find(accept, form);
    if (choice !== undefined) return choice;
    // A 406 names streams by the parameter that their type carries (Endpoints/Conventions, 4).
    const parameter = form === 'watch' ? ';stream=watch' : '';
    throw notAcceptable(this.#offers[form].map(({ mediaType }) => `${mediaType}${parameter}`));
  }

  /** The codec that an error is written in: the one that was asked for, or JSON. */
  chooseLeniently(accept: string | undefined): Choice {
    return this.#find(accept, 'object') ?? this.#usual;
  }

  #find(accept: string | undefined, form: Form): Choice | undefined {
    if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return this.#usual;
    const answers = this.#known[form];
    if (answers.has(accept)) return answers.get(accept);
    if (answers.size >= mostKnown) answers.clear();
    const choice = this.#read(accept, form);
    answers.set(accept, choice);
    return choice;
  }

  #read(accept: string, form: Form): Choice | undefined {
    const clauses = accept.split(',').flatMap((clause) => simplify(clause) ?? []);
    const [winner] = new Negotiator({ headers: { accept: clauses.map(({ text }) => text).join(',') } }).mediaTypes(
      this.#offers[form].map(({ mediaType }) => mediaType),
    );
    const codec = winner === undefined ? undefined : this.#codecs.of(winner);
    if (codec === undefined) return undefined;
    return { codec, stream: clauses.some(({ text, stream }) => stream && text.startsWith(codec.mediaType)) };
  }
}

/** One clause with nothing but its type and its weight; undefined where it can win nothing. */
function simplify(clause: string): { text: string; stream: boolean } | undefined {
  const [type = '', ...rest] = clause.split(';').map((part) => part.trim().toLowerCase());
  let text = type;
  let stream = false;
  for (const parameter of rest) {
    if (parameter.startsWith('q=')) text += `;${parameter}`;
    if (parameter.startsWith('as=')) return undefined;
    if (parameter === 'stream=watch') stream = true;
    else if (parameter.startsWith('stream=')) return undefined;
  }
  return { text, stream };
}

/** The media type of a Content-Type header, in lower case and without parameters; undefined where there is none. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === '') return undefined;
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
