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

/** The minor version since which servers have documents of OpenAPI 3; clients of earlier ones use those of version 2. */
const version3Since = 24;

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
    const isModern = surface.operations.some(({ resource }) => resource?.modern === true);
    const hasVersion3 = !isModern || Number(options.kubeVersion.split('.')[1]) >= version3Since;
    surface.add(pagesOf(() => sourceOf(surface.operations), remotes, hasVersion3));
    return {};
  },
});

/**
 * Makes the pages. `sourceOf` returns what the documents are made from: a source other than the last one, such as one
 * with a new resource, makes new documents.
 */
function pagesOf(sourceOf: () => DocumentSource, remotes: RemoteDocuments, hasVersion3: boolean): Pages {
  let loaded: Promise<InstanceType<typeof import('./pages.js').DocumentPages>> | undefined;
  const handler: Handler = async (request) => {
    loaded ??= import('./pages.js').then(({ DocumentPages }) => new DocumentPages(remotes));
    return (await loaded).answer(request, sourceOf());
  };
  const listed = ['/openapi/v2', ...(hasVersion3 ? ['/openapi/v3'] : []), '/swagger.json'];
  const paths = hasVersion3 ? [...listed, documentPath] : listed;
  return { operations: paths.map((path) => pageOf(path, ['json'], true)), listed, handler };
}
