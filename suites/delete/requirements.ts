// Delete: exactly one object is deleted.
import type { Chapter } from '../requirements/types.js';

export const deletion = {
  answer: {
    level: 'recommended',
    rule: '9.4',
    text: 'The response to a delete is a Status with Success, or the deleted object.',
    subjects: 'deletes',
    breaks: 'A client cannot tell whether the object is gone or still being deleted.',
  },
  'effect-read': {
    level: 'required',
    rule: '9.1',
    text: 'After a delete, a read is refused with 404, or returns the object that finalizers hold while it is being deleted.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'deletes',
    breaks: 'A cleanup reports success, and the object stays and costs money.',
  },
  'effect-list': {
    level: 'required',
    rule: '9.1',
    text: 'After a delete, a list no longer contains the object, unless finalizers hold it.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'deletes',
    breaks: 'A cleanup reports success, and the object stays and costs money.',
  },
  'spares-others': {
    level: 'required',
    rule: '9.1',
    text: 'A delete changes no other object: neither a namesake in another namespace or of another kind, nor an object whose name begins with the name.',
    words: 'name | path | string | yes | object name',
    subjects: 'deletes',
    breaks: 'A delete of one object removes the work of others.',
  },
  'without-options': {
    level: 'recommended',
    rule: '9.2',
    text: 'A delete without a body is accepted and deletes the object.',
    subjects: 'deletesWithoutOptions',
    breaks: 'Clients that send no body, `curl` and older libraries among them, cannot delete anything.',
  },
  absent: {
    level: 'recommended',
    rule: '7.9',
    text: 'A delete of an absent object is refused with 404, the reason NotFound and its name and kind in the details.',
    subjects: 'refusedDeletes',
    breaks: 'A cleanup that runs twice fails the second time, because it does not recognize "already gone".',
  },
} as const satisfies Chapter;
