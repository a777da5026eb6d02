// DELETE of a collection: everything that is selected, answered as the list of what it was.
import { StatusError } from '../errors.js';
import { deleteOptions } from '../registry/deletion.js';
import { immortal } from '../registry/strategies/namespaces.js';
import { ListBody } from '../registry/views.js';
import { type MakeHandler, ok, resourceOf, storeOf } from './context.js';
import { select } from './selection.js';

export const deleteCollection: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const store = storeOf(request, dependencies);
  const options = deleteOptions(request.body, request.query);
  const { metadata, views } = await select(store, request.path.namespace, request.query);
  const deletable = views.filter(
    ({ object }) => resource.kind !== 'Namespace' || !immortal.includes(object.metadata.name ?? ''),
  );
  for (const { object } of deletable) {
    const { namespace, name = '' } = object.metadata;
    await store.delete({ namespace, name }, options).catch(unlessGone);
  }
  const newest = String(await dependencies.registry.storage.revision());
  return ok(new ListBody(resource, { ...metadata, resourceVersion: newest }, deletable));
};

/** Somebody else was faster; it is deleted all the same. */
function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}
