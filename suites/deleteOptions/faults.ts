// Servers that read the options of a delete wrongly, or break its effects: grace, finalizers, dependents, namespaces.
import { isObject } from '../client/json.js';
import { type Broken, fault, faultsOf, type WireRequest } from '../testing/faults/wire/fault.js';
import { leaks } from '../testing/faults/wire/leaks.js';
import {
  drop,
  type Edit,
  fromJson,
  inEach,
  isGiven,
  keepFirst,
  parsed,
  set,
  twice,
  valueAt,
  where,
} from '../testing/faults/wire/objects.js';
import { replace, shown } from '../testing/faults/wire/replies.js';
import {
  every,
  failure,
  header,
  ignore,
  instead,
  nameOf,
  not,
  refuse,
  refuseGone,
  sent,
  sentText,
  some,
  success,
  swallow,
  withBody,
  withType,
} from '../testing/faults/wire/requests.js';
import { events } from '../testing/faults/wire/watches.js';

const map = 'DELETE …/configmaps/{name}';
const pod = 'DELETE …/pods/{name}';
const namespace = 'DELETE /api/v1/namespaces/{name}';
const daemonSet = 'DELETE /apis/extensions/v1beta1/namespaces/{namespace}/daemonsets/{name}';
const collection = 'DELETE …/configmaps';

const deletes = /^DELETE .*\/(configmaps|pods)/;
const inJson = withType(/^application\/json$/);
const inYaml = withType(/^application\/yaml$/);
const malformed = ({ body }: WireRequest): boolean => !isObject(fromJson(body));
/** Removes the options. */
const unread = (): string => '';
/** Reads one value of an option as another value. */
const reads = (field: string, from: string | number | boolean, to: string | number | boolean): Broken =>
  sent('DELETE', where(field, from, set(field, to)));
const owners = 'metadata.ownerReferences';
const whereUnmarked = (edit: Edit): Edit => where('metadata.labels.kube-api-conformance/changed', 'unmarked', edit);

/** Tells watches of those removals alone for which a client asked. */
function tellsOwnDeletes(): Broken {
  const deleted = new Set<string>();
  return {
    starting: () => deleted.clear(),
    ...instead('DELETE', (request) => {
      deleted.add(nameOf(request));
      return {};
    }),
    ...events(every, (event) =>
      event.type === 'DELETED' && !deleted.has(String(valueAt(event.object, 'metadata.name'))) ? undefined : event,
    ),
  };
}

/** Shows nothing of what was deleted twice. */
function goesTheSecondTime(): Broken {
  const counts = new Map<string, number>();
  return instead(every, ({ method, path }) => {
    if (method === 'DELETE') counts.set(path, (counts.get(path) ?? 0) + 1);
    return method === 'GET' && (counts.get(path) ?? 0) > 1 ? failure(404) : {};
  });
}

/** Shows nothing of what was deleted with such options. */
function goesBy(options: RegExp): Broken {
  const gone = new Set<string>();
  return instead(every, ({ method, path, body }) => {
    if (method === 'DELETE' && options.test(body)) gone.add(path);
    return method !== 'DELETE' && gone.has(path) ? failure(404) : {};
  });
}

