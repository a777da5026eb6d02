// DELETE of one object, and of a collection: the selected objects are deleted and returned as a list.
import { select } from '../query/selection.js';
import type { Origin } from '../registry/admission.js';
import { type DeleteOptions, deletedStatus, deleteOptions } from '../registry/deletion.js';
import type { Store } from '../registry/store.js';
import { protectedNamespaces } from '../registry/strategies/namespaces.js';
import { objectKeyOf, resourceOf } from '../request.js';
import { unlessGone } from '../statusError.js';
import type { Entry } from '../storage/storage.js';
import { type AsyncSteps, doAsyncInTurns } from '../turns.js';
import { ListBody, sharedView, viewOf } from '../versions/views.js';
import { type MakeHandler, ok, okObject, storeOf } from './context.js';

export const deleteObject: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const options = deleteOptions(request.body, request.query);
  const { entry, answersObject } = await storeOf(request, dependencies).delete(objectKeyOf(request), options, {
    origin: request,
  });
  const view = viewOf(resource, entry);
  return answersObject ? ok(view) : okObject(deletedStatus(resource, view.object));
};

export const deleteCollection: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const store = storeOf(request, dependencies);
  const options = deleteOptions(request.body, request.query);
  const { metadata, entries } = await select(
    store.context.storage,
    resource,
    request.path.namespace,
    request.query,
    dependencies.selfLinks,
  );
  const deletable = entries.filter(
    (entry) => resource.kind !== 'Namespace' || !protectedNamespaces.includes(metadataOf(entry).name ?? ''),
  );
  await doAsyncInTurns(deleteAll(deletable, store, options, request));
  const newest = String(await dependencies.storage.revision());
  return ok(new ListBody(resource, { ...metadata, resourceVersion: newest }, deletable, sharedView));
};

async function* deleteAll(
  entries: readonly Entry[],
  store: Pick<Store, 'delete'>,
  options: DeleteOptions,
  origin: Origin,
): AsyncSteps<void> {
  for (const entry of entries) {
    const { namespace, name = '' } = metadataOf(entry);
    await store.delete({ namespace, name }, options, { origin, isOfCollection: true }).catch(unlessGone);
    yield;
  }
}

const metadataOf = ({ value }: Entry) => value.metadata;
