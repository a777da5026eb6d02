// Servers that break the subresources: status, scale, rollback, the end of a namespace, binding.
import type { Json } from '../client/json.js';
import { type Broken, fault, faultsOf, notConformant } from '../testing/faults/wire/fault.js';
import { leaks } from '../testing/faults/wire/leaks.js';
import { all, change, copy, drop, dropItems, isGiven, memory, of, set, where } from '../testing/faults/wire/objects.js';
import { after, atOnce, caches, isError, replace, shown, shownText } from '../testing/faults/wire/replies.js';
import {
  asPatch,
  editedJson,
  every,
  headed,
  instead,
  not,
  ok,
  refuse,
  refuseGone,
  reroute,
  sent,
  success,
  swallow,
  withBody,
} from '../testing/faults/wire/requests.js';
import { told } from '../testing/faults/wire/watches.js';

const status = /^(PUT|PATCH) [^?]*\/status(\?|$)/;
const rollback = /^POST .*\/rollback$/;
const deployment = '/apis/extensions/v1beta1/namespaces/{namespace}/deployments';
const revision = 'items.*.metadata.annotations.deployment\\.kubernetes\\.io/revision';

const created = memory('metadata');
const withTens = (number: Json | undefined): Json | undefined => number && `1${number}`;

/** Reads the object of a subresource instead of writing it. */
const onlyReads = (which: RegExp): Broken =>
  instead(which, (request) => ({
    ...headed(request, 'content-type', undefined),
    method: 'GET',
    path: request.path.replace(/\/[^/]*$/, ''),
    body: '',
  }));

/** What refuses a write of a subresource and does it all the same, where only one place shows it. */
const leaking = (of: string, fails: string, which: RegExp) =>
  (['lists', 'watches'] as const).map((into) => fault(`does a ${of} that it refuses, as ${into} show`, fails, [leaks(which, into)]));

const ofRefusals = faultsOf('subresources', [
  ...leaking('write of a status', 'status-name-mismatch status-stale in .status-*/services', /^PUT .*\/status$/),
  ...leaking('scale', 'scale-name-mismatch scale-negative scale-other-version scale-stale in .scale-*/replicasets', /\/scale$/),
  ...leaking('finalize', 'finalize-invalid finalize-stale in .finalize-', /\/finalize$/),
  ...leaking(
    'binding',
    'binding-deleted binding-name-mismatch binding-target binding-twice in .binding-*/pods/{name}/binding',
    /\/binding$/,
  ),
  fault('writes the status of the object that the body names, and refuses it', 'status-name-mismatch in .status-*/jobs', [
    leaks(/^PUT .*\/status$/, 'reads'),
  ]),
  fault('scales the object that the body names, and refuses it', 'scale-name-mismatch in .scale-*/deployments', [
    leaks(/^PUT .*\/scale$/, 'reads'),
  ]),
  fault('binds the pod that the body names, and refuses it', 'binding-name-mismatch in .binding-*/pods/{name}/binding', [
    leaks(/\/binding$/, 'reads'),
  ]),
]);

