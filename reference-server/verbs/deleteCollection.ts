// DELETE of a collection: everything that is selected, answered as the list of what it was.
import { StatusError } from '../errors.js';
import { deleteOptions } from '../registry/deletion.js';
import { immortal } from '../registry/strategies/namespaces.js';
import { ListBody } from '../registry/views.js';
import type { KubeObject } from '../schema/object.js';
import type { Entry } from '../storage/storage.js';
import { Turns } from '../turns.js';
import { type MakeHandler, ok, resourceOf, storeOf } from './context.js';
import { select } from './selection.js';

export const deleteCollection: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const store = storeOf(request, dependencies);
  const options = deleteOptions(request.body, request.query);
  const { metadata, entries } = await select(store, request.path.namespace, request.query);
  const deletable = entries.filter(
    (entry) => resource.kind !== 'Namespace' || !immortal.includes(metadataOf(entry).name ?? ''),
  );
  const turns = new Turns();
  for (const entry of deletable) {
    const { namespace, name = '' } = metadataOf(entry);
    await store.delete({ namespace, name }, options).catch(unlessGone);
    if (turns.isOver) await turns.next();
  }
  const newest = String(await dependencies.registry.storage.revision());
  return ok(new ListBody(resource, { ...metadata, resourceVersion: newest }, deletable));
};

const metadataOf = ({ value }: Entry) => (value as KubeObject).metadata;

/** Somebody else was faster; it is deleted all the same. */
function unlessGone(error: unknown): void {
  if (!(error instanceof StatusError && error.code === 404)) throw error;
}
