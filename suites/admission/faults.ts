// Servers that break limit ranges and quotas.
import type { JsonObject } from '../client/json.js';
import { type Broken, fault, faultsOf } from '../testing/faults/wire/fault.js';
import { refusesBeside } from '../testing/faults/wire/neighbours.js';
import { change, drop, type Edit, inEach, isGiven, keepFirst, set, valueAt, where } from '../testing/faults/wire/objects.js';
import { after, replace, shown } from '../testing/faults/wire/replies.js';
import { instead, ok, refuse, reply, sent, swallow, withBody } from '../testing/faults/wire/requests.js';

const zeroIsNone = where('spec.hard', isGiven, (object) => {
  const hard = Object.entries(valueAt(object, 'spec.hard') as JsonObject).filter(([, limit]) => limit !== '0');
  return set('spec.hard', Object.fromEntries(hard))(object);
});
const forbidden = { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 };
const generous = sent('POST ResourceQuota', set('spec.hard.*', '1000Gi'));

/** Pods and limit ranges in the namespace of a check of scopes, with a LimitRange that a controller of others has put there. */
const inScope = (edit: Edit): Edit => where('metadata.namespace', (name) => /-besteffort/.test(String(name)), edit);
const limitsOfOthers = { metadata: { name: 'defaults-of-others' } };

/** Accepts a change to a node port once, as admission with an old cache does. */
function outgrownOnce(): Broken {
  let count = 0;
  const late = instead(['PUT', withBody(/"type":"NodePort"/)], ({ body }) => {
    count += 1;
    return count === 1 ? ok(JSON.parse(body) as JsonObject) : {};
  });
  return {
    ...late,
    starting: () => {
      count = 0;
    },
  };
}

/** Gives Pods resources in the namespace of the quota of Pods without any. */
const requestsCpu = sent('POST Pod', inScope(inEach('spec.containers', set('resources', { requests: { cpu: '100m' } }))));

export const faults = faultsOf('admission', [
  fault('learns of a quota late', ' in admission.quota-update', [outgrownOnce()]),
  fault('has limits of others in each namespace', ' in admission.quota-scope › server, BestEffort', [
    requestsCpu,
    shown(
      /-besteffort\/limitranges$/,
      change('items', (items) => [items ?? [], limitsOfOthers].flat()),
    ),
  ]),
  fault('gives the pods of a namespace resources', 'quota-scope › server, BestEffort', [requestsCpu]),
  fault('shows containers without resources', 'limit-range-defaults', [shown('GET Pod', drop('spec.containers.*.resources'))]),
  fault('has no use for limit ranges', 'limit-range-limits', [sent('POST LimitRange', set('spec.limits', []))]),
  fault('reads the first item of a limit range alone', 'limit-range-limits', [sent('POST LimitRange', keepFirst('spec.limits'))]),
  fault('keeps the limits that a limit range had first', 'limit-range-within › server, claim above', [
    sent(/^PATCH .*\/limitranges\//, drop('spec')),
  ]),
  fault('refuses pods and claims wherever they are limited', 'limit-range-within › server, claim above', [
    refuse(/^POST .*\/(pods|persistentvolumeclaims)(\?|$)/, 403),
  ]),
  fault('never counts for a quota', 'quota-status', [shown('GET ResourceQuota', set('status', {}))]),
  fault('counts nothing that was there before a quota', 'quota-status', [
    shown('GET ResourceQuota', set('status.used.persistentvolumeclaims', '0')),
  ]),
  fault('is more generous than its quotas', 'quota-enforced', [generous]),
  fault('is more generous than its quotas when in haste', 'quota-concurrent', [generous]),
  fault('is more generous than its quotas to what is there', 'quota-update', [generous]),
  fault('keeps the limits that a quota had first', 'quota-update', [sent(/^PATCH .*\/resourcequotas\/[^/]+$/, drop('spec'))]),
  fault('takes a limit of 0 for none', 'quota-update', [sent('POST ResourceQuota', zeroIsNone)]),
  fault('takes every quota for full', 'quota-within › server, secrets', [refuse(/^POST .*\/secrets(\?|$)/, 403)]),
  fault(
    'counts the objects of a namespace whose name is the beginning of that of the quota',
    'quota-within › server, replicationcontrollers',
    [refusesBeside(/\/replicationcontrollers$/, 403, (wanted, made) => wanted.path.startsWith(made.path.replace(/\/[^/]*$/, '-')))],
  ),
  fault('shows that nothing is in use', 'quota-used › server, services.nodeports', [
    shown('GET ResourceQuota', set('status.used.services\\.nodeports', '0')),
  ]),
  fault('deletes only in words', 'quota-released › server, replicationcontrollers', [swallow('DELETE')]),
  fault('counts the pods that have ended', 'quota-released › server, pods', [swallow(/^PATCH .*\/pods\/[^/]+\/status$/)]),
  fault('refuses what takes the room of a pod that has ended', 'quota-released › server, cpu', [
    after(/^PATCH .*\/pods\/[^/]+\/status$/, replace(/^POST [^?]*\/pods$/, 200, reply(403, forbidden))),
  ]),
  fault('asks nobody what they take', 'quota-unsaid', [sent('POST ResourceQuota', set('spec', { hard: { secrets: '10' } }))]),
  fault('does not look at the scopes of quotas', 'quota-scope › server, Terminating', [sent('POST ResourceQuota', drop('spec.scopes'))]),
]);
