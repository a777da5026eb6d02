// Section 8 of the interface: patch.
import type { Section } from './types.js';

export const patch = {
  number: 8,
  title: 'Patch',
  introduction: 'A PATCH changes a part of an object. Its `Content-Type` chooses one of three patch languages.',
  rules: [
    {
      number: '8.1',
      title: 'Effect of a patch',
      text:
        'A patch must change what it names and leave everything else as it was. After it, a read must find the ' +
        'change, and a list must contain the object once. The response should be the object after the change.',
      why: 'A patch is the safe way to change one field of an object that others write to as well.',
      sources: ['Generic operation set/partial update'],
    },
    {
      number: '8.2',
      title: 'JSON Patch',
      text:
        '`application/json-patch+json` is JSON Patch as RFC 6902 defines it, with the pointers of RFC 6901. The ' +
        'server must apply the operations `add`, `remove`, `replace`, `move`, `copy` and `test` in order.',
      why: 'Tools that need an exact change, or a check before it, use JSON Patch.',
      sources: [],
    },
    {
      number: '8.3',
      title: 'A JSON Patch that fails',
      text:
        'A JSON Patch is applied as a whole or not at all. A failed `test`, a removal or replacement of a missing ' +
        'value, or a body that is not a list of operations must leave the object unchanged. The response should be ' +
        'a client error with a `Status`.',
      why: 'Half a patch leaves an object in a state that no client wrote.',
      sources: [],
    },
    {
      number: '8.4',
      title: 'Merge patch',
      text:
        '`application/merge-patch+json` is JSON Merge Patch as RFC 7386 defines it. The server must set the fields ' +
        'that the patch names, remove a field that is `null` in the patch, and replace a list as a whole. A patch ' +
        'that is not an object should be refused and change nothing.',
      why: 'Clients without knowledge of the types send merge patches.',
      sources: [],
    },
    {
      number: '8.5',
      title: 'Strategic merge patch',
      text:
        '`application/strategic-merge-patch+json` is a merge patch that knows the types of the kind. The server ' +
        'must set the fields that the patch names and leave the others; `null` should remove a field.',
      why: 'This is what `kubectl apply` and `kubectl edit` send.',
      sources: [],
    },
    {
      number: '8.6',
      title: 'Lists and directives of a strategic merge patch',
      text:
        'A list with a merge key should be merged item by item: the containers of a Pod by `name`, the ports of a ' +
        'Service by `port`. Lists of plain values that merge should get the missing values, and all other lists ' +
        'should be replaced. The directives `$patch` (`replace`, `delete`, `merge`), `$deleteFromPrimitiveList`, ' +
        '`$setElementOrder` and `$retainKeys` should do what their names say. An item without its merge key, or an ' +
        'unknown or contradictory directive, should be refused and change nothing.',
      why: 'Without merge keys, a patch of one container removes the others.',
      sources: [],
      details: ['[Fields of the objects](interface-fields.md) has the merge key of each list.'],
    },
    {
      number: '8.7',
      title: 'Patches that are refused',
      text:
        'A patch without a patch type, or with another type, should be refused with 415. A patch that changes the ' +
        'name, the namespace, the `uid`, the kind or the `apiVersion` should be refused, and so should one that ' +
        'leaves an invalid object (422). None of them should change anything. A parameter of the media type, such ' +
        'as a charset, should make no difference.',
      why: 'A patch must not be a way around the rules of a create or a replace.',
      sources: [],
    },
    {
      number: '8.8',
      title: 'Patches at the same time',
      text:
        'Patches of different fields that arrive at the same time without a `resourceVersion` should all succeed, ' +
        'and no change should be lost. A patch that is built to do harm should do none.',
      why: 'Several controllers patch labels and annotations of the same object all the time.',
      sources: [],
    },
  ],
} as const satisfies Section;