const ofSubresources = faultsOf('subresources', [
  // Status
  fault(
    'reports a write of a status and does not do it',
    'status-keeps-spec status-name-mismatch status-patch status-read status-replace status-stale status-unconditional in .status-*/deployments',
    [onlyReads(status)],
  ),
  fault(
    'reads every status as an empty one, at the version of its write',
    'main-keeps-status status-keeps-spec status-name-mismatch status-patch status-read status-replace status-stale status-unconditional in s.*-*/daemonsets',
    [shown(/^GET (?!.*watch=true)/, of('DaemonSet', set('status', {})))],
  ),
  fault('answers reads of a status with the first one', 'status-read in .status-read*/deployments', [caches(/\/status(\?|$)/, () => '')]),
  fault('answers reads of a scale with the first one', 'scale-observed in .scale-observed', [caches(/\/scale(\?|$)/, () => '')]),
  fault('answers every read of a status with an empty one', 'status-read in .status-read*/deployments', [
    shown(/^GET [^?]*\/status$/, set('status', {})),
  ]),
  fault('loses the labels in a write of a status', 'status-keeps-spec in .status-keeps-spec*/deployments', [
    after(status, shown('GET Deployment', drop('metadata.labels'))),
  ]),
  fault('keeps what a replace of a status leaves out', 'status-replace in .status-replace*/deployments', [
    sent(/^PUT [^?]*\/status$/, of('Deployment', where('status.updatedReplicas', undefined, set('status.updatedReplicas', 1)))),
  ]),
  ...(
    [
      ['addresses', 'Node', 'nodes'],
      ['nodeInfo', 'Node', 'nodes'],
      ['containerStatuses', 'Pod', 'pods'],
      ['loadBalancer.ingress', 'Service', 'services'],
    ] as const
  ).map(([member, kind, plural]) => {
    const old = memory(`status.${member}`);
    return fault(`keeps the ${member} of ${plural} that a replace of a status leaves out`, `status-replace in .status-replace*/${plural}`, [
      sent(`PUT ${kind}`, where(`status.${member}`, isGiven, old.note)),
      sent(`PUT ${kind}`, where(`status.${member}`, undefined, old.put)),
    ]);
  }),
  fault('says of each Pod that it waits', 'status-keeps-spec status-replace status-unconditional in .status-*PUT*/pods', [
    sent(['PUT', /\/pods\/[^/]*\/status$/], set('status.phase', 'Pending')),
  ]),
  ...(
    [
      ['containerStatuses', 'pods'],
      ['nodeInfo', 'nodes'],
      ['conditions', 'replicasets'],
      ['failed', 'jobs'],
    ] as const
  ).map(([field, plural]) =>
    fault(`drops the ${field} of a status`, `status-replace in .status-replace*/${plural}`, [
      sent(/^PUT [^?]*\/status$/, drop(`status.${field}`)),
    ]),
  ),
  fault('wants the version in a replace of a status', 'status-absent status-unconditional in .status-*PUT*/jobs', [
    refuse([/^PUT [^?]*\/status$/, not(withBody(/"resourceVersion"/))], 422),
  ]),
  fault('does not store a replace of a status without a version', 'status-unconditional › PUT …/services', [
    swallow([/^PUT [^?]*\/status$/, not(withBody(/"resourceVersion"/))], { kind: 'Service', apiVersion: 'v1' }),
  ]),
  fault('tells watches nothing of a write of a status', 'status-replace in .status-replace*/jobs', [
    told(/watch=true/, drop('object.status')),
  ]),
  fault('drops a status after it has told watches of it', 'status-read status-replace in .status-re*/deployments', [
    shown(/^GET (?!.*watch=true)/, of('Deployment', drop('status'))),
    shown(
      /^GET (?!.*watch=true)/,
      of(
        'DeploymentList',
        change('items.*.status', () => undefined),
      ),
    ),
  ]),
  fault('writes the object where the status was meant', `status-keeps-spec › PUT ${deployment}`, [reroute(every, /\/status$/, '')]),
  fault('writes the status with the object', 'main-keeps-status › PUT …/pods', [reroute('PUT', /$/, '/status')]),
  fault('creates with the status that the client says', 'main-keeps-status › POST …/pods', [
    sent('POST Pod', where('status.message', isGiven, set('metadata.annotations.status', 'sent'))),
    shown(every, where('metadata.annotations.status', 'sent', set('status.message', 'by a write of the object'))),
  ]),
  fault('has a status of what is absent', 'status-absent', [replace(/\/status(\?|$)/, 404, ok())]),
  fault('makes a version of every replace of a status', 'no-change in .no-change*/deployments/{name}/status', [
    shown(/^PUT [^?]*\/status$/, set('metadata.resourceVersion', '999999999')),
  ]),
  fault('makes a version of every replace of a scale', 'no-change in .no-change*/replicasets/{name}/scale', [
    shown(/^PUT [^?]*\/scale$/, set('metadata.resourceVersion', '999999999')),
  ]),
  // Scale
  fault('shows a scale without replicas and selector', 'scale-observed scale-patch scale-read scale-replace in .scale-', [
    shown('Scale', drop('spec', 'status')),
  ]),
  fault('takes the wanted replicas for those that are there', 'scale-observed in .scale-observed', [
    shown('Scale', copy('status.replicas', 'spec.replicas')),
  ]),
  fault('counts no replicas in a scale', 'scale-observed in .scale-observed', [shown('Scale', set('status.replicas', 0))]),
  fault('shows a scale without its uid', 'scale-observed in .scale-observed', [shown('Scale', drop('metadata.uid'))]),
  fault('shows a scale without its version', 'scale-observed in .scale-observed', [shown('Scale', drop('metadata.resourceVersion'))]),
  fault('shows scales in the version of a later group', 'scale-replace scale-version in .scale-', [
    shown('Scale', set('apiVersion', 'autoscaling/v1')),
  ]),
  fault('changes more than the replicas by a scale', `scale-keeps-rest › PUT ${deployment}`, [
    reroute('PUT', /\/scale$/, ''),
    asPatch('PUT', () => ({ spec: { replicas: 2, paused: true } })),
  ]),
  fault('ignores the replicas of a replace', 'scale-read in .scale-read*/replicationcontrollers', [
    sent('PUT ReplicationController', set('spec.replicas', 0)),
  ]),
  fault('lets nothing but a scale set the replicas of a ReplicaSet', 'scale-read in .scale-read*/replicasets', [
    sent('PUT ReplicaSet', set('spec.replicas', 0)),
  ]),
  fault('lets nothing but a scale set the replicas of a Deployment', 'scale-read in .scale-read*/deployments', [
    sent('PUT Deployment', set('spec.replicas', 0)),
  ]),
  fault('loses the labels in a write of a scale', 'scale-keeps-rest in .scale-keeps-rest*/replicasets', [
    after(/^(PUT|PATCH) [^?]*\/scale$/, shown('GET ReplicaSet', drop('metadata.labels'))),
  ]),
  ...(
    [
      ['a write of a status', status, 'GET Job', 'status-keeps-spec in .status-keeps-spec*/jobs'],
      ['a write of a scale', /^(PUT|PATCH) [^?]*\/scale$/, 'GET ReplicaSet', 'scale-keeps-rest in .scale-keeps-rest*/replicasets'],
      ['a finalize', /\/finalize$/, 'GET Namespace', 'finalize-keeps-rest in .finalize-keeps-rest'],
      ['a binding', /^POST .*\/bindings$/, 'GET Pod', 'binding-keeps-rest in .binding-keeps-rest'],
    ] as const
  ).map(([what, which, read, fails]) =>
    fault(`loses the annotations in ${what}`, fails, [after(which, shown(read, drop('metadata.annotations')))]),
  ),
  fault('pauses what it scales', 'scale-keeps-rest in .scale-keeps-rest*/deployments', [
    after(/^(PUT|PATCH) [^?]*\/scale$/, shown('GET Deployment', set('spec.paused', true))),
  ]),
  fault('loses the labels of what it finalizes', 'finalize-keeps-rest in .finalize-keeps-rest', [
    after(/\/finalize$/, shown('GET Namespace', drop('metadata.labels'))),
  ]),
  fault('binds a pod and drops its containers', 'binding-keeps-rest in .binding-keeps-rest', [
    after(/^POST .*\/bindings$/, shown('GET Pod', drop('spec.containers'))),
  ]),
  fault('binds a pod and drops the conditions of others', 'binding-keeps-rest in .binding-keeps-rest', [
    after(/^POST .*\/bindings$/, shown('GET Pod', dropItems('status.conditions', 'type', 'kube-api-conformance/Checked'))),
  ]),
  fault('changes the spec with the status', 'status-keeps-spec in .status-keeps-spec*/jobs', [
    after(status, shown('GET Job', set('spec.activeDeadlineSeconds', 7))),
  ]),
  fault('keeps the replicas where a Scale has none', 'scale-replace in .scale-replace', [
    sent(/^PUT .*\/scale$/, where('spec.replicas', undefined, set('spec.replicas', 2))),
  ]),
  fault('takes no Scale that names its version', 'scale-replace in .scale-replace', [
    refuse([/^PUT .*\/scale$/, withBody(/"resourceVersion"/)], 409),
  ]),
  fault('scales to one at least', 'scale-patch in .scale-patch*/replicasets', [
    sent(/^PATCH .*\/scale$/, where('spec.replicas', 0, set('spec.replicas', 1))),
  ]),
  fault('takes every scale', 'scale-absent scale-name-mismatch scale-negative scale-other-version scale-stale in .scale-', [
    replace(/\/scale(\?|$)/, isError, ok({ kind: 'Scale' })),
  ]),
  fault('tells watches the replicas of before', 'scale-keeps-rest in .scale-keeps-rest*/deployments', [
    told(/watch=true/, set('object.spec.replicas', 1)),
  ]),
  // Rollback
  fault(
    'refuses every rollback',
    `rollback rollback-absent rollback-annotations rollback-effect rollback-keeps-rest rollback-negative rollback-previous
     rollback-revision in .rollback`,
    [refuse(rollback, 400)],
  ),
  fault(
    'reports a rollback and does not do it',
    `rollback-absent rollback-annotations rollback-effect rollback-name-mismatch rollback-negative rollback-revision in .rollback-`,
    [notConformant, swallow(rollback)],
  ),
  fault(
    'rolls back to the first revision, whatever it is asked',
    `rollback-absent rollback-name-mismatch rollback-negative rollback-previous rollback-unknown-revision in .rollback-`,
    [
      sent(rollback, set('rollbackTo', { revision: 1 })),
      instead(rollback, ({ path, body }) => ({ body: editedJson(body, set('name', path.split('/').at(-2) ?? '')) })),
    ],
  ),
  fault('numbers its revisions from eleven', 'rollback-history in rollback-history', [shown('ReplicaSetList', change(revision, withTens))]),
  fault('keeps the oldest revisions and forgets the newer ones', 'rollback-history-limit', [
    shownText(every, (body) => (body.includes('conformance:3') ? body.replaceAll('conformance:2', 'conformance:1') : body)),
  ]),
  // The Deployment shows its first minReadySeconds.
  fault('rolls the whole spec back', 'rollback-keeps-rest', [after(rollback, shown('Deployment', drop('spec.minReadySeconds')))]),
  // Namespaces
  fault('ignores a finalize', 'finalize finalize-active finalize-invalid finalize-keeps-rest finalize-last finalize-stale in .finalize', [
    onlyReads(/\/finalize(\?|$)/),
  ]),
  fault('labels what it finalizes', 'finalize-keeps-rest in .finalize', [
    after(/\/finalize$/, shown('Namespace', set('metadata.labels.added', 'yes'))),
  ]),
  fault('calls every namespace Active', 'namespace-held namespace-terminating in .namespace-', [
    shown('Namespace', all(drop('metadata.deletionTimestamp'), set('status.phase', 'Active'))),
  ]),
  fault('forbids nothing in a namespace that goes, nor that default goes', 'namespace-closed namespace-kept in .namespace-', [
    replace(every, 403, ok()),
  ]),
  fault('ends a namespace at once, whatever holds it', 'namespace-held namespace-terminating in .namespace-', [refuseGone('GET', 404)]),
  fault('leaves what was in a namespace', 'namespace-emptied', [
    shown('POST ConfigMap', created.note),
    shown(
      'GET ConfigMapList',
      change('items', () => [created.put({})]),
    ),
  ]),
  // Binding
  fault(
    'reports a binding and does not do it',
    `binding binding-absent binding-deleted binding-keeps-rest binding-name-mismatch binding-of-pod binding-scheduled binding-target binding-twice in .binding`,
    [swallow(/^POST .*\/bindings?$/)],
  ),
  fault(
    'changes the labels of what it binds',
    'binding-deleted binding-keeps-rest binding-name-mismatch binding-target binding-twice in .binding',
    [after(/^POST .*\/bindings$/, shown('GET Pod', set('metadata.labels.added', 'yes')))],
  ),
  fault('binds the pod that the body names, whatever the path says', 'binding-name-mismatch in .binding-', [
    reroute(every, /\/pods\/[^/]+\/binding$/, '/bindings'),
  ]),
  fault(
    'binds pods without a word about it in their conditions',
    'binding-deleted binding-keeps-rest binding-name-mismatch binding-scheduled binding-target binding-twice in .binding-',
    [shown('Pod', drop('status'))],
  ),
  fault('binds a bound pod again, to another node', 'binding-twice › POST …/pods', [replace(every, 409, ok(success))]),
  fault('binds a pod for each of two schedulers at once', 'binding-twice › POST …/pods', [
    atOnce(/^POST .*\/binding$/, 2, () => ok(success)),
  ]),
  fault('binds a pod that is being deleted', 'binding-deleted › POST …/pods', [
    after('DELETE', replace(/^POST .*\/binding$/, 409, ok(success))),
  ]),
  fault('wants the version of the node that a pod is bound to', 'binding binding-keeps-rest binding-of-pod in .binding', [
    refuse([/^POST .*\/bindings?$/, not(withBody(/"target":\{[^}]*"apiVersion"/))], 400),
  ]),
  fault('binds no pod by its uid', 'binding binding-keeps-rest binding-of-pod in .binding', [
    refuse([/^POST .*\/bindings?$/, withBody(/"uid"/)], 409),
  ]),
  fault('takes any target for a node', 'binding-target in .binding-', [sent('POST Binding', set('target.kind', 'Node'))]),
]);

const everywhere = 'replace.answer replace.effect-list replace.effect-read replace.effect-watch in replace.*';

/** What belongs to a subresource too, and is ignored where the object is written. */
const ofReplaces = faultsOf(
  'subresources',
  [
    fault('lets nothing but a rollback change the template of a Deployment', `${everywhere}/deployments`, [
      sent('PUT Deployment', drop('spec.template.metadata.annotations')),
    ]),
  ],
  ['replace'],
);

const ofStatuses = faultsOf(
  'subresources',
  [
    // As before 1.20
    ...['deployments', 'nodes'].map((plural) =>
      fault(`links the status of ${plural} to the path of the request`, ` in */${plural}/{name}/status`, [
        shown(
          /^\S+ [^?]*\/status(\?|$)/,
          change('metadata.selfLink', (link) => `${String(link)}/status`),
        ),
      ]),
    ),
  ],
  ['subresources', 'patch'],
);

export const faults = [...ofSubresources, ...ofRefusals, ...ofReplaces, ...ofStatuses];
