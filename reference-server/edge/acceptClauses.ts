// The clauses of an Accept header: media type, weight, stream and representation.
import type { Codec } from '../codecs/codec.js';
import type { Representation, RepresentationOf } from '../request.js';

/** A clause of an Accept header. */
export interface Clause {
  /** The media type or range, in lower case. */
  readonly type: string;
  /** The q-value, from 0 to 1. */
  readonly weight: number;
  /** The type with its weight only. */
  readonly text: string;
  /** Whether the clause has `stream=watch`. */
  readonly stream: boolean;
  /** What `as=` asks for; `unknown` if the server does not know it. */
  readonly as?: Representation | 'unknown';
  /** Whether the clause asks for an unknown kind of stream. */
  readonly isIgnored: boolean;
}

/** Reads all clauses. Never throws: a clause without sense matches nothing. */
export const readClauses = (accept: string, representationOf: RepresentationOf): Clause[] =>
  accept.split(',').map((clause) => readClause(clause, representationOf));

function readClause(clause: string, representationOf: RepresentationOf): Clause {
  const [type = '', ...parameters] = clause.split(';').map((part) => part.trim());
  const weights = all(parameters, 'q').map((weight) => `;q=${weight.toLowerCase()}`);
  const streams = all(parameters, 'stream').map((stream) => stream.toLowerCase());
  const [as] = all(parameters, 'as');
  const weight = Number.parseFloat(all(parameters, 'q')[0] ?? '');
  return {
    type: type.toLowerCase(),
    weight: Number.isNaN(weight) ? 1 : weight,
    text: type.toLowerCase() + weights.join(''),
    stream: streams.includes('watch'),
    ...(as !== undefined && {
      as: representationOf(as, all(parameters, 'g')[0], all(parameters, 'v')[0]) ?? 'unknown',
    }),
    isIgnored: streams.some((stream) => stream !== 'watch'),
  };
}

/** Returns the values of the parameters with a name, whose letters may be of any case. */
function all(parameters: readonly string[], name: string): string[] {
  const start = `${name}=`;
  return parameters.flatMap((parameter) =>
    parameter.slice(0, start.length).toLowerCase() === start ? [parameter.slice(start.length)] : [],
  );
}

/** Reports whether the type of a clause, which may be a range, includes that of a codec. */
export function accepts(type: string, { mediaType }: Codec): boolean {
  return type === mediaType || type === '*/*' || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1)));
}

/** Sorts clauses by weight, then ranges behind types; otherwise they keep their order. */
export function byPreference(clauses: readonly Clause[]): readonly Clause[] {
  const range = ({ type }: Clause): number => (type === '*/*' ? 2 : type.endsWith('/*') ? 1 : 0);
  return [...clauses].sort((one, other) => other.weight - one.weight || range(one) - range(other));
}
