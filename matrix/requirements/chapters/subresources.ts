// Subresources: status, scale, rollback, finalize (with the end of a namespace) and binding.
import type { Chapter } from '../types.js';
import { namespaces } from './subresources/namespaces.js';

export const subresources = {
  // status
  'status-read': {
    level: 'stated',
    source: ['Generic operation set/read status'],
    text: 'A read of status returns the object with its status.',
    words: 'read status | GET | .../{name}/status | PR | none',
    subjects: 'statusReads',
  },
  'status-replace': {
    level: 'stated',
    source: [
      'Generic operation set/replace status',
      'Core group/status',
      'Core group/PUT /api/v1/nodes/{name}/status',
      'Core group/PUT /api/v1/persistentvolumes/{name}/status',
      'Core group/PUT /api/v1/namespaces/{name}/status',
      'Core group/PUT /api/v1/namespaces/{namespace}/resourcequotas/{name}/status',
    ],
    text: 'A replace of status stores the status of its body, and a read returns it.',
    words: 'replace status | PUT | .../{name}/status | PR | required',
    subjects: 'statusReplaces',
  },
  'status-patch': {
    level: 'stated',
    source: ['Generic operation set/patch status'],
    text: 'A patch of status changes the status that it names, and a read returns the change.',
    words: 'patch status | PATCH | .../{name}/status | PR | required, patch media type',
    subjects: 'statusPatches',
  },
  'status-keeps-spec': {
    level: 'convention',
    source: ['Generic operation set/replace status', 'Generic operation set/patch status'],
    text: 'A write of status changes nothing of the spec.',
    subjects: 'statusWrites',
  },
  'main-keeps-status': {
    level: 'convention',
    source: ['Generic operation set/replace', 'Generic operation set/partial update'],
    text: 'A write of the object changes nothing of its status.',
    subjects: 'mainWrites',
  },
  'status-stale': {
    level: 'convention',
    source: ['Generic operation set/replace status', 'Errors/1'],
    text: 'A replace of status with a stale resourceVersion is refused with 409 and changes nothing.',
    subjects: 'refusedStatuses',
  },
  'status-absent': {
    level: 'convention',
    source: ['Generic operation set/read status', 'Errors/1'],
    text: 'A read or write of the status of an absent object is refused with 404.',
    subjects: 'statusesOfAbsent',
  },
  'status-name-mismatch': {
    level: 'convention',
    source: ['Generic operation set/replace status', 'Errors/1'],
    text: 'A replace of status whose body names another object is refused with 400 and changes nothing.',
    subjects: 'refusedStatuses',
  },
  // scale
  'scale-read': {
    level: 'stated',
    source: [
      'Additional extensions operations/read scale',
      'Additional extensions operations/replicasets scale',
      'Additional extensions operations/replicationcontrollers scale',
      'Kinds by path prefix/subresource bodies',
    ],
    text: "A read of scale returns a Scale with the replica count of the object's spec.",
    words: 'Scale (subresource body of deployments, replicasets, replicationcontrollers)',
    subjects: 'scaleReads',
  },
  'scale-replace': {
    level: 'stated',
    source: [
      'Additional extensions operations/replace scale',
      'Additional extensions operations/replicasets scale',
      'Additional extensions operations/replicationcontrollers scale',
    ],
    text: 'A replace of scale sets the replica count of the object.',
    words: 'Some kinds offer subresource operations: status, scale, rollback, finalize, binding',
    subjects: 'scaleReplaces',
  },
  'scale-patch': {
    level: 'stated',
    source: [
      'Additional extensions operations/patch scale',
      'Additional extensions operations/replicasets scale',
      'Additional extensions operations/replicationcontrollers scale',
      'Conventions/3',
    ],
    text: 'A patch of scale, with each patch type, sets the replica count of the object.',
    words: 'Some kinds offer subresource operations: status, scale, rollback, finalize, binding',
    subjects: 'scalePatches',
  },
  'scale-version': {
    level: 'stated',
    source: ['Kinds by path prefix/subresource bodies'],
    text: 'The Scale under extensions/v1beta1 has the apiVersion extensions/v1beta1, for replicationcontrollers too.',
    words:
      '/apis/extensions/v1beta1 | DeploymentRollback (subresource body), Scale (subresource body of deployments, replicasets, replicationcontrollers)',
    subjects: 'scaleReads',
  },
  'scale-observed': {
    level: 'convention',
    source: ['Additional extensions operations/read scale', 'Conventions/6'],
    text: 'The status of a Scale has the replica count and the selector of the object.',
    subjects: 'scaleReads',
  },
  'scale-keeps-rest': {
    level: 'convention',
    source: ['Additional extensions operations/replace scale', 'Additional extensions operations/patch scale'],
    text: 'A write of scale changes nothing of the object but the replica count.',
    subjects: 'scaleWrites',
  },
  'scale-other-version': {
    level: 'convention',
    source: ['Additional extensions operations/replace scale', 'Errors/1'],
    text: 'A Scale of another version is refused with a client error and changes nothing.',
    subjects: 'refusedScales',
  },
  'scale-negative': {
    level: 'convention',
    source: ['Additional extensions operations/replace scale', 'Errors/1'],
    text: 'A Scale with a negative replica count is refused with 422 and changes nothing.',
    subjects: 'refusedScales',
  },
  'scale-stale': {
    level: 'convention',
    source: ['Additional extensions operations/replace scale', 'Errors/1'],
    text: 'A Scale with a stale resourceVersion is refused with 409 and changes nothing.',
    subjects: 'refusedScales',
  },
  'scale-name-mismatch': {
    level: 'convention',
    source: ['Additional extensions operations/replace scale', 'Errors/1'],
    text: 'A Scale that names another object than the path is refused with 400 and changes nothing.',
    subjects: 'refusedScales',
  },
  'scale-absent': {
    level: 'convention',
    source: ['Additional extensions operations/read scale', 'Errors/1'],
    text: 'A request for the scale of an absent object is refused with 404.',
    subjects: 'scalesOfAbsent',
  },
  // rollback
  rollback: {
    level: 'stated',
    source: ['Additional extensions operations/rollback', 'Kinds by path prefix/subresource bodies'],
    text: 'A POST of a DeploymentRollback succeeds.',
    words:
      'POST | /apis/extensions/v1beta1/namespaces/{namespace}/deployments/{name}/rollback | PR | required (DeploymentRollback)',
    subjects: 'rollbacks',
  },
  'rollback-effect': {
    level: 'stated',
    source: ['Additional extensions operations/rollback', 'What the service does/2'],
    text: 'A rollback that succeeds restores a template that the Deployment had earlier.',
    words: 'Some kinds offer subresource operations: status, scale, rollback, finalize, binding',
    subjects: 'rollbacks',
  },
  'rollback-previous': {
    level: 'convention',
    source: ['Additional extensions operations/rollback'],
    text: 'A rollback to revision 0 restores the template of the previous revision.',
    subjects: 'rollbacks',
  },
  'rollback-revision': {
    level: 'convention',
    source: ['Additional extensions operations/rollback'],
    text: 'A rollback to a revision restores the template of that revision.',
    subjects: 'rollbacks',
  },
  'rollback-keeps-rest': {
    level: 'convention',
    source: ['Additional extensions operations/rollback'],
    text: 'A rollback changes nothing of the spec but the template.',
    subjects: 'rollbacks',
  },
  'rollback-history': {
    level: 'convention',
    source: ['Additional extensions operations/rollback', 'States and transitions/not shown'],
    text: 'Each template that a Deployment had is kept as a ReplicaSet with its revision in an annotation.',
    subjects: 'rollbacks',
  },
  'rollback-annotations': {
    level: 'convention',
    source: ['Additional extensions operations/rollback'],
    text: 'The updatedAnnotations of a rollback are set on the Deployment.',
    subjects: 'rollbacks',
  },
  'rollback-unknown-revision': {
    level: 'convention',
    source: ['Additional extensions operations/rollback', 'Errors/1'],
    text: 'A rollback to a revision that is not in the history does not change the template.',
    subjects: 'refusedRollbacks',
  },
  'rollback-negative': {
    level: 'convention',
    source: ['Additional extensions operations/rollback', 'Errors/1'],
    text: 'A rollback to a negative revision is refused with 422 and changes nothing.',
    subjects: 'refusedRollbacks',
  },
  'rollback-name-mismatch': {
    level: 'convention',
    source: ['Additional extensions operations/rollback', 'Errors/1'],
    text: 'A rollback whose body names no Deployment, or another one, is refused with a client error and changes nothing.',
    subjects: 'refusedRollbacks',
  },
  'rollback-absent': {
    level: 'convention',
    source: ['Additional extensions operations/rollback', 'Errors/1'],
    text: 'A rollback of an absent Deployment is refused with 404.',
    subjects: 'refusedRollbacks',
  },
  'rollback-history-limit': {
    level: 'convention',
    source: ['Additional extensions operations/rollback', 'States and transitions/not shown'],
    text: 'Beside the current template of a Deployment, at most revisionHistoryLimit earlier ones are kept.',
    subjects: 'limitedHistories',
  },
  ...namespaces,
  // binding
  binding: {
    level: 'stated',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/bindings', 'Kinds by path prefix/Binding'],
    text: 'A Binding that is posted to bindings assigns the Pod of its name to the node of its target.',
    words: 'POST | /api/v1/namespaces/{namespace}/bindings | PR, body required | create a Binding',
    subjects: 'collectionBindings',
  },
  'binding-of-pod': {
    level: 'stated',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/pods/{name}/binding'],
    text: 'A Binding that is posted to a Pod assigns that Pod to the node of its target.',
    words: 'POST | /api/v1/namespaces/{namespace}/pods/{name}/binding | PR, body required | create binding of a pod',
    subjects: 'podBindings',
  },
  'binding-scheduled': {
    level: 'convention',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/pods/{name}/binding', 'States and transitions/not shown'],
    text: 'A Pod that was bound has the condition PodScheduled with status True.',
    subjects: 'bindings',
  },
  'binding-twice': {
    level: 'convention',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/pods/{name}/binding', 'Errors/1'],
    text: 'A Binding of a Pod that has a node is refused with 409 and does not change the node.',
    subjects: 'bindings',
  },
  'binding-absent': {
    level: 'convention',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/bindings', 'Errors/1'],
    text: 'A Binding of an absent Pod is refused with 404.',
    subjects: 'refusedBindings',
  },
  'binding-target': {
    level: 'convention',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/bindings', 'Errors/1'],
    text: 'A Binding without the name of a target, or to a kind that is not a node, is refused with a client error and binds nothing.',
    subjects: 'refusedBindings',
  },
  'binding-name-mismatch': {
    level: 'convention',
    source: ['Core group/POST /api/v1/namespaces/{namespace}/pods/{name}/binding', 'Errors/1'],
    text: 'A Binding that names another Pod than the path is refused with a client error and binds neither Pod.',
    subjects: 'strayBindings',
  },
} as const satisfies Chapter;
