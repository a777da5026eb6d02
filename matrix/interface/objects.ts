// Section 3 of the interface: objects and their fields.
import type { Section } from './types.js';

export const objects = {
  number: 3,
  title: 'Objects and their fields',
  introduction:
    'Every object has the same frame: `apiVersion`, `kind`, `metadata`, and for most kinds `spec` and `status`. ' +
    'This section lists the fields that the interface requires; rule 3.8 covers all other fields.',
  rules: [
    {
      number: '3.1',
      title: 'apiVersion and kind',
      text:
        'Every object in a request or a response body has an `apiVersion` and a `kind`, both strings. `apiVersion` ' +
        'is the version for the core group, such as `v1`, and `<group>/<version>` for the others, such as ' +
        '`extensions/v1beta1`. `kind` is the name of the kind, such as `Deployment`.',
      why: 'These two fields tell a client which type to decode a body into.',
      sources: ['Fields that are stated/any object apiVersion', 'Fields that are stated/any object kind'],
      checkedBy: ['responses.body-kind', 'responses.body-fields', 'versions.group-version'],
    },
    {
      number: '3.2',
      title: 'Name and namespace',
      text:
        '`metadata.name`, a string, is the name of the object. `metadata.namespace`, a string, is the namespace of ' +
        'a namespaced object. Together with the kind they identify the object.',
      why: 'A client finds the object again by these two fields.',
      sources: [
        'Fields that are stated/any object metadata.name',
        'Fields that are stated/namespaced object metadata.namespace',
      ],
      checkedBy: ['responses.body-fields', 'read.object', 'read.other-namespace'],
    },
    {
      number: '3.3',
      title: 'Metadata that the server sets',
      text:
        'The server should give every new object a `uid` of its own choice, a `resourceVersion` and a ' +
        '`creationTimestamp` in RFC 3339. Later writes should keep `uid` and `creationTimestamp`, and every change ' +
        'should give a new `resourceVersion`. A write that changes nothing should keep it. What a create sends of ' +
        'these should not count, and one that sends a `resourceVersion` should be refused. `metadata.generation` ' +
        'should start at 1 and grow with the spec, and not with `status` or labels. The response to a write should ' +
        'carry the `resourceVersion` that the write gave the object.',
      why: 'Caches compare versions, controllers compare generations, and garbage collection compares uids.',
      sources: [],
    },
    {
      number: '3.4',
      title: 'Deployment',
      text:
        '`spec.replicas` of a Deployment is an integer, the number of replicas that are wanted. `spec.template` is ' +
        "an object with `metadata` and `spec`, the pod template. The `containers` of the template's spec are a " +
        'list, and each item has a `name` and an `image`, both strings. The server must keep these values as they ' +
        'were written.',
      why: 'A Deployment that loses a part of its template starts other Pods than its author wrote.',
      sources: [
        'Fields that are stated/Deployment spec.replicas',
        'Fields that are stated/Deployment spec.template',
        'Fields that are stated/Deployment pod template spec containers[]',
      ],
    },
    {
      number: '3.5',
      title: 'Secret',
      text:
        '`data` of a Secret maps keys to strings in base64. A read must give the same bytes that were written, in ' +
        'base64, and a value that is not base64 must be refused with a client error. Values of the write-only field ' +
        '`stringData` should appear in `data`, encoded.',
      why: 'Keys and certificates are bytes; one wrong byte makes them useless.',
      sources: ['Fields that are stated/Secret data'],
    },
    {
      number: '3.6',
      title: 'ServiceAccount and its Secret',
      text:
        '`secrets` of a ServiceAccount is a list; each item must have the `name` of a Secret of the account. Such a ' +
        'Secret must have the `type` `<domain>/service-account-token`, where the domain is `kubernetes.io` in ' +
        "Kubernetes. Its `data` must have `ca.crt`, the certificate of the server's authority, and `token`, a " +
        'signed JSON Web Token (JWT), both in base64.',
      why: 'Programs outside the cluster take the credentials of a service account from this Secret.',
      sources: [
        'Fields that are stated/ServiceAccount secrets[]',
        'Fields that are stated/Secret type',
        'Fields that are stated/service-account Secret data.ca.crt',
        'Fields that are stated/service-account Secret data.token',
      ],
    },
    {
      number: '3.7',
      title: 'serviceAccountName of a Pod',
      text:
        '`serviceAccountName` in the spec of a Pod is an optional string. A Pod that names no service account must ' +
        'get one of its namespace, and a Pod that names one must keep it. The older field `serviceAccount` should ' +
        'carry the same value. A Pod that names an absent service account should be refused.',
      why: 'The service account decides what the processes of the Pod may do.',
      sources: ['Fields that are stated/PodSpec serviceAccountName'],
    },
    {
      number: '3.8',
      title: 'All other fields',
      text:
        'This specification requires no other fields. Bodies should be valid by the types of the Kubernetes 1.5 ' +
        'API: its fields, JSON types, formats and required fields. The server may add fields.',
      why: 'Typed clients fail on a whole object when one field has a wrong type.',
      sources: ['Other rules/3', 'Conventions/6'],
      details: ['[Fields of the objects](interface-fields.md) lists the fields of each kind.'],
    },
  ],
} as const satisfies Section;
