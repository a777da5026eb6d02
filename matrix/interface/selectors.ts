// Section 6 of the interface: selectors.
import type { Section } from './types.js';

export const selectors = {
  number: 6,
  title: 'Selectors',
  introduction:
    'A selector restricts a list, a delete-collection or a watch to a part of the objects. Without a selector, and ' +
    'with an empty one, the operation affects all objects in its scope.',
  rules: [
    {
      number: '6.1',
      title: 'Label selectors',
      text:
        '`labelSelector` is a string. The operation must be restricted to the objects whose labels match. A ' +
        'delete-collection must delete these objects and no others.',
      why: 'A selector that is ignored shows, or deletes, what belongs to others.',
      sources: ['Parameters/labelSelector'],
    },
    {
      number: '6.2',
      title: 'Forms of a label selector',
      text:
        'A label selector should have these forms: `key=value` and `key==value`, `key!=value`, `key in (a,b)`, `key ' +
        'notin (a,b)`, `key` and `!key`. `key!=value` and `key notin (…)` should select objects without the label ' +
        'too. `key=` should select the empty value, and `key!=` all else. A comma should mean that both requirements ' +
        'have to hold. A key may have a prefix, such as `example.com/key`.',
      why: 'Services, ReplicaSets and people write all of these forms.',
      sources: [],
    },
    {
      number: '6.3',
      title: 'Field selectors',
      text:
        '`fieldSelector` is a string. Where the server accepts it, the operation must be restricted to the objects ' +
        'whose fields match, also on a delete-collection.',
      why: "Each node's agent watches only the Pods of its node by a field selector.",
      sources: ['Parameters/fieldSelector'],
    },
    {
      number: '6.4',
      title: 'Fields that can be selected',
      text:
        'Every kind should be selectable by `metadata.name`, and every namespaced kind by `metadata.namespace`. ' +
        'Some kinds should support more: a Pod `spec.nodeName`, `spec.restartPolicy` and `status.phase`, a Node ' +
        '`spec.unschedulable`, a Namespace `status.phase`, a Secret `type`, an Event the fields of its ' +
        '`involvedObject`, its `reason`, `source` and `type`. The forms are `field=value`, `field==value` and ' +
        '`field!=value`, joined by commas.',
      why: 'Clients that look for one object in a watch or list select it by its name.',
      sources: [],
    },
    {
      number: '6.5',
      title: 'Selectors that cannot be understood',
      text:
        'A selector that cannot be parsed, or a field that the kind does not support, should be refused with 400. ' +
        'It should never mean "everything": a list shows nothing, a delete-collection deletes nothing, a watch ' +
        'streams nothing.',
      why: 'A typing error in a delete command would otherwise delete every object.',
      sources: [],
    },
  ],
} as const satisfies Section;
