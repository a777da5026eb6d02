// Section 9 of the interface: delete.
import type { Section } from './types.js';

export const deletion = {
  number: 9,
  title: 'Delete',
  introduction:
    'A delete removes one object, a delete-collection removes the selected objects of a kind. Finalizers, owners ' +
    'and grace periods decide when an object is really gone.',
  rules: [
    {
      number: '9.1',
      title: 'Delete',
      text:
        'A DELETE of an object must remove that object and leave every other object as it was. After it, a read ' +
        'must not find the object and a list must not contain it. An object that finalizers or a grace period hold ' +
        'may remain for a while, marked with a `deletionTimestamp`. The name should then be free for a new object ' +
        'with another `uid`.',
      why: 'Cleaning up is only safe when a delete takes one object and no other.',
      sources: ['Generic operation set/delete'],
    },
    {
      number: '9.2',
      title: 'Delete options',
      text:
        'A delete must accept a `DeleteOptions` object as its body. The body should be optional, and may be empty. ' +
        'A body that cannot be decoded, that is of another kind or that has a type without a decoder should be ' +
        'refused, and the object should stay. With `dryRun` in the options or in the query nothing should be ' +
        'deleted.',
      why: 'A delete with options that the server misreads removes what its client wanted to keep.',
      sources: [],
    },
    {
      number: '9.3',
      title: 'Preconditions',
      text:
        '`preconditions` of the options name a `uid` or a `resourceVersion`. A delete should be refused with 409 ' +
        'when the object has another one, and the object should stay.',
      why: 'A client that deletes what it has seen must not delete the successor of the same name.',
      sources: [],
    },
    {
      number: '9.4',
      title: 'Response to a delete',
      text:
        'A delete that takes effect at once should return a `Status` of `Success` or with the object; one that is ' +
        'delayed, and every delete of a Pod, should return the object and its `deletionTimestamp`.',
      why: 'A client learns from the response whether it has to wait.',
      sources: [],
    },
    {
      number: '9.5',
      title: 'Grace period of a Pod',
      text:
        'A Pod that runs on a node should remain, with `deletionTimestamp` and `deletionGracePeriodSeconds`, until ' +
        'its processes have ended. The period comes from `gracePeriodSeconds` in the options or the query, and ' +
        'otherwise from the spec of the Pod. A period of 0 removes the Pod at once, and so does a delete of a Pod ' +
        'without a node. A later delete can shorten the period and not lengthen it. Other kinds have no grace ' +
        'period.',
      why: 'A process gets time to finish its work; a Pod whose record is gone can run twice.',
      sources: [],
    },
    {
      number: '9.6',
      title: 'Finalizers',
      text:
        'An object with finalizers should stay after a delete, with `deletionTimestamp`, until a write removes its ' +
        'last finalizer. It should not be possible to add a finalizer to an object that is being deleted, or to ' +
        'remove the `deletionTimestamp`.',
      why: 'A controller uses a finalizer to clean up outside the cluster before the object is gone.',
      sources: [],
    },
    {
      number: '9.7',
      title: 'Dependents',
      text:
        'An object whose `ownerReferences` name only owners that are gone should be deleted. `propagationPolicy` of ' +
        'the options decides: `Background` deletes the owner first, `Foreground` deletes it after the dependents ' +
        'that block it, `Orphan` keeps the dependents and removes the reference. The older field `orphanDependents` ' +
        'means `Orphan` when true and `Background` when false. Without a policy, dependents of a ReplicaSet are ' +
        'orphaned and those of most other kinds deleted. A dependent with another existing owner stays.',
      why: 'Deleting a Job or a Deployment must not leave its Pods running for ever.',
      sources: [],
    },
    {
      number: '9.8',
      title: 'Delete-collection',
      text:
        'A DELETE of a collection must delete the objects that the selectors of the query choose, and leave all ' +
        'others, also those of other namespaces. It should return the list of the deleted objects or with a ' +
        '`Status` of `Success`.',
      why: 'This is the one request that can empty a namespace: its scope must be exact.',
      sources: ['Generic operation set/delete collection'],
    },
    {
      number: '9.9',
      title: 'Options of a delete-collection',
      text:
        'A delete-collection should accept the same options as a delete, in its body or its query, and apply them ' +
        'to each object. Options that cannot be read, an unknown policy or a failed precondition should delete ' +
        'nothing.',
      why: 'An error in the options of a bulk delete would hit every object.',
      sources: [],
    },
    {
      number: '9.10',
      title: 'Deletion of a namespace',
      text:
        'A namespace that is deleted should be `Terminating`, with a `deletionTimestamp`, until it is gone. The ' +
        'server should refuse a create in it with 403, delete everything in it, and remove the namespace when it is ' +
        'empty and has no finalizer left. The namespace `default` cannot be deleted: 403.',
      why: 'A deleted namespace that keeps objects, or takes new ones, never ends.',
      sources: [],
    },
  ],
} as const satisfies Section;
