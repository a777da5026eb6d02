// GET of one object, and its export: what somebody could create it from elsewhere.

import { viewOf } from '../registry/views.js';
import { type KubeObject, type ObjectMeta, part } from '../schema/object.js';
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
    const { object } = viewOf(resourceOf(request), await storeOf(request, dependencies).get(placeOf(request)));
    return okObject(exported(object, flag(query, 'exact')));
  };
};

export const readPlain = withExceptions(readObject, { 'core/componentstatuses': readComponentStatus });

export const readStatus = readObject;

/** Without what a user cannot specify; without what belongs to this cluster, unless it is to be exact. */
function exported(object: KubeObject, exact: boolean): KubeObject {
  const { name, generateName, namespace, labels, annotations } = object.metadata;
  const metadata: ObjectMeta = {
    ...(name && { name }),
    ...(generateName && { generateName }),
    ...(exact && namespace && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  const { status: _status, ...fields } = object as Readonly<Record<string, unknown>>;
  const clusterOwned = exact ? undefined : assigned[String(object.kind)];
  return { ...fields, ...clusterOwned?.(object), metadata };
}

/** Values that the cluster assigned, by kind: they would not be free elsewhere. */
const assigned: Readonly<Record<string, (object: KubeObject) => object>> = {
  Service: (object) => {
    const { clusterIP, ports, ...spec } = part<{ clusterIP?: string; ports?: readonly { nodePort?: number }[] }>(
      object,
      'spec',
    );
    const freed = ports?.map(({ nodePort: _nodePort, ...port }) => port);
    return { spec: { ...(freed && { ports: freed }), ...(clusterIP === 'None' && { clusterIP }), ...spec } };
  },
  Pod: (object) => {
    const { nodeName: _nodeName, ...spec } = part<{ nodeName?: string }>(object, 'spec');
    return { spec };
  },
};
