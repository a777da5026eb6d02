// The consequences for clients if a requirement of the chapter deleteOptions is violated.
import type { Breaks } from './types.js';

export const deleteOptions = [
  [['options', 'options-empty'], 'Clients that send delete options, `kubectl` among them, cannot delete.'],
  [
    ['options-malformed', 'options-wrong-kind', 'options-type', 'query-malformed'],
    'A client whose options are not understood deletes the object without the grace period or the orphaning it asked for.',
  ],
  [['precondition-uid', 'precondition-version'], 'A client deletes the successor of the object that it has seen.'],
  [['precondition-met'], 'A client that deletes carefully, with a precondition, can never delete.'],
  [['dry-run', 'dry-run-unknown', 'collection-dry-run'], 'A preview of a delete really deletes.'],
  [
    ['answer-status', 'answer-object', 'answer-pod', 'answer-list'],
    'A client cannot tell whether the delete is done or has to be waited for.',
  ],
  [
    ['propagation-unknown', 'propagation-twice', 'collection-propagation'],
    'A delete with a wrong policy removes or orphans dependents against the will of its sender.',
  ],
  [
    ['collection-options', 'collection-malformed', 'collection-precondition'],
    'A bulk delete ignores its options, and every object is deleted in the wrong way.',
  ],
  [['name-free'], 'A redeployment under the same name fails, or gets the old object.'],
  [
    ['grace-marks', 'grace-default', 'grace-query'],
    'A Pod is killed without the time it needs to finish its requests.',
  ],
  [
    ['grace-zero', 'grace-unscheduled', 'grace-shorter'],
    '`kubectl delete --now` and drains hang on a Pod that could be gone.',
  ],
  [['grace-kept'], 'A second delete makes a Pod stay longer, and a drain of a node never ends.'],
  [['grace-collection'], 'A bulk delete kills every Pod without its grace period.'],
  [['grace-elsewhere'], 'A deleted ConfigMap or Service stays visible, and clients continue to use it.'],
  [
    ['finalizer-holds', 'finalizer-collection'],
    'An object is gone before its controller could release a disk, a load balancer or a DNS name.',
  ],
  [['finalizer-last'], 'A deleted object stays for ever after its cleanup is done.'],
  [['finalizer-late', 'timestamp-kept'], 'A controller stops a deletion that other controllers already act on.'],
  [
    [
      'dependents-background',
      'dependents-flag-off',
      'dependents-default',
      'dependents-every-kind',
      'dependents-chain',
      'dependents-lost',
      'dependents-collection',
    ],
    'Pods and other dependents run on after their owner was deleted.',
  ],
  [
    ['dependents-foreground', 'dependents-unblocking'],
    'A client that waits for the owner to be gone continues while its Pods still run, or waits for ever.',
  ],
  [['dependents-orphan', 'dependents-orphan-flag'], 'A client that keeps the Pods on purpose loses them.'],
  [['dependents-other-owner', 'dependents-shared'], 'An object that two owners share is deleted with the first one.'],
  [['namespace-terminating'], 'A client cannot see that the namespace is on its way out.'],
  [
    ['namespace-contents', 'namespace-gone'],
    'A deleted test namespace stays, with everything in it, and the next run fails.',
  ],
  [['namespace-closed'], 'A controller creates objects in a namespace that is being deleted, so it never ends.'],
  [['namespace-held'], 'A namespace is gone before the cleanup of its objects is done.'],
  [['namespace-default'], 'One command deletes the namespace that every client takes for granted.'],
] as const satisfies Breaks;
