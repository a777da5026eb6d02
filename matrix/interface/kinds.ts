// Section 2 of the interface: kinds and operations.
import type { Section } from './types.js';

export const kinds = {
  number: 2,
  title: 'Kinds and operations',
  introduction:
    'The tables of this section list every operation of the interface. `P` stands for the prefix of the group ' +
    'version, and `{plural}` for the plural name of the kind in lower case.',
  rules: [
    {
      number: '2.1',
      title: 'Paths of the operations',
      text:
        'Every kind uses the same path for the same operation. The table shows the method, the path, the query ' +
        'parameters (section 5) and the request body of each operation. In a path, `…` stands for ' +
        '`namespaces/{namespace}` for a namespaced kind, and is left out for a cluster-scoped kind.',
      why: 'A client library needs one piece of code for all kinds.',
      sources: [],
      checkedBy: ['surface.served'],
      table: 'paths',
    },
    {
      number: '2.2',
      title: 'Core group, namespaced kinds',
      text:
        'The core group has the namespaced kinds of the table under `/api/v1`. The server must serve every ' +
        'operation that the table names. A Service is deleted without a request body.',
      why: 'These are the kinds that nearly every client of a cluster uses.',
      sources: [
        'Kinds by path prefix/core namespaced',
        'Core group/full kinds',
        'Core group/services',
        'Core group/status',
        'Core group/cluster-wide lists',
        'Core group/GET /api/v1/podtemplates',
        'Core group/PUT, DELETE, PATCH /api/v1/namespaces/{namespace}/resourcequotas/{name}',
        'Core group/PUT /api/v1/namespaces/{namespace}/resourcequotas/{name}/status',
      ],
      checkedBy: ['surface.served', 'discovery.resource', 'discovery.resource-fields'],
      table: 'core-namespaced',
    },
    {
      number: '2.3',
      title: 'Core group, cluster-scoped kinds',
      text:
        'The core group has four cluster-scoped kinds: ComponentStatus, Namespace, Node and PersistentVolume. The ' +
        'server must serve every operation that the table names. The delete-collection of namespaces deletes every ' +
        'selected namespace with its contents.',
      why: 'Nodes, volumes and namespaces are what administrators and controllers of the cluster manage.',
      sources: [
        'Kinds by path prefix/core cluster',
        'Core group/GET /api/v1/namespaces',
        'Core group/DELETE /api/v1/namespaces',
        'Core group/POST /api/v1/namespaces',
        'Core group/GET /api/v1/namespaces/{name}',
        'Core group/PUT /api/v1/namespaces/{name}',
        'Core group/DELETE /api/v1/namespaces/{name}',
        'Core group/PATCH /api/v1/namespaces/{name}',
        'Core group/PUT /api/v1/namespaces/{name}/status',
        'Core group/GET, DELETE /api/v1/nodes',
        'Core group/POST /api/v1/nodes',
        'Core group/GET, PUT, DELETE, PATCH /api/v1/nodes/{name}',
        'Core group/PUT /api/v1/nodes/{name}/status',
        'Core group/GET, DELETE /api/v1/persistentvolumes',
        'Core group/POST /api/v1/persistentvolumes',
        'Core group/GET, PUT, DELETE, PATCH /api/v1/persistentvolumes/{name}',
        'Core group/PUT /api/v1/persistentvolumes/{name}/status',
      ],
      checkedBy: ['surface.served', 'surface.cluster-scope', 'discovery.resource'],
      table: 'core-cluster',
    },
    {
      number: '2.4',
      title: 'Component statuses',
      text:
        'A ComponentStatus reports the health of a part of the control plane, such as the scheduler or the storage. ' +
        'Component statuses can be listed and read, and every listed one must be readable by its name. Each one ' +
        'should carry a condition of type `Healthy` that is `True`, `False` or `Unknown` and follows the component ' +
        'within seconds. The query parameters of a list must be accepted on the list; with `watch=true` the server ' +
        'may return a stream, a list or a client error.',
      why: 'Monitoring reads this list to tell a broken control plane from a broken workload.',
      sources: [
        'Kinds by path prefix/ComponentStatus',
        'Core group/GET /api/v1/componentstatuses',
        'Core group/GET /api/v1/componentstatuses/{name}',
      ],
    },
    {
      number: '2.5',
      title: 'Autoscaling and batch',
      text:
        '`/apis/autoscaling/v1` has the kind HorizontalPodAutoscaler, and `/apis/batch/v1` has the kind Job. Both ' +
        'are namespaced and have all generic operations, the three operations of `status` and the three forms of ' +
        'the watch.',
      why: 'Batch systems and autoscalers are built on these two kinds.',
      sources: [
        'Kinds by path prefix/autoscaling',
        'Kinds by path prefix/batch',
        'Kind coverage/autoscaling horizontalpodautoscalers',
        'Kind coverage/batch jobs',
      ],
      checkedBy: ['surface.served', 'versions.autoscaler-shared', 'versions.autoscaler-fields'],
      table: 'autoscaling-batch',
    },
    {
      number: '2.6',
      title: 'Extensions',
      text:
        '`/apis/extensions/v1beta1` has the kinds of the table. DaemonSet, Deployment, HorizontalPodAutoscaler and ' +
        'Ingress have all generic operations with `status` and watch. Deployment, ReplicaSet and, under this prefix ' +
        'only, ReplicationController have `scale`; Deployment also has `rollback`.',
      why: 'Every deployment tool of this API version writes to this group.',
      sources: [
        'Kinds by path prefix/extensions namespaced',
        'Kind coverage/extensions daemonsets',
        'Kind coverage/extensions deployments',
        'Kind coverage/extensions horizontalpodautoscalers',
        'Kind coverage/extensions ingresses',
        'Kind coverage/extensions replicasets',
        'Kind coverage/extensions jobs',
        'Kind coverage/extensions networkpolicies',
      ],
      checkedBy: ['surface.served', 'versions.autoscaler-shared', 'versions.autoscaler-fields'],
      table: 'extensions',
    },
    {
      number: '2.7',
      title: 'Third-party resources',
      text:
        'A ThirdPartyResource is a cluster-scoped object under `/apis/extensions/v1beta1/thirdpartyresources`. The ' +
        'server must serve the operations of the table. The object should keep its description and its list of ' +
        'versions, and a name that is not `<kind>.<domain>` should be refused with 422. Whether the server then ' +
        'serves the kind that the object describes is outside this specification.',
      why: 'Operators install their own kinds through this object, and find their installed kinds in its list.',
      sources: [
        'Kinds by path prefix/ThirdPartyResource',
        'Kind coverage/extensions thirdpartyresources',
        'ThirdPartyResource/GET collection',
        'ThirdPartyResource/DELETE collection',
        'ThirdPartyResource/POST collection',
        'ThirdPartyResource/GET object',
        'ThirdPartyResource/PUT object',
        'ThirdPartyResource/DELETE object',
        'ThirdPartyResource/PATCH object',
      ],
      table: 'third-party',
    },
    {
      number: '2.8',
      title: 'Watch paths',
      text:
        'A watch path is the path of a list or of an object with `watch` after the prefix of the group version. The ' +
        'server must serve the watch paths that the tables of this section name: `all` for every object of the ' +
        'kind, `namespace` for those of one namespace, and `one` for one object. `/api/v1/watch/namespaces/{name}` ' +
        'is the watch of one namespace.',
      why: 'Client libraries of this API version watch through these paths.',
      sources: ['Watch paths/namespaced', 'Watch paths/namespace', 'Watch paths/cluster forms'],
      checkedBy: ['surface.served', 'watch.prefix-form', 'watch.scope'],
    },
    {
      number: '2.9',
      title: 'Events are ordinary objects',
      text:
        'Event is a namespaced kind of the core group with the generic operations. A client must be able to create ' +
        'an Event, and to read and list it like an object of any other kind. An Event is not a notification of a ' +
        'watch.',
      why: 'Controllers write Events to tell people what they did; `kubectl describe` lists them.',
      sources: ['Events/4'],
    },
    {
      number: '2.10',
      title: 'Bindings can only be created',
      text:
        'The path `/api/v1/namespaces/{namespace}/bindings` must accept POST and no other method. A Binding is an ' +
        'instruction to assign a Pod to a node; it is not stored and cannot be read. Rule 10.11 says what it does.',
      why: 'A client that could read Bindings would take them for the current assignment.',
      sources: ['Kinds by path prefix/Binding'],
    },
    {
      number: '2.11',
      title: 'Discovery',
      text:
        '`GET /api/v1`, `GET /apis/autoscaling/v1`, `GET /apis/batch/v1` and `GET /apis/extensions/v1beta1` must ' +
        'return the resources of the group version, in each media type of rule 4.2. Every kind that the server ' +
        'serves must be listed by its plural name, and every subresource by the plural and its own name. The ' +
        'response should be an `APIResourceList` whose entries have a unique name, the kind and whether the kind is ' +
        'namespaced; where entries have verbs, they should have those of all that is served. The paths above these, ' +
        '`/api`, `/apis`, `/version` and `/healthz`, should answer as clients expect. Where the server has OpenAPI documents at ' +
        '`/openapi/v2` and `/openapi/v3`, they should be readable.',
      why:
        'Command-line tools and generic clients learn from discovery which kinds there are, and never call what is ' +
        'not listed.',
      sources: ['Conventions/5'],
    },
    {
      number: '2.12',
      title: 'Operations outside this specification',
      text:
        'Some operations that servers of this age have are not part of this specification: in the extensions group ' +
        'the other Job operations, the list in a namespace, delete-collection, create, read and watch of ' +
        'NetworkPolicy, and the watches of ReplicaSet and ThirdPartyResource; in the core group the other ' +
        'operations of PodTemplate, ReplicationController and ResourceQuota, the lists across namespaces of ' +
        'secrets, serviceaccounts, services, replicationcontrollers and resourcequotas, the delete-collection of ' +
        'services, and the watches of componentstatuses, configmaps, endpoints, events and of the list of ' +
        'namespaces. A server may have these operations or not.',
      why: 'A client that must work with every conforming server does not depend on these operations.',
      sources: ['Kind coverage/absent', 'Core group/not shown', 'Watch paths/not shown'],
    },
  ],
} as const satisfies Section;
