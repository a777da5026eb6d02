// Section 7 of the interface: read and write objects.
import type { Section } from './types.js';

export const verbs = {
  number: 7,
  title: 'Read and write objects',
  introduction:
    'These are the plain operations on the objects of a kind. Patches, deletes and watches have their own sections.',
  rules: [
    {
      number: '7.1',
      title: 'List',
      text:
        'A list across namespaces must contain every object of the kind; a list in a namespace must contain every ' +
        'object of that namespace and no other. Each object must appear once, as a read would show it.',
      why: 'Controllers start from a list: an object that is missing there is never reconciled.',
      sources: ['Generic operation set/list all namespaces', 'Generic operation set/list in namespace'],
    },
    {
      number: '7.2',
      title: 'Body of a list',
      text:
        'The body of a list should have the kind `<Kind>List`, the `apiVersion` of the group, a ' +
        '`metadata.resourceVersion` that is not empty, and `items`, which is an empty list when there are no ' +
        'objects. The items should carry neither `apiVersion` nor `kind`.',
      why: 'The version of the list is the point from which a client watches.',
      sources: [],
    },
    {
      number: '7.3',
      title: 'Read',
      text: 'A read must return the object that the path names, and with everything that was written to it.',
      why: 'A read is how every client learns the current state.',
      sources: ['Generic operation set/read'],
    },
    {
      number: '7.4',
      title: 'Create',
      text:
        'A POST to the collection must store the object of its body. After it, a read must find the object with all ' +
        'that was sent, and a list must contain it. The response should be the created object.',
      why: 'A create that reports success and stores something else is lost work.',
      sources: ['Generic operation set/create'],
    },
    {
      number: '7.5',
      title: 'Names of new objects',
      text:
        'With `metadata.generateName` and no name, the server should append a suffix that makes the name unique. A ' +
        'create under a name that is in use should be refused with 409 and the reason `AlreadyExists`; a create in ' +
        'a namespace that does not exist should be refused with 404. Neither should change anything.',
      why: 'Two instances of a controller rely on the conflict to create an object only once.',
      sources: [],
    },
    {
      number: '7.6',
      title: 'Replace',
      text:
        'A PUT to an object must store its body as the new object. After it, a read must find the change, and what ' +
        'the new body left out must be gone. A list must contain the object once. The response should be the object ' +
        'after the change. A replace of an absent object should be refused with 404, except for kinds that can be ' +
        'created by it: endpoints, events and limitranges.',
      why: '`kubectl replace` promises that the file is the object afterwards.',
      sources: ['Generic operation set/replace'],
    },
    {
      number: '7.7',
      title: 'Concurrent writes',
      text:
        'A write that carries a `resourceVersion` should be accepted only while the object has that version; ' +
        'otherwise it should be refused with 409 and the reason `Conflict`, and change nothing. This holds for a ' +
        'replace, a patch, and writes of `status`, `scale` and `finalize`.',
      why: 'Two writers who read the same version would otherwise overwrite each other silently.',
      sources: [],
    },
    {
      number: '7.8',
      title: 'Bodies that contradict the path',
      text:
        'A body that names another object or another namespace than the path should be refused with 400 and change ' +
        'nothing. A replace that carries another `uid` than the stored object should be refused with 409 or 422.',
      why: 'A program that sends the right object to the wrong URL must be told.',
      sources: [],
    },
    {
      number: '7.9',
      title: 'Absent objects',
      text:
        'An operation on an object that does not exist should be refused with 404, the reason `NotFound` and the ' +
        'name of the object in the details.',
      why: 'A controller reads "not found" as "create it" or "it is gone"; any other error it retries.',
      sources: [],
    },
  ],
} as const satisfies Section;
