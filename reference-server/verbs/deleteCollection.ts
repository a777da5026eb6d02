// DELETE of a collection: deletes the selected objects and returns them as a list.

import { select } from '../query/selection.js';
import { type DeleteOptions, deleteOptions } from '../registry/deletion.js';
import type { Store } from '../registry/store.js';
import { protectedNamespaces } from '../registry/strategies/namespaces.js';
import { resourceOf } from '../request.js';
import { unlessGone } from '../statusError.js';
import type { Entry } from '../storage/storage.js';
import { type AsyncSteps, doInTurns } from '../turns.js';
import { ListBody } from '../versions/views.js';
import { type MakeHandler, ok, storeOf } from './context.js';

export const deleteCollection: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const store = storeOf(request, dependencies);
  const options = deleteOptions(request.body, request.query, resource.groupVersion);
  const { metadata, entries } = await select(dependencies.storage, resource, request.path.namespace, request.query);
  const deletable = entries.filter(
    (entry) => resource.kind !== 'Namespace' || !protectedNamespaces.includes(metadataOf(entry).name ?? ''),
  );
  await doInTurns(deleteAll(deletable, store, options));
  const newest = String(await dependencies.storage.revision());
  return ok(new ListBody(resource, { ...metadata, resourceVersion: newest }, deletable));
};

async function* deleteAll(
  entries: readonly Entry[],
  store: Pick<Store, 'delete'>,
  options: DeleteOptions,
): AsyncSteps<void> {
  for (const entry of entries) {
    const { namespace, name = '' } = metadataOf(entry);
    await store.delete({ namespace, name }, options).catch(unlessGone);
    yield;
  }
}

const metadataOf = ({ value }: Entry) => value.metadata;
