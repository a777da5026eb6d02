// Which codec answers: Accept with q-values against the codecs that exist; which one reads a body: Content-Type.
import Negotiator from 'negotiator';
import type { Codec } from '../codecs/codec.js';
import { codecFor, codecs } from '../codecs/index.js';
import { notAcceptable } from '../errors.js';

/** What an Accept header came to. */
export interface Choice {
  readonly codec: Codec;
  /** True where `;stream=watch` was asked for. */
  readonly stream: boolean;
}

/** `object` for every answer with one body, `watch` for a stream of events. */
export type Form = 'object' | 'watch';

const offers: Record<Form, readonly string[]> = {
  object: codecs.map(({ mediaType }) => mediaType),
  watch: codecs.filter(({ frame }) => frame !== undefined).map(({ mediaType }) => mediaType),
};
/** What a 406 names: streams by the parameter that their type carries (Endpoints/Conventions, 4). */
const named: Record<Form, readonly string[]> = {
  object: offers.object,
  watch: offers.watch.map((mediaType) => `${mediaType};stream=watch`),
};
const usual: Choice = { codec: codecs[0], stream: false };

/** Clients send a handful of headers over and over. */
const known: Record<Form, Map<string, Choice | undefined>> = { object: new Map(), watch: new Map() };
const mostKnown = 256;

/**
 * Chooses a codec. None given and any type are JSON; the highest q-value wins, then the client's order.
 * Parameters that no codec has (charset and the like) are ignored; a clause with `as=` asks for a form
 * that is not served, so the next clause counts.
 * Throws 406 where nothing fits.
 */
export function negotiate(accept: string | undefined, form: Form): Choice {
  const choice = find(accept, form);
  if (choice === undefined) throw notAcceptable(named[form]);
  return choice;
}

/** The codec that an error is written in: the one that was asked for, or JSON. */
export function negotiateLeniently(accept: string | undefined): Choice {
  return find(accept, 'object') ?? usual;
}

function find(accept: string | undefined, form: Form): Choice | undefined {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json') return usual;
  const answers = known[form];
  if (answers.has(accept)) return answers.get(accept);
  if (answers.size >= mostKnown) answers.clear();
  const choice = choose(accept, form);
  answers.set(accept, choice);
  return choice;
}

function choose(accept: string, form: Form): Choice | undefined {
  const clauses = accept.split(',').flatMap((clause) => simplify(clause) ?? []);
  const [winner] = new Negotiator({ headers: { accept: clauses.map(({ text }) => text).join(',') } }).mediaTypes([
    ...offers[form],
  ]);
  const codec = winner === undefined ? undefined : codecFor(winner);
  if (codec === undefined) return undefined;
  return { codec, stream: clauses.some(({ text, stream }) => stream && text.startsWith(codec.mediaType)) };
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
