// Section 10 of the interface: subresources.
import type { Section } from './types.js';

export const subresources = {
  number: 10,
  title: 'Subresources',
  introduction:
    'A subresource is a part of an object, or an action on it, with a path of its own below the object. The tables ' +
    'of section 2 say which kinds have which.',
  rules: [
    {
      number: '10.1',
      title: 'Read the status',
      text: 'A GET of `…/{name}/status` must return the whole object, including its status.',
      why: 'Scripts that wait for a condition read this path.',
      sources: ['Generic operation set/read status'],
    },
    {
      number: '10.2',
      title: 'Replace the status',
      text: 'A PUT to `…/{name}/status` must store the status of its body, and a read must find it.',
      why: 'Controllers and node agents report what they see through this path.',
      sources: ['Generic operation set/replace status'],
    },
    {
      number: '10.3',
      title: 'Patch the status',
      text: 'A PATCH of `…/{name}/status` must change the status that it names, and a read must find the change.',
      why: 'Several controllers each write their own condition.',
      sources: ['Generic operation set/patch status'],
    },
    {
      number: '10.4',
      title: 'Spec and status are written apart',
      text:
        'A write of `status` must change nothing of the spec, and a write of the object should change nothing of ' +
        'the status.',
      why: 'A controller with an old copy of the object must not undo what a user wrote, nor the reverse.',
      sources: [],
    },
    {
      number: '10.5',
      title: 'Read the scale',
      text:
        'A GET of `…/{name}/scale` must return a `Scale` whose `spec.replicas` is the replica count of the object. ' +
        'Under `/apis/extensions/v1beta1` a `Scale` has the `apiVersion` `extensions/v1beta1`, for ' +
        'ReplicationControllers too. Its status should hold the current replica count and the selector.',
      why: 'An autoscaler works with every scalable kind through this one object.',
      sources: [
        'Kinds by path prefix/subresource bodies',
        'Additional extensions operations/read scale',
        'Additional extensions operations/replicasets scale',
        'Additional extensions operations/replicationcontrollers scale',
      ],
    },
    {
      number: '10.6',
      title: 'Replace the scale',
      text: 'A PUT of a `Scale` must set the replica count of the object. It must change nothing else.',
      why: 'Scaling must not roll back a template that another client has just changed.',
      sources: ['Additional extensions operations/replace scale'],
    },
    {
      number: '10.7',
      title: 'Patch the scale',
      text: 'A PATCH of the scale, with each patch type, must set the replica count of the object.',
      why: 'A client that changes one number does not need to read the scale first.',
      sources: ['Additional extensions operations/patch scale'],
    },
    {
      number: '10.8',
      title: 'A Scale that is refused',
      text:
        'A `Scale` of another version, with the name of another object or with a negative count should be refused ' +
        'and change nothing.',
      why: 'A wrong replica count takes a service down.',
      sources: [],
    },
    {
      number: '10.9',
      title: 'Rollback',
      text:
        'A POST of a `DeploymentRollback` to `…/deployments/{name}/rollback` must be accepted, and must bring back ' +
        'a template that the Deployment had earlier. `rollbackTo.revision` should choose the revision, and 0 the ' +
        'previous one; `updatedAnnotations` should be set on the Deployment. A rollback should change nothing of ' +
        'the spec but the template. The history is kept as ReplicaSets, up to `revisionHistoryLimit`. An unknown ' +
        'revision should leave the template as it was; a negative one, or a body that names another Deployment, ' +
        'should be refused.',
      why: 'A rollback is what people run while production is down.',
      sources: ['Additional extensions operations/rollback'],
    },
    {
      number: '10.10',
      title: 'Finalize a namespace',
      text:
        'A PUT to `/api/v1/namespaces/{name}/finalize` must store the finalizers of its body in the namespace, and change nothing else. A ' +
        '`Terminating` namespace should be gone when its last finalizer is removed; an active one should stay. A ' +
        'finalizer that is not a qualified name should be refused with 422.',
      why: 'This path is the only way to release a namespace that is stuck.',
      sources: ['Core group/PUT /api/v1/namespaces/{name}/finalize'],
    },
    {
      number: '10.11',
      title: 'Bind a Pod to a node',
      text:
        'A POST of a `Binding` to `/api/v1/namespaces/{namespace}/bindings` assigns the Pod that the Binding is ' +
        'named after; a POST to `…/pods/{name}/binding` assigns that Pod. The Pod must get the node of `target` as ' +
        'its `spec.nodeName`, and nothing else of its spec must change; it should get the condition `PodScheduled`. A Binding of a Pod that has a node ' +
        'should be refused with 409. A Binding without a target node, or for another Pod than the path names, ' +
        'should be refused.',
      why: 'Schedulers do nothing else; a Pod that is bound twice runs twice.',
      sources: [
        'Core group/POST /api/v1/namespaces/{namespace}/bindings',
        'Core group/POST /api/v1/namespaces/{namespace}/pods/{name}/binding',
      ],
    },
  ],
} as const satisfies Section;
