// GET of one object, and its export for another cluster.

import { badRequest } from '../errors.js';
import { flag } from '../query/parameters.js';
import { requireReached } from '../query/selection.js';
import { exported } from '../registry/exports.js';
import { objectKeyOf, resourceOf } from '../request.js';
import { viewOf } from '../versions/views.js';
import { readComponentStatus } from './componentStatus.js';
import { type MakeHandler, ok, okObject, storeOf, withExceptions } from './context.js';

const readObject: MakeHandler = (dependencies) => async (request) =>
  ok(viewOf(resourceOf(request), await storeOf(request, dependencies).get(objectKeyOf(request))));

export const read: MakeHandler = (dependencies) => {
  const plain = readObject(dependencies);
  return async (request) => {
    const { query } = request;
    if (query.size === 0) return plain(request);
    await requireReached(query, dependencies.storage);
    if (!flag(query, 'export')) return plain(request);
    if (dependencies.lacks('export')) {
      throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
    }
    const store = storeOf(request, dependencies);
    const { object } = viewOf(store.resource, await store.get(objectKeyOf(request)));
    return okObject(exported(store.context, object, flag(query, 'exact')));
  };
};

export const readPlain = withExceptions(readObject, { 'core/componentstatuses': readComponentStatus });

export const readStatus = readObject;
