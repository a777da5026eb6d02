// DELETE of one object.

import { deletedStatus, deleteOptions } from '../registry/deletion.js';
import { objectKeyOf, resourceOf } from '../request.js';
import { viewOf } from '../versions/views.js';
import { type MakeHandler, ok, okObject, storeOf } from './context.js';

export const deleteObject: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const options = deleteOptions(request.body, request.query, resource.groupVersion);
  const { entry, answersObject } = await storeOf(request, dependencies).delete(objectKeyOf(request), options);
  const view = viewOf(resource, entry);
  return answersObject ? ok(view) : okObject(deletedStatus(resource, view.object));
};
