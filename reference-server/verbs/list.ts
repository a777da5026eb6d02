// GET of a collection, in its scope and across namespaces; a watch when it asks for one.
import { ListBody } from '../registry/views.js';
import { listComponentStatuses } from './componentStatus.js';
import { flag, type MakeHandler, ok, resourceOf, storeOf, withExceptions } from './context.js';
import { select } from './selection.js';
import { watch } from './watch.js';

const listObjects: MakeHandler = (dependencies) => {
  const watchObjects = watch(dependencies);
  return async (request) => {
    const { query, path } = request;
    if (query.size > 0 && flag(query, 'watch')) return watchObjects(request);
    const { metadata, entries } = await select(storeOf(request, dependencies), path.namespace, query);
    return ok(new ListBody(resourceOf(request), metadata, entries));
  };
};

export const list = withExceptions(listObjects, { 'core/componentstatuses': listComponentStatuses });
