// Rows of the chapter subresources: finalize, and the end of a namespace that waits for it.
import type { Chapter } from '../../types.js';

export const namespaces = {
  // finalize
  finalize: {
    level: 'stated',
    source: ['Core group/PUT /api/v1/namespaces/{name}/finalize', 'What the service does/2'],
    text: 'A replace of finalize stores the finalizers of its body in the namespace.',
    words: 'PUT | /api/v1/namespaces/{name}/finalize | PR, body required | replace finalize',
    subjects: 'finalizes',
  },
  'finalize-last': {
    level: 'convention',
    source: ['Core group/PUT /api/v1/namespaces/{name}/finalize', 'States and transitions/not shown'],
    text: 'A namespace that is Terminating is gone once finalize has removed its last finalizer.',
    subjects: 'namespaceLives',
  },
  'finalize-active': {
    level: 'convention',
    source: ['Core group/PUT /api/v1/namespaces/{name}/finalize', 'States and transitions/not shown'],
    text: 'Finalize does not change the phase of a namespace that was not deleted: it stays Active.',
    subjects: 'finalizes',
  },
  'finalize-invalid': {
    level: 'convention',
    source: ['Core group/PUT /api/v1/namespaces/{name}/finalize', 'Errors/1'],
    text: 'A finalize with a finalizer that is not a qualified name is refused with 422 and changes nothing.',
    subjects: 'refusedFinalizes',
  },
  'finalize-stale': {
    level: 'convention',
    source: ['Core group/PUT /api/v1/namespaces/{name}/finalize', 'Errors/1'],
    text: 'A finalize with a stale resourceVersion is refused with 409 and changes nothing.',
    subjects: 'refusedFinalizes',
  },
  // the life of a namespace
  'namespace-terminating': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A namespace that is deleted is Terminating, with the time of its deletion, until it is gone.',
    subjects: 'namespaceLives',
  },
  'namespace-closed': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A create in a namespace that is Terminating is refused with 403 and creates nothing.',
    subjects: 'namespaceLives',
  },
  'namespace-emptied': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'The objects in a namespace are removed when the namespace is deleted.',
    subjects: 'namespaceLives',
    feature: 'namespace-controller',
  },
  'namespace-held': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'States and transitions/not shown'],
    text: 'A deleted namespace stays as long as it has a finalizer.',
    subjects: 'namespaceLives',
  },
  'namespace-kept': {
    level: 'convention',
    source: ['Core group/DELETE /api/v1/namespaces/{name}', 'Errors/1'],
    text: 'A delete of the namespace default is refused with 403 and changes nothing.',
    subjects: 'keptNamespaces',
  },
} as const satisfies Chapter;
