// DELETE of a collection: deletes the selected objects and returns them as a list.

import { select } from '../query/selection.js';
import { deleteOptions } from '../registry/deletion.js';
import { protectedNamespaces } from '../registry/strategies/namespaces.js';
import { resourceOf } from '../request.js';
import { unlessGone } from '../statusError.js';
import type { Entry } from '../storage/storage.js';
import { Turns } from '../turns.js';
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
  const turns = new Turns();
  for (const entry of deletable) {
    const { namespace, name = '' } = metadataOf(entry);
    await store.delete({ namespace, name }, options).catch(unlessGone);
    if (turns.isOver) await turns.next();
  }
  const newest = String(await dependencies.storage.revision());
  return ok(new ListBody(resource, { ...metadata, resourceVersion: newest }, deletable));
};

const metadataOf = ({ value }: Entry) => value.metadata;
