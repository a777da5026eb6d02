// GET of a collection, in a namespace or across all; with `watch`, a watch.

import { flag } from '../query/parameters.js';
import { select } from '../query/selection.js';
import { resourceOf } from '../request.js';
import { ListBody } from '../versions/views.js';
import { listComponentStatuses } from './componentStatus.js';
import { type MakeHandler, ok, storageOf, withExceptions } from './context.js';
import { watch } from './watch.js';

const listObjects: MakeHandler = (dependencies) => {
  const watchObjects = watch(dependencies);
  return async (request) => {
    const { query, path } = request;
    if (query.size > 0 && flag(query, 'watch')) return watchObjects(request);
    const { metadata, entries } = await select(
      storageOf(request, dependencies),
      resourceOf(request),
      path.namespace,
      query,
      dependencies.selfLinks,
    );
    return ok(new ListBody(resourceOf(request), metadata, entries));
  };
};

export const list = withExceptions(listObjects, { 'core/componentstatuses': listComponentStatuses });
