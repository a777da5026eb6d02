// Content negotiation: the codec of a response (Accept, with q-values) and of a request body (Content-Type).
import Negotiator from 'negotiator';
import { type Operation, subresourceOf, type Verb } from '../../matrix/api/index.js';
import type { Codec } from '../codecs/codec.js';
import type { Codecs } from '../codecs/index.js';
import { notAcceptable } from '../errors.js';
import type { Representation, RepresentationOf, ResponseKind } from '../request.js';
import { accepts, byPreference, type Clause, readClauses } from './acceptClauses.js';

/** The result of an Accept header. */
export interface Choice {
  readonly codec: Codec;
  /** Whether the client asked for `;stream=watch`. */
  readonly stream: boolean;
  /** The representation that the client asked for with `;as=`; absent for the objects themselves. */
  readonly representation?: Representation;
}

/** The most cached Accept headers: clients repeat a few. */
const mostKnown = 256;

/** The negotiation of a server with its codecs, and the representations that are registered. */
export class Negotiation {
  readonly #codecs: Codecs;
  readonly #usual: Choice;
  readonly #offers: Readonly<Record<ResponseKind, readonly Codec[]>>;
  /** The codecs of representations, where they are others. */
  readonly #shown: Readonly<Partial<Record<ResponseKind, readonly Codec[]>>>;
  readonly #known: Readonly<Record<ResponseKind, Map<string, Choice | undefined>>> = {
    resource: new Map(),
    action: new Map(),
    watch: new Map(),
    object: new Map(),
    kindless: new Map(),
    untyped: new Map(),
    untypedWatch: new Map(),
  };

  readonly #representationOf: RepresentationOf;

  constructor(codecs: Codecs, representationOf: RepresentationOf = () => undefined) {
    this.#representationOf = representationOf;
    const { all } = codecs;
    this.#codecs = codecs;
    this.#usual = { codec: all[0], stream: false };
    const framed = all.filter(({ frame }) => frame !== undefined);
    const kindless = all.filter(({ needsKind }) => needsKind !== true);
    this.#shown = { untyped: all, untypedWatch: framed };
    this.#offers = {
      resource: all,
      action: all,
      object: all,
      watch: framed,
      kindless,
      untyped: kindless,
      untypedWatch: kindless.filter(({ frame }) => frame !== undefined),
    };
  }

  /**
   * Chooses a codec: JSON if the header is absent or accepts any type, otherwise the type with the highest q-value, and
   * the first of equal ones. Ignores parameters that no codec has, such as charset, and clauses with `as=` for a
   * representation that the response does not have. Throws 406 if nothing fits.
   */
  choose(accept: string | undefined, kind: ResponseKind): Choice {
    const choice = this.#find(accept, kind);
    if (choice !== undefined) return choice;
    // A 406 names streams with the parameter of their type (Endpoints/Conventions, 4).
    const parameter = kind === 'watch' || kind === 'untypedWatch' ? ';stream=watch' : '';
    throw notAcceptable(this.#offers[kind].map(({ mediaType }) => `${mediaType}${parameter}`));
  }

  /** Chooses the codec of an error, which has no other representation: the requested one, or JSON. */
  chooseLeniently(accept: string | undefined): Choice {
    const choice = this.#find(accept, asksForRepresentation(accept) ? 'resource' : 'object') ?? this.#usual;
    return choice.representation === undefined ? choice : { codec: choice.codec, stream: choice.stream };
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
    const clauses = readClauses(accept, this.#representationOf);
    const plain = this.#readPlain(clauses, kind);
    if (!clauses.some(({ as }) => as !== undefined)) return plain;
    for (const clause of byPreference(clauses)) {
      const choice = clause.as === undefined ? this.#matches(clause, kind) && plain : this.#readAs(clause, kind);
      if (choice) return choice;
    }
    return plain;
  }

  /** Chooses among the clauses that ask for no representation. */
  #readPlain(clauses: readonly Clause[], kind: ResponseKind): Choice | undefined {
    const heeded = clauses.filter(({ as, isIgnored }) => as === undefined && !isIgnored);
    const [winner] = new Negotiator({ headers: { accept: heeded.map(({ text }) => text).join(',') } }).mediaTypes(
      this.#offers[kind].map(({ mediaType }) => mediaType),
    );
    const codec = winner === undefined ? undefined : this.#codecs.of(winner);
    if (codec === undefined) return undefined;
    return { codec, stream: heeded.some(({ text, stream }) => stream && text.startsWith(codec.mediaType)) };
  }

  #readAs({ type, stream, as, isIgnored, weight }: Clause, kind: ResponseKind): Choice | undefined {
    if (as === undefined || as === 'unknown' || isIgnored || weight === 0 || !as.isOf(kind)) return undefined;
    const offers = this.#shown[kind] ?? this.#offers[kind];
    const codec = offers.find((one) => accepts(type, one) && !(as.isUntyped && one.needsKind));
    return codec && { codec, stream, representation: as };
  }

  #matches({ type, weight, isIgnored }: Clause, kind: ResponseKind): boolean {
    return weight > 0 && !isIgnored && this.#offers[kind].some((codec) => accepts(type, codec));
  }
}

/** Reports whether a clause with `as=` may be in an Accept header. Most headers have none. */
export const asksForRepresentation = (accept: string | undefined): boolean =>
  accept !== undefined && /as=/i.test(accept);

/** The subresources whose objects clients show as tables, and the resource itself. */
const tabular: readonly (string | undefined)[] = [undefined, 'status', 'scale'];

/** Returns the kind of the response to a verb of a resource. A resource that stores nothing has no table. */
export function kindOfResource({ resource }: Operation, verb: Verb): ResponseKind {
  if (resource === undefined) return 'object';
  const isStored = [...resource.stated, ...resource.unstated].some((own) => own !== 'create');
  return isStored && tabular.includes(subresourceOf(verb)) ? 'resource' : 'action';
}

/**
 * Reports whether the response to a verb is an object without a message in protobuf. A delete may be answered by a
 * Status, which has one.
 */
export function isUntyped({ resource, responseTypes }: Operation, verb: Verb): boolean {
  if (resource === undefined || resource.bodyKinds[verb] !== undefined || verb === 'delete') return false;
  return responseTypes !== 'any' && !responseTypes.includes('protobuf') && resource.modern === true;
}

const parameter = /\s*;\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*(?:[!#$%&'*+.^_`|~0-9a-z-]+|"(?:[^"\\]|\\.)*")/iy;

/** Reports whether the parameters of a Content-Type header have the form of parameters, each of them once. */
export function hasGoodParameters(contentType: string): boolean {
  const names = new Set<string>();
  parameter.lastIndex = contentType.indexOf(';');
  if (parameter.lastIndex === -1) return true;
  for (let end = parameter.lastIndex; ; end = parameter.lastIndex) {
    const name = parameter.exec(contentType)?.[1]?.toLowerCase();
    if (name === undefined) return ['', ';'].includes(contentType.slice(end).trim());
    if (names.has(name)) return false;
    names.add(name);
  }
}

/** Returns the media type of a Content-Type header in lower case, without parameters, or undefined. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType === '') return undefined;
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}
