// Drops the parameters and fields of features that the server lacks.
import type { DecodedBody } from '../codecs/codec.js';
import type { IsDisabled } from '../features/features.js';
import { missingOptionFields, missingParameters } from '../features/surface.js';
import { isRecord, own } from '../schema/object.js';

type Fields = Readonly<Record<string, unknown>>;

/** Makes a parser of queries that drops the parameters of missing features. */
export function queryReader(lacks: IsDisabled): (search: string) => URLSearchParams {
  const unknown = missingParameters(lacks);
  return (search) => {
    const query = new URLSearchParams(search);
    for (const name of unknown) query.delete(name);
    return query;
  };
}

/** Makes a function that drops the fields of missing features from delete options, also within an eviction. */
export function bodyReader(lacks: IsDisabled): (body: DecodedBody | undefined) => DecodedBody | undefined {
  const paths = missingOptionFields(lacks);
  const within = (options: unknown) => paths.reduce(without, options);
  return (body) => {
    if (paths.length === 0 || body === undefined || !isRecord(body.value)) return body;
    const kind = own(body.value, 'kind') ?? 'DeleteOptions';
    if (kind === 'DeleteOptions') return { ...body, value: within(body.value) };
    if (kind !== 'Eviction') return body;
    return { ...body, value: { ...body.value, deleteOptions: within(body.value.deleteOptions) } };
  };
}

/** Returns a value without the field at a path. */
function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isRecord(value) || own(value, name) === undefined) return value;
  const { [name]: inner, ...others }: Fields = value;
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
}