export const faults = faultsOf(`deleteOptions in ${map}`, [
  // Options
  fault('takes no delete options in YAML', 'options precondition-uid', [refuse([deletes, inYaml], 415)]),
  fault('takes no empty delete options', 'options-empty', [refuse([deletes, inJson, withBody(/^\{\}$/)], 400)]),
  fault('takes no delete options without a kind', 'options-empty', [refuse([deletes, inJson, withBody(/^\{"propagationPolicy"/)], 400)]),
  fault('takes delete options with a field that it does not know for malformed', 'options-empty', [
    refuse([deletes, inJson, withBody(/"unknown"/)], 400),
  ]),
  fault('takes preconditions without a field for unmet', 'options-empty', [
    refuse([deletes, inJson, withBody(/"preconditions":\{\}/)], 409),
  ]),
  fault('takes a null for a grace period', 'options-empty', [refuse([deletes, inJson, withBody(/"gracePeriodSeconds":null/)], 422)]),
  fault('reads no delete options in YAML', 'precondition-uid', [sentText([deletes, inYaml, withBody(/uid/)], unread)]),
  fault("reads no delete options of its group's version", `precondition-uid in ${daemonSet}`, [
    sentText(['DELETE', withBody(/"apiVersion":"[^"]+\//)], unread),
  ]),
  fault('reads no delete options whose type has a parameter', 'precondition-uid', [
    sentText([deletes, withType(/json;/), withBody(/uid/)], unread),
  ]),
  fault('reads no delete options that come in chunks', 'precondition-uid', [sentText([deletes, ({ isChunked }) => isChunked], unread)]),
  fault('looks at the first of two preconditions', 'precondition-version', [
    sent('DELETE', where('preconditions.uid', isGiven, drop('preconditions.resourceVersion'))),
  ]),
  fault('looks at the last of two preconditions', 'precondition-uid', [
    sent('DELETE', where('preconditions.resourceVersion', isGiven, drop('preconditions.uid'))),
  ]),
  fault('takes malformed delete options for none', 'options-malformed', [sentText([deletes, inJson, malformed], unread)]),
  fault('takes any kind for delete options', 'options-wrong-kind', [sent('DELETE', set('kind', 'DeleteOptions'))]),
  fault('reads delete options of any type', 'options-type', [header([deletes, not(inYaml)], 'content-type', 'application/json')]),
  fault('ignores a grace period that is no number', 'query-malformed', [ignore(/[?&]gracePeriodSeconds=soon/, 'gracePeriodSeconds')]),
  fault('ignores the uid of a precondition', 'precondition-uid', [sent('DELETE', drop('preconditions.uid'))]),
  fault('ignores the resourceVersion of a precondition', 'precondition-version', [sent('DELETE', drop('preconditions.resourceVersion'))]),
  fault('takes every precondition for unmet', 'precondition-met', [refuse([deletes, withBody(/"preconditions":\{"/)], 409)]),
  fault('ignores a dry run in the query of a delete', 'dry-run', [ignore(/^DELETE .*dryRun=All/, 'dryRun')]),
  fault('ignores a dry run in delete options', 'dry-run dry-run-unknown', [sent('DELETE', drop('dryRun'))]),
  fault('names another object in the Status of a delete', 'answer-status', [shown('DELETE Status', set('details.name', 'other'))]),
  fault('answers a Status to a delete that is put off', 'answer-object', [shown('DELETE ConfigMap', () => success)]),
  // Finalizers delay the delete of a Pod too.
  fault('answers a Status to the delete of a Pod', `answer-object answer-pod in ${pod}`, [shown('DELETE Pod', () => success)]),
  fault('answers every object twice to a delete-collection', `answer-list › ${collection}`, [shown('DELETE ConfigMapList', twice)]),
  fault('takes an unknown propagation for Background', 'propagation-unknown', [reads('propagationPolicy', 'Sideways', 'Background')]),
  fault('lets a propagation win over orphanDependents', 'propagation-twice', [
    sent('DELETE', where('propagationPolicy', isGiven, drop('orphanDependents'))),
  ]),
  fault(
    'changes what it refuses to delete, as lists show',
    `dry-run-unknown options-malformed options-type options-wrong-kind precondition-uid precondition-version propagation-twice
     propagation-unknown query-malformed in ${map}`,
    [leaks('DELETE', 'lists')],
  ),
  fault(
    'tells watches of a delete-collection that it refuses',
    'collection-dry-run collection-malformed collection-precondition collection-precondition-version collection-propagation in .collection-*/configmaps',
    [leaks('DELETE', 'watches')],
  ),
  fault('takes no options for a delete-collection', `collection-options › ${collection}`, [refuse([deletes, withBody(/./)], 400)]),
  ...['collection-dry-run', 'collection-malformed', 'collection-propagation', 'collection-precondition'].map((name) =>
    fault(`does not read the options of a delete-collection (${name})`, `${name} › ${collection}`, [sentText(deletes, unread)]),
  ),
  fault('reads the options of a delete-collection in JSON alone', `collection-precondition › ${collection}`, [
    sentText([/^DELETE .*\/configmaps\?/, inYaml], unread),
  ]),
  fault('ignores the resourceVersion of a precondition of a delete-collection', `collection-precondition-version › ${collection}`, [
    sent(/^DELETE .*\/configmaps\?/, drop('preconditions.resourceVersion')),
  ]),
  fault('never gives a name free', 'name-free', [refuseGone('POST', 409, nameOf)]),
  // Grace
  fault('ignores the grace period of delete options', `grace-collection grace-marks in ${pod}`, [
    sent('DELETE', where('gracePeriodSeconds', 50, drop('gracePeriodSeconds'))),
  ]),
  fault("ignores the grace period of a Pod's spec", `grace-default in ${pod}`, [
    sent('DELETE DeleteOptions', where('gracePeriodSeconds', undefined, set('gracePeriodSeconds', 10))),
  ]),
  fault('ignores the grace period of the query', `grace-collection grace-query in ${pod}`, [ignore(/Seconds=50/, 'gracePeriodSeconds')]),
  fault('knows no grace period of 0', `grace-zero in ${pod}`, [reads('gracePeriodSeconds', 0, 1)]),
  fault('waits for Pods that nobody runs', 'grace-unscheduled › ', [sent('POST Pod', set('spec.nodeName', 'some-node'))]),
  fault('lets the last grace period win', `grace-kept grace-shorter in ${pod}`, [reads('gracePeriodSeconds', 20, 60)]),
  fault('leaves everything its grace period', 'grace-elsewhere', [swallow(['DELETE', withBody(/"gracePeriodSeconds":50/)])]),
  // Finalizers
  fault(
    'ignores finalizers',
    'answer-object dependents-foreground dependents-unblocking finalizer-holds finalizer-last finalizer-late finalizer-patched timestamp-kept',
    [sent('POST', drop('metadata.finalizers'))],
  ),
  fault('lists what is being deleted as if it were not', 'finalizer-holds', [shown(every, drop('items.*.metadata.deletionTimestamp'))]),
  fault('begins no watch with what is being deleted', 'finalizer-holds', [
    events(/[?&]resourceVersion=0(&|$)/, (event) =>
      valueAt(event.object, 'metadata.deletionTimestamp') === undefined ? event : undefined,
    ),
  ]),
  fault('creates over what is being deleted', 'finalizer-holds', [replace('POST', 409, some('ConfigMap'))]),
  fault('takes no status of what is being deleted', 'timestamp-kept in DELETE …/services/{name}', [
    refuseGone('PUT', 400, ({ method, path }) => (method === 'DELETE' ? path.replace(/(\?.*)?$/, '/status') : path)),
  ]),
  fault('takes no label of what is being deleted', 'timestamp-kept', [refuse(['PUT', withBody(/"unmarked"/)], 422)]),
  fault('forgets the finalizers of an object by a foreground delete', `finalizer-holds › ${map}`, [goesBy(/Foreground/)]),
  fault('forgets the finalizers of an object by an orphaning delete', `finalizer-patched › ${map}`, [goesBy(/Orphan/)]),
  fault('lets go what is deleted a second time', 'finalizer-holds finalizer-last timestamp-kept', [goesTheSecondTime()]),
  fault('ignores finalizers in a delete-collection', `finalizer-collection › ${collection}`, [sent('POST', drop('metadata.finalizers'))]),
  fault('takes a finalizer for an object that is being deleted', 'finalizer-late', [swallow(['PUT', withBody(/conformance\/late/)])]),
  fault('takes a finalizer that a patch adds to an object that is being deleted', 'finalizer-late', [
    swallow(['PATCH', withBody(/conformance\/late/)]),
  ]),
  fault('calls a deletion off', 'timestamp-kept', [shown('ConfigMap', whereUnmarked(drop('metadata.deletionTimestamp')))]),
  fault('never lets a deleted object go', 'finalizer-last', [
    sent('PUT', whereUnmarked(where('metadata.finalizers.0', undefined, set('metadata.finalizers', ['kube-api-conformance/held-too'])))),
  ]),
  fault('ignores finalizers in patches', 'finalizer-late finalizer-patched', [swallow(['PATCH', withBody(/finalizers/)])]),
  fault('does not remove a finalizer by a null', 'finalizer-patched', [swallow(['PATCH', withBody(/"finalizers":null/)])]),
  // Dependents
  fault(
    'collects nothing',
    `dependents-background dependents-chain dependents-collection dependents-default dependents-every-kind dependents-flag-off
     dependents-foreground dependents-lost dependents-orphan dependents-orphan-flag dependents-other-owner dependents-shared
     dependents-unblocking`,
    [sent('POST', drop(owners))],
  ),
  fault('orphans where it should collect', 'dependents-background dependents-chain dependents-collection', [
    reads('propagationPolicy', 'Background', 'Orphan'),
  ]),
  fault('takes orphanDependents false for true', `dependents-flag-off › ${map}`, [reads('orphanDependents', false, true)]),
  fault('collects where it should orphan', 'dependents-collection dependents-orphan', [reads('propagationPolicy', 'Orphan', 'Background')]),
  fault('reads no propagation in the query of a delete', `dependents-orphan in ${map}`, [
    ignore(/^DELETE .*\/configmaps\/.*=Orphan/, 'propagationPolicy'),
  ]),
  fault('ignores orphanDependents', 'dependents-orphan-flag', [
    sent('DELETE', where('propagationPolicy', undefined, where('orphanDependents', true, set('orphanDependents', false)))),
  ]),
  fault('knows no foreground', 'dependents-foreground', [reads('propagationPolicy', 'Foreground', 'Background')]),
  fault('knows one owner only', 'dependents-orphan dependents-other-owner dependents-shared', [sent('POST', keepFirst(owners))]),
  fault('waits for every dependent', 'dependents-unblocking', [sent('POST', inEach(owners, set('blockOwnerDeletion', true)))]),
  fault('collects what a ReplicaSet leaves', 'dependents-default › DELETE /apis/extensions/v1beta1/namespaces/{namespace}/replicasets', [
    sentText(/^DELETE .*\/replicasets\//, (body) => JSON.stringify({ ...parsed(body), propagationPolicy: 'Background' })),
  ]),
  fault('knows no owners of Secrets', 'dependents-every-kind › DELETE …/secrets/{name}', [sent('POST Secret', drop(owners))]),
  fault('orphans from every owner', `dependents-orphan in ${map}`, [
    sent('POST', where(`${owners}.1`, isGiven, set('metadata.annotations.owners', 'two'))),
    shown('GET ConfigMap', where('metadata.annotations.owners', 'two', where(`${owners}.1`, undefined, drop(owners)))),
  ]),
  fault('tells watches nothing of what the collector removes', `dependents-every-kind › ${map}`, [tellsOwnDeletes()]),
  fault('forgets owners that are not there', 'dependents-lost', [
    sent('POST', where(`${owners}.0.name`, 'never-been-there', drop(owners))),
  ]),
  // The end of a namespace
  fault('calls a deleted namespace Active', `namespace-terminating timestamp-kept in ${namespace}`, [
    shown('Namespace', set('status.phase', 'Active')),
  ]),
  fault('creates in a namespace that is Terminating', `namespace-closed in ${namespace}`, [replace('POST', 403, some('ConfigMap'))]),
  fault('leaves Secrets in a namespace that is Terminating', `namespace-contents namespace-gone in ${namespace}`, [
    replace(/^GET .*\/secrets\//, 404, some('Secret')),
  ]),
  fault('tells watches nothing of what goes with its namespace', `namespace-contents dependents-every-kind in ${namespace}`, [
    tellsOwnDeletes(),
  ]),
  fault('loses what holds a namespace', `namespace-gone namespace-held in ${namespace}`, [refuse(/^GET .*\/configmaps\//, 404)]),
  fault('lets the namespace default be deleted', `namespace-default in ${namespace}`, [replace('DELETE', 403, some('Status'))]),
]);
