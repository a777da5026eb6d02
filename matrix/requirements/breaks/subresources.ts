// The consequences for clients if a requirement of the chapter subresources is violated.
import type { Breaks } from './types.js';

export const subresources = [
  [['status-read'], 'A script that waits for a condition of the object gets an error or no status.'],
  [
    ['status-replace', 'status-patch'],
    'A controller reports a status and no client sees it, so everything that waits for it hangs.',
  ],
  [['status-keeps-spec'], 'A controller with an old copy of the object undoes a change of its user.'],
  [['main-keeps-status'], 'A user who applies a manifest erases the status, and rollouts start again.'],
  [
    ['status-stale', 'scale-stale', 'finalize-stale'],
    'A writer with an old version overwrites a newer state without an error.',
  ],
  [
    ['status-absent', 'scale-absent', 'rollback-absent', 'binding-absent'],
    'A controller cannot tell that the object is gone, and repeats the call.',
  ],
  [['status-name-mismatch', 'scale-name-mismatch'], 'A program with a wrong URL writes to another object.'],
  [
    ['scale-read', 'scale-observed'],
    'An autoscaler works with a wrong replica count and scales in the wrong direction.',
  ],
  [['scale-replace', 'scale-patch'], '`kubectl scale` and autoscalers report success, and the number of Pods stays.'],
  [['scale-version'], 'A client of this version cannot decode the Scale.'],
  [['scale-keeps-rest'], 'Scaling a Deployment rolls back a change of its template.'],
  [['scale-other-version', 'scale-negative'], 'A wrong Scale sets the replicas to zero, and the service is down.'],
  [
    ['rollback', 'rollback-effect', 'rollback-previous', 'rollback-revision'],
    '`kubectl rollout undo` reports success, and the broken version keeps running or another one starts.',
  ],
  [['rollback-keeps-rest'], 'A rollback changes the replica count or the strategy too, in the middle of an incident.'],
  [
    ['rollback-history', 'rollback-history-limit'],
    '`kubectl rollout history` does not show the revision to return to, or old ReplicaSets pile up.',
  ],
  [['rollback-annotations'], 'The reason of a rollback is not recorded.'],
  [
    ['rollback-unknown-revision', 'rollback-negative', 'rollback-name-mismatch'],
    'A typing error in a rollback changes what runs.',
  ],
  [['finalize', 'finalize-last'], 'A deleted namespace stays `Terminating` for ever.'],
  [['finalize-active'], 'A controller that updates the finalizers deletes a namespace in use.'],
  [['finalize-invalid'], 'A finalizer that no controller can own is stored, and the namespace can never be deleted.'],
  [
    ['namespace-terminating', 'namespace-held'],
    'A client cannot see that a namespace is being deleted, or its cleanup controller is skipped.',
  ],
  [['namespace-closed'], 'A controller keeps creating objects in a namespace that is being deleted, so it never ends.'],
  [['namespace-emptied'], 'Objects of a deleted namespace stay behind and appear again when the name is reused.'],
  [['namespace-kept'], 'One command deletes the namespace that every client takes for granted.'],
  [['binding', 'binding-of-pod'], 'A scheduler assigns a Pod, and the Pod never starts.'],
  [['binding-scheduled'], 'A client that waits for the condition `PodScheduled` waits for ever.'],
  [['binding-twice'], 'Two schedulers assign one Pod to two nodes, and it runs twice.'],
  [['binding-target', 'binding-name-mismatch'], 'A Binding with a mistake in it assigns the wrong Pod, or to no node.'],
] as const satisfies Breaks;
