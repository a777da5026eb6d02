// Servers that admit what they should not, or change what they admit.
import { at, isObject, itemsOf, type JsonObject, merge } from '../../support/json.js';
import { answering, asking, type Fault, failure, type Passing, reply, without } from './parts.js';

const isPodOrClaim = ({ path }: Passing): boolean => /\/(pods|persistentvolumeclaims)(\?|$)/.test(path);

/** Changes what quotas are created with. */
const quotaSpec = (change: (spec: JsonObject) => JsonObject): NonNullable<Fault['request']> =>
  asking('POST', (body) =>
    body.kind === 'ResourceQuota' && isObject(body.spec) ? { ...body, spec: change(body.spec) } : body,
  );

const generous = quotaSpec((spec) => ({
  ...spec,
  hard: Object.fromEntries(Object.keys(Object(spec.hard)).map((name) => [name, '1000Gi'])),
}));

/** Changes every object of a kind that is read. */
const reading = (kind: string, change: (object: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  answering((body, { method }) => (method === 'GET' && body.kind === kind ? change(body) : body));

const podSpec = (change: (spec: JsonObject) => JsonObject): NonNullable<Fault['reply']> =>
  reading('Pod', (pod) => (isObject(pod.spec) ? { ...pod, spec: change(pod.spec) } : pod));

export const admissionFaults: readonly Fault[] = [
  {
    name: 'shows containers without resources',
    grep: 'admission.limit-range-defaults',
    fails: ['admission.limit-range-defaults'],
    reply: podSpec((spec) => ({
      ...spec,
      containers: itemsOf({ items: spec.containers ?? [] }).map((container) => without(container, 'resources')),
    })),
  },
  {
    name: 'has no use for limit ranges',
    grep: 'admission.limit-range-limits',
    fails: ['admission.limit-range-limits'],
    request: asking('POST', (body) => (body.kind === 'LimitRange' ? { ...body, spec: { limits: [] } } : body)),
  },
  {
    name: 'refuses pods and claims wherever they are limited',
    grep: 'admission.limit-range-within › server, claim above',
    fails: ['admission.limit-range-within'],
    request: (passing) => (passing.method === 'POST' && isPodOrClaim(passing) ? failure(403, 'Forbidden') : passing),
  },
  {
    name: 'never counts for a quota',
    grep: 'admission.quota-status',
    fails: ['admission.quota-status'],
    reply: reading('ResourceQuota', (quota) => ({ ...quota, status: {} })),
  },
  {
    name: 'counts nothing that was there before a quota',
    grep: 'admission.quota-status',
    fails: ['admission.quota-status'],
    reply: reading('ResourceQuota', (quota) => merge(quota, { status: { used: { persistentvolumeclaims: '0' } } })),
  },
  {
    name: 'is more generous than its quotas',
    grep: 'admission.quota-enforced',
    fails: ['admission.quota-enforced'],
    request: generous,
  },
  {
    name: 'is more generous than its quotas when in haste',
    grep: 'admission.quota-concurrent',
    fails: ['admission.quota-concurrent'],
    request: generous,
  },
  {
    name: 'is more generous than its quotas to what is there',
    grep: 'admission.quota-update',
    fails: ['admission.quota-update'],
    request: generous,
  },
  {
    name: 'takes every quota for full',
    grep: 'quota-within › server, secrets',
    fails: ['admission.quota-within'],
    request: (passing) =>
      passing.method === 'POST' && /\/secrets(\?|$)/.test(passing.path) ? failure(403, 'Forbidden') : passing,
  },
  {
    name: 'shows that nothing is in use',
    grep: 'admission.quota-used › server, services.nodeports',
    fails: ['admission.quota-used'],
    reply: reading('ResourceQuota', (quota) => ({
      ...quota,
      status: merge(Object(quota.status), { used: { 'services.nodeports': '0' } }),
    })),
  },
  {
    name: 'deletes only in words',
    grep: 'admission.quota-released › server, replicationcontrollers',
    fails: ['admission.quota-released'],
    request: (passing) =>
      passing.method === 'DELETE' ? reply(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' }) : passing,
  },
  {
    name: 'asks nobody what they take',
    grep: 'admission.quota-unsaid',
    fails: ['admission.quota-unsaid'],
    request: quotaSpec(() => ({ hard: { secrets: '10' } })),
  },
  {
    name: 'does not look at the scopes of quotas',
    grep: 'admission.quota-scope › server, Terminating',
    fails: ['admission.quota-scope'],
    request: quotaSpec((spec) => without(spec, 'scopes')),
  },
  {
    name: 'makes no service account',
    grep: 'serviceAccounts.automatic ›',
    fails: ['serviceAccounts.automatic'],
    reply: answering((body) => (body.kind === 'ServiceAccountList' ? { ...body, items: [] } : body)),
  },
  {
    name: 'gives accounts tokens that no request can carry',
    grep: 'serviceAccounts.token',
    fails: [
      'serviceAccounts.token',
      'serviceAccounts.token-groups',
      'serviceAccounts.token-of-another',
      'serviceAccounts.token-outside',
      'serviceAccounts.token-user',
    ],
    reply: answering((body) =>
      body.type === 'kubernetes.io/service-account-token'
        ? merge(body, { data: { token: Buffer.from('a\nb').toString('base64') } })
        : body,
    ),
  },
  {
    name: 'forgets which account a pod runs as',
    grep: 'serviceAccounts.pod-account',
    fails: ['serviceAccounts.pod-account', 'serviceAccounts.pod-account-alias', 'serviceAccounts.pod-account-named'],
    reply: podSpec((spec) => without(spec, 'serviceAccountName')),
  },
  {
    name: 'runs the pods of absent accounts as the default one',
    grep: 'serviceAccounts.pod-account',
    fails: ['serviceAccounts.pod-account-unknown'],
    request: asking('POST', (body) =>
      at(body, 'spec', 'serviceAccountName') === 'absent'
        ? merge(body, { spec: { serviceAccountName: 'default' } })
        : body,
    ),
  },
  {
    name: 'does not know the old name of the account',
    grep: 'serviceAccounts.pod-account',
    fails: ['serviceAccounts.pod-account-alias'],
    reply: podSpec((spec) => without(spec, 'serviceAccount')),
  },
];
