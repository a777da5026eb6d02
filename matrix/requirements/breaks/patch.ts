// The consequences for clients if a requirement of the chapter patch is violated.
import type { Breaks } from './types.js';

export const patch = [
  [
    ['json-patch', 'json-patch-pointers'],
    'A tool that sends exact changes, as many admission and GitOps tools do, changes the wrong field.',
  ],
  [['json-patch-test'], 'A check-and-set on one field does not check, and two writers overwrite each other.'],
  [
    ['json-patch-missing-path'],
    'A patch against an outdated picture of the object is applied in part, and no error is reported.',
  ],
  [['json-patch-all-or-nothing'], 'An object is left half changed, in a state that no client wrote.'],
  [['json-patch-malformed'], 'A damaged patch changes the object.'],
  [['json-patch-*-answer'], 'A client takes a patch that was refused for a failure of the server and repeats it.'],
  [['merge-patch'], 'A client that sets one field loses the others.'],
  [['merge-patch-null'], 'A client cannot remove a label, an annotation or a field.'],
  [['merge-patch-lists'], 'A list has old entries left over after a client replaced it.'],
  [['merge-patch-malformed', 'strategic-malformed'], 'A damaged patch replaces or empties the object.'],
  [['strategic-patch'], '`kubectl apply` and `kubectl edit` lose fields or do not change what they were told to.'],
  [['strategic-null'], '`kubectl apply` does not remove a field that was removed from the manifest.'],
  [['strategic-merge-key'], 'A patch of one container, port or volume removes the others.'],
  [['strategic-whole-list'], 'Old entries stay in a list that the manifest replaced.'],
  [['strategic-primitive-list'], 'A patch that adds a finalizer removes the finalizers of other controllers.'],
  [
    [
      'strategic-replace',
      'strategic-delete',
      'strategic-merge',
      'strategic-delete-primitives',
      'strategic-retain-keys',
    ],
    '`kubectl apply` leaves behind what was removed from the manifest, or stores the directive as a field.',
  ],
  [
    ['strategic-order'],
    'The items of a list end up in another order than in the manifest, which matters for init containers and arguments.',
  ],
  [
    ['strategic-without-key', 'strategic-unknown-directive'],
    'A patch with a mistake in it is stored, and the mistake shows up in a running Pod.',
  ],
  [['answer'], 'A client that continues with the returned object works with an old version of it.'],
  [
    ['effect-read', 'effect-list'],
    'A client believes that its change is stored, and it is not, or other fields have changed too.',
  ],
  [['identity'], 'A cache takes the patched object for a new one, or does not see the change.'],
  [['no-change'], 'Every idle loop of a controller makes a new version and wakes all watchers again.'],
  [['absent'], 'A controller that patches an object that is gone cannot tell that it is gone.'],
  [['without-type'], 'A patch is applied in a language that its sender did not choose.'],
  [['type-parameters'], 'A client library that adds a charset cannot patch at all.'],
  [['rename', 'other-uid', 'other-kind'], 'A patch turns one object into another, and references to it break.'],
  [['stale'], 'A client that asks for a conflict check overwrites a newer change.'],
  [['current'], 'A client that sends the version for safety can never patch.'],
  [['invalid-result'], 'A patch stores an object that a create would refuse, and controllers fail on it.'],
  [['concurrent'], 'The label or condition of one controller disappears when another one writes at the same time.'],
  [['hostile'], 'One patch stops the server or changes other objects.'],
] as const satisfies Breaks;
