// GET of one object, and its export: what somebody could create it from elsewhere.
import { badRequest } from '../errors.js';
import { exported } from '../registry/exports.js';
import { viewOf } from '../registry/views.js';
import { readComponentStatus } from './componentStatus.js';
import { flag, type MakeHandler, ok, okObject, placeOf, resourceOf, storeOf, withExceptions } from './context.js';
import { requireReached, revisionOf } from './selection.js';

const readObject: MakeHandler = (dependencies) => async (request) =>
  ok(viewOf(resourceOf(request), await storeOf(request, dependencies).get(placeOf(request))));

export const read: MakeHandler = (dependencies) => {
  const plain = readObject(dependencies);
  return async (request) => {
    const { query } = request;
    if (query.size === 0) return plain(request);
    await requireReached(revisionOf(query), dependencies.registry.storage);
    if (!flag(query, 'export')) return plain(request);
    if (dependencies.registry.lacks('export')) {
      throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
    }
    const { object } = viewOf(resourceOf(request), await storeOf(request, dependencies).get(placeOf(request)));
    return okObject(exported(resourceOf(request), object, flag(query, 'exact')));
  };
};

export const readPlain = withExceptions(readObject, { 'core/componentstatuses': readComponentStatus });

export const readStatus = readObject;
