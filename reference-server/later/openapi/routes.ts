// The paths of the OpenAPI documents. The documents are made when the first client asks, and their code is loaded then.
import { type Operation, pageOf } from '../../../matrix/api/index.js';
import { type IsDisabled, nothingDisabled } from '../../features/features.js';
import type { Handler } from '../../request.js';
import type { DocumentSource } from './documents.js';
import type { Pages } from './pages.js';

/** The OpenAPI documents of a server, for its resolver and its handlers. */
export interface OpenApi {
  readonly operations: readonly Operation[];
  /** The paths without parameters, for the list of all paths. */
  readonly pages: readonly string[];
  /** Returns a handler of these operations, which leaves others to another handler. */
  readonly orElse: (other: Handler) => Handler;
}

/** The template of the paths of the documents of OpenAPI 3. */
const documentPath = '/openapi/v3/{path}';

const listed = ['/openapi/v2', '/openapi/v3', '/swagger.json'];

/**
 * Makes the operations; none if the server lacks them. `sourceOf` returns what the documents are made from: a source
 * other than the last one, such as one with a new resource, makes new documents.
 */
export function createOpenApi(sourceOf: () => DocumentSource, lacks: IsDisabled = nothingDisabled): OpenApi {
  if (lacks('openapi')) return { operations: [], pages: [], orElse: (other) => other };
  let pages: Promise<Pages> | undefined;
  const operations = [...listed, documentPath].map(operation);
  const paths = new Set(operations.map(({ path }) => path));
  const handler: Handler = async (request) => {
    pages ??= import('./pages.js').then(({ Pages }) => new Pages());
    return (await pages).answer(request, sourceOf());
  };
  return {
    operations,
    pages: listed,
    orElse: (other) => (request) => (paths.has(request.operation.path) ? handler : other)(request),
  };
}

const operation = (path: string): Operation => pageOf(path, ['json'], true);
