// Section 11 of the interface: validation and admission.
import type { Section } from './types.js';

export const validation = {
  number: 11,
  title: 'Validation and admission',
  introduction:
    'The interface leaves the rules of each kind to the server. This section is what Kubernetes does and clients ' +
    'rely on; apart from the required fields of section 3, all of it is recommended.',
  rules: [
    {
      number: '11.1',
      title: 'Invalid objects',
      text:
        'A write that breaks a rule of its kind should be refused with 422 and the reason `Invalid`, name each ' +
        'wrong field among the causes, and change nothing. A field of a wrong JSON type should be refused with 400. ' +
        'A field that the kind does not have should be dropped, and the rest stored.',
      why: 'A client shows the causes to the person who wrote the manifest.',
      sources: [],
    },
    {
      number: '11.2',
      title: 'Names, labels and annotations',
      text:
        'Each kind should accept the names that it may have and refuse others with 422, naming `metadata.name`. ' +
        'Label and annotation keys and label values of a wrong form should be refused with 422.',
      why: 'Names become host names and label values become selectors, and both have a limited alphabet.',
      sources: [],
    },
    {
      number: '11.3',
      title: 'Required fields, lists and values',
      text:
        'An object without a required field should be refused with 422. Lists should refuse a second item with the ' +
        'same key. A quantity such as `100m` or `1Gi` should keep its amount, and one of a wrong form should be ' +
        'refused. So should a time that is not of RFC 3339. A time of another offset should keep its instant.',
      why: 'An error in a manifest should be told at the create, and not by a Pod that does not start.',
      sources: [],
    },
    {
      number: '11.4',
      title: 'Fields that cannot change',
      text:
        'A write that changes an immutable field should be refused with 422. An update of a Pod can change the ' +
        'images of its spec and few other fields.',
      why: 'The node has already acted on the other fields.',
      sources: [],
    },
    {
      number: '11.5',
      title: 'Rules of single kinds',
      text:
        'A selector should match the labels of its own template; a Job should refuse the restart policy `Always`; a ' +
        'probe and a volume should each have exactly one handler or source; a mount should name a volume of the ' +
        'Pod; an Ingress should have a backend or rules; an Event should be about an object of its own namespace.',
      why: 'Each of these mistakes makes a workload fail later, where its cause is hard to find.',
      sources: [],
    },
    {
      number: '11.6',
      title: 'Defaults',
      text:
        'Fields that are left out should get the defaults of their kind, such as the protocol `TCP` of a port or ' +
        'the restart policy `Always` of a Pod.',
      why: 'Clients read the object back and expect the values that are in force.',
      sources: [],
    },
    {
      number: '11.7',
      title: 'Addresses and ports of Services',
      text:
        'A Service without a cluster IP should get one, and a Service of type `NodePort` should get a node port, ' +
        'each unique. An address or a port that is in use, or out of range, should be refused with 422. The address ' +
        'and the port of a deleted Service should be available again.',
      why: 'Two Services with one address break both.',
      sources: [],
    },
    {
      number: '11.8',
      title: 'LimitRange',
      text:
        'A Pod without limits or requests should get the defaults of the LimitRange of its namespace. A Pod or ' +
        'claim beyond its limits should be refused with 403.',
      why: 'One container without limits can starve a node.',
      sources: [],
    },
    {
      number: '11.9',
      title: 'ResourceQuota',
      text:
        'A create or update that exceeds the ResourceQuota of the namespace should be refused with 403, also when ' +
        'several run at the same time. The status should show the hard limits and what is in use, and follow ' +
        'creates and deletes. A quota with scopes should count only the Pods in them.',
      why: 'A quota that can be exceeded by sending two requests at once protects no cluster.',
      sources: [],
    },
  ],
} as const satisfies Section;
