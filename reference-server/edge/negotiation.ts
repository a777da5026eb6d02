// Content negotiation: the codec of a response (Accept, with q-values) and of a request body (Content-Type).
import Negotiator from 'negotiator';
import type { Codec } from '../codecs/codec.js';
import type { Codecs } from '../codecs/index.js';
import { notAcceptable } from '../errors.js';

/** The result of an Accept header. */
export interface Choice {
  readonly codec: Codec;
  /** Whether the client asked for `;stream=watch`. */
  readonly stream: boolean;
}

/** `object` is a single object, `watch` a stream of events, `kindless` a body that is not an API object. */
export type ResponseKind = 'object' | 'watch' | 'kindless';

/** The most cached Accept headers: clients repeat a few. */
const mostKnown = 256;

/** The negotiation of a server with its codecs. */
export class Negotiation {
  readonly #codecs: Codecs;
  readonly #usual: Choice;
  readonly #offers: Readonly<Record<ResponseKind, readonly Codec[]>>;
  readonly #known: Readonly<Record<ResponseKind, Map<string, Choice | undefined>>> = {
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
   * Chooses a codec: JSON if the header is absent or accepts any type, otherwise the type with the highest q-value, and
   * the first of equal ones. Ignores parameters that no codec has, such as charset, and clauses with `as=`, which ask
   * for unsupported forms. Throws 406 if nothing fits.
   */
  choose(accept: string | undefined, kind: ResponseKind): Choice {
    const choice = this.#find(accept, kind);
    if (choice !== undefined) return choice;
    // A 406 names streams with the parameter of their type (Endpoints/Conventions, 4).
    const parameter = kind === 'watch' ? ';stream=watch' : '';
    throw notAcceptable(this.#offers[kind].map(({ mediaType }) => `${mediaType}${parameter}`));
  }

  /** Chooses the codec of an error: the requested one, or JSON. */
  chooseLeniently(accept: string | undefined): Choice {
    return this.#find(accept, 'object') ?? this.#usual;
  }

  #find(accept: string | undefined, kind: ResponseKind): Choice | undefined {
    if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return this.#usual;
    const answers = this.#known[kind];
    if (answers.has(accept)) return answers.get(accept);
    if (answers.size >= mostKnown) answers.clear();
    const choice = this.#read(accept, kind);
    answers.set(accept, choice);
    return choice;
  }

  #read(accept: string, kind: ResponseKind): Choice | undefined {
    const clauses = accept.split(',').flatMap((clause) => simplify(clause) ?? []);
    const [winner] = new Negotiator({ headers: { accept: clauses.map(({ text }) => text).join(',') } }).mediaTypes(
      this.#offers[kind].map(({ mediaType }) => mediaType),
    );
    const codec = winner === undefined ? undefined : this.#codecs.of(winner);
    if (codec === undefined) return undefined;
    return { codec, stream: clauses.some(({ text, stream }) => stream && text.startsWith(codec.mediaType)) };
  }
}

/** Returns a clause with only its type and weight, or undefined if the clause is ignored. */
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

/** Returns the media type of a Content-Type header in lower case, without parameters, or undefined. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === '') return undefined;
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
