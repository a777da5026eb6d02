// Patch: the three types of patches, their effects, and the fields that they leave unchanged.
import type { Chapter } from '../types.js';

const source = ['Generic operation set/partial update'] as const;

export const patch = {
  // JSON patch (RFC 6902)
  'json-patch': {
    level: 'stated',
    source: [...source, 'Conventions/3', 'What the service does/1'],
    text: 'A JSON patch applies its operations in order: add, remove, replace, move, copy and test.',
    words:
      'application/json-patch+json, application/merge-patch+json and application/strategic-merge-patch+json for every PATCH',
    subjects: 'jsonPatchOperations',
  },
  'json-patch-pointers': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'Paths of a JSON patch follow JSON Pointer: ~0, ~1, an index, and - for the end of a list.',
    words: 'application/json-patch+json',
    subjects: 'jsonPatchPointers',
  },
  'json-patch-test': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'A JSON patch with a test that fails is not applied.',
    words: 'application/json-patch+json',
    subjects: 'jsonPatchTests',
  },
  'json-patch-test-answer': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A JSON patch with a test that fails is refused with a client error and a Status.',
    subjects: 'jsonPatchTests',
  },
  'json-patch-missing-path': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'A JSON patch that removes or replaces a missing value is not applied.',
    words: 'application/json-patch+json',
    subjects: 'jsonPatchMissingPaths',
  },
  'json-patch-missing-path-answer': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A JSON patch that removes or replaces a missing value is refused with a client error and a Status.',
    subjects: 'jsonPatchMissingPaths',
  },
  'json-patch-all-or-nothing': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'A JSON patch with a later operation that fails leaves no trace of the earlier operations.',
    words: 'application/json-patch+json',
    subjects: 'jsonPatchLaterFailures',
  },
  'json-patch-all-or-nothing-answer': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A JSON patch with a later operation that fails is refused with a client error and a Status.',
    subjects: 'jsonPatchLaterFailures',
  },
  'json-patch-malformed': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'A JSON patch that is not a list of operations is not applied.',
    words: 'application/json-patch+json',
    subjects: 'jsonPatchMalformed',
  },
  'json-patch-malformed-answer': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A JSON patch that is not a list of operations is refused with a client error and a Status.',
    subjects: 'jsonPatchMalformed',
  },
  // Merge patch (RFC 7386)
  'merge-patch': {
    level: 'stated',
    source: [...source, 'Conventions/3', 'What the service does/1'],
    text: 'A merge patch sets the fields that it names and leaves the others.',
    words:
      'application/json-patch+json, application/merge-patch+json and application/strategic-merge-patch+json for every PATCH',
    subjects: 'mergePatches',
  },
  'merge-patch-null': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'A null in a merge patch removes the field.',
    words: 'application/merge-patch+json',
    subjects: 'mergePatchNulls',
  },
  'merge-patch-lists': {
    level: 'stated',
    source: [...source, 'Conventions/3'],
    text: 'A list in a merge patch replaces the whole list.',
    words: 'application/merge-patch+json',
    subjects: 'mergePatchLists',
  },
  'merge-patch-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A merge patch that is not an object is refused and changes nothing.',
    subjects: 'mergePatchMalformed',
  },
  // Strategic merge patch
  'strategic-patch': {
    level: 'stated',
    source: [...source, 'Conventions/3', 'What the service does/1'],
    text: 'A strategic merge patch sets the fields that it names and leaves the others.',
    words:
      'application/json-patch+json, application/merge-patch+json and application/strategic-merge-patch+json for every PATCH',
    subjects: 'strategicPatches',
  },
  'strategic-null': {
    level: 'convention',
    source: [...source, 'Conventions/3'],
    text: 'A null in a strategic merge patch removes the field.',
    subjects: 'strategicNulls',
  },
  'strategic-merge-key': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A strategic merge patch merges a list that has a merge key item by item, and finds each item by that key.',
    subjects: 'strategicKeys',
  },
  'strategic-whole-list': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A strategic merge patch replaces a list that has no merge strategy.',
    subjects: 'strategicWholeLists',
  },
  'strategic-primitive-list': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A strategic merge patch adds the missing values to a list of primitives that merges.',
    subjects: 'strategicPrimitiveLists',
  },
  'strategic-replace': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The directive $patch: replace makes the patch the whole value of its map or list.',
    subjects: 'strategicReplaces',
  },
  'strategic-delete': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The directive $patch: delete removes the list item that its merge key names, or the map.',
    subjects: 'strategicDeletes',
  },
  'strategic-merge': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The directive $patch: merge has the effect of a patch without a directive.',
    subjects: 'strategicMerges',
  },
  'strategic-delete-primitives': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The directive $deleteFromPrimitiveList removes the values that it lists.',
    subjects: 'strategicPrimitiveDeletes',
    feature: 'strategic-directives',
  },
  'strategic-order': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The directive $setElementOrder puts the items of its list in the given order.',
    subjects: 'strategicOrders',
    feature: 'strategic-directives',
  },
  'strategic-retain-keys': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'The directive $retainKeys removes the keys of its map that it does not list.',
    subjects: 'strategicRetainedKeys',
    feature: 'strategic-directives',
  },
  'strategic-without-key': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A strategic merge patch with an item without its merge key is refused and changes nothing.',
    subjects: 'strategicWithoutKeys',
  },
  'strategic-unknown-directive': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A strategic merge patch with an unknown directive is refused and changes nothing.',
    subjects: 'strategicUnknownDirectives',
  },
  'strategic-malformed': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A strategic merge patch that is not an object, or whose directives contradict it, is refused and changes nothing.',
    subjects: 'strategicMalformed',
  },
  // All three
  answer: {
    level: 'convention',
    source: [...source, 'Conventions/1'],
    text: 'The response to a patch is the object after the change.',
    subjects: 'patches',
  },
  'effect-read': {
    level: 'stated',
    source,
    text: 'After a patch, a read returns the change and everything else unchanged.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'patches',
  },
  'effect-list': {
    level: 'stated',
    source,
    text: 'After a patch, a list contains the object with the change, once.',
    words:
      'exposes cluster objects as HTTP resources with list, watch, create, read, replace, partial update, delete and delete-collection operations',
    subjects: 'patches',
  },
  identity: {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A patch keeps uid and creationTimestamp and changes the resourceVersion.',
    subjects: 'patches',
  },
  'no-change': {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'A patch that changes nothing succeeds and keeps the resourceVersion.',
    subjects: 'patchesAgain',
  },
  absent: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch of an absent object is refused with 404 and the reason NotFound.',
    subjects: 'refusedPatches',
  },
  'without-type': {
    level: 'convention',
    source: [...source, 'Conventions/3'],
    text: 'A patch without a Content-Type, or with one that is no patch type, is refused with 415 and changes nothing.',
    subjects: 'patchTypesRefused',
  },
  'type-parameters': {
    level: 'convention',
    source: [...source, 'Conventions/3'],
    text: 'A patch type with a parameter, such as a charset, is the same patch type.',
    subjects: 'patchTypeParameters',
  },
  rename: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch that changes the name or the namespace is refused and changes nothing.',
    subjects: 'refusedPatches',
  },
  'other-uid': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch that changes the uid is refused and changes nothing.',
    subjects: 'refusedPatches',
  },
  'other-kind': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch that changes kind or apiVersion is refused; in a strategic merge patch the two fields may be ignored.',
    subjects: 'refusedPatches',
  },
  stale: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch with a stale resourceVersion is refused with 409 and the reason Conflict, and changes nothing.',
    subjects: 'refusedPatches',
  },
  current: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch with the current resourceVersion succeeds.',
    subjects: 'patchesAgain',
  },
  'invalid-result': {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch that would make the object invalid is refused with 422 and changes nothing.',
    subjects: 'refusedPatches',
  },
  concurrent: {
    level: 'convention',
    source: [...source, 'Conventions/6'],
    text: 'Patches of different fields that run at the same time without a resourceVersion all succeed, and no change is lost.',
    subjects: 'concurrentPatches',
  },
  hostile: {
    level: 'convention',
    source: [...source, 'Errors/1'],
    text: 'A patch that is built to do harm, such as one of __proto__, is harmless, and the server continues to work.',
    subjects: 'hostilePatches',
  },
} as const satisfies Chapter;
