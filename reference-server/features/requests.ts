// What a server makes of a request that uses what it has never heard of: unknown parameters and fields are dropped.
import type { DecodedBody } from '../request.js';
import { isRecord, own } from '../schema/object.js';
import type { Feature, Lacks } from './features.js';

/** Query parameters by the feature that they belong to. */
const parameters: Partial<Record<Feature, readonly string[]>> = {
  'dry-run': ['dryRun'],
  limit: ['limit', 'continue'],
  'resource-version-match': ['resourceVersionMatch'],
  'propagation-policy': ['propagationPolicy'],
  bookmarks: ['allowWatchBookmarks'],
  'initial-events': ['sendInitialEvents'],
};

/** Fields of delete options by the feature that they belong to. */
const optionFields: Partial<Record<Feature, readonly string[]>> = {
  'dry-run': ['dryRun'],
  'propagation-policy': ['propagationPolicy'],
  'precondition-version': ['preconditions', 'resourceVersion'],
};

type Fields = Readonly<Record<string, unknown>>;

/** Makes the reader of queries: the parameters of what the server lacks are not there. */
export function queryReader(lacks: Lacks): (search: string) => URLSearchParams {
  const unknown = known(parameters, lacks).flat();
  return (search) => {
    const query = new URLSearchParams(search);
    for (const name of unknown) query.delete(name);
    return query;
  };
}

/** Makes the reader of bodies: delete options, and those of an eviction, are without what the server lacks. */
export function bodyReader(lacks: Lacks): (body: DecodedBody | undefined) => DecodedBody | undefined {
  const paths = known(optionFields, lacks);
  const within = (options: unknown) => paths.reduce(without, options);
  return (body) => {
    if (paths.length === 0 || body === undefined || !isRecord(body.value)) return body;
    const kind = own(body.value, 'kind') ?? 'DeleteOptions';
    if (kind === 'DeleteOptions') return { ...body, value: within(body.value) };
    if (kind !== 'Eviction') return body;
    return { ...body, value: { ...body.value, deleteOptions: within(body.value.deleteOptions) } };
  };
}

function known<Row>(table: Partial<Record<Feature, Row>>, lacks: Lacks): Row[] {
  return (Object.entries(table) as [Feature, Row][]).flatMap(([feature, row]) => (lacks(feature) ? [row] : []));
}

/** A value without the field at the end of a path. */
function without(value: unknown, [name = '', ...rest]: readonly string[]): unknown {
  if (!isRecord(value) || own(value, name) === undefined) return value;
  const { [name]: inner, ...others }: Fields = value;
  return rest.length === 0 ? others : { ...others, [name]: without(inner, rest) };
}
