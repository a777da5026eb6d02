// The OpenAPI documents as an addon. They are made when the first client asks, and their code is loaded then.
import { type Operation, pageOf } from '../../../matrix/api/index.js';
import type { Addon } from '../../addons.js';
import type { Handler } from '../../request.js';
import type { Pages } from '../../surface.js';
import type { DocumentSource } from './documents.js';
import { noRemotes, type RemoteDocuments } from './remotes.js';
import { documentSource } from './source.js';

/** The template of the paths of the documents of OpenAPI 3. */
const documentPath = '/openapi/v3/{path}';

const listed = ['/openapi/v2', '/openapi/v3', '/swagger.json'];

/** `remotes` are the documents of other servers. */
export const openApi = (remotes: RemoteDocuments = noRemotes): Addon => ({
  feature: 'openapi',
  serve({ options, codecs, surface }) {
    const sources = new WeakMap<readonly Operation[], DocumentSource>();
    const sourceOf = (operations: readonly Operation[]): DocumentSource => {
      const source = sources.get(operations) ?? documentSource({ ...options, codecs, operations });
      sources.set(operations, source);
      return source;
    };
    surface.add(pagesOf(() => sourceOf(surface.operations), remotes));
    return {};
  },
});

/**
 * Makes the pages. `sourceOf` returns what the documents are made from: a source other than the last one, such as one
 * with a new resource, makes new documents.
 */
function pagesOf(sourceOf: () => DocumentSource, remotes: RemoteDocuments): Pages {
  let loaded: Promise<InstanceType<typeof import('./pages.js').DocumentPages>> | undefined;
  const handler: Handler = async (request) => {
    loaded ??= import('./pages.js').then(({ DocumentPages }) => new DocumentPages(remotes));
    return (await loaded).answer(request, sourceOf());
  };
  return { operations: [...listed, documentPath].map((path) => pageOf(path, ['json'], true)), listed, handler };
}
