// Servers that replace objects wrongly.
import { isObject, type Json } from '../client/json.js';
import { lossy } from '../testing/faults/lossy.js';
import { type Broken, fault, faultsOfEveryKind, type WireRequest } from '../testing/faults/wire/fault.js';
import { leaks } from '../testing/faults/wire/leaks.js';
import { change, drop, isGiven, memory, parsed, set, valueAt, where } from '../testing/faults/wire/objects.js';
import { shownProtobuf } from '../testing/faults/wire/protobuf.js';
import { caches, errors, shown, shownText } from '../testing/faults/wire/replies.js';
import { answer, failure, instead, ok, refuse, sent, sentText, withBody } from '../testing/faults/wire/requests.js';
import { leaveOut, told } from '../testing/faults/wire/watches.js';

const everywhere = 'answer effect-list effect-read effect-watch in replace.*';
const label = 'metadata.labels.kube-api-conformance/changed';
const ofItems = change(`items.*.${label}`, () => undefined);
const one = /^GET .*\/namespaces\/.*fieldSelector/;
const list = (to: (items: readonly Json[]) => Json) => (value: Json | undefined) => (Array.isArray(value) ? to(value) : value);

const inCodecs = (kind: string): string => `codecs in replace.codecs*/${kind}`;
const yaml = (from: RegExp, to: string) => shownText('GET', (body) => body.replace(from, to), /yaml/);

const owners = memory('metadata.ownerReferences');

/** Servers that keep a whole member that a replace leaves out. */
const keepers = [
  fault('keeps the labels of before where a replace has none', 'effect-read in replace.*/configmaps', [
    sent('PUT ConfigMap', where('metadata.labels', undefined, set(label, 'replaced'))),
  ]),
  fault('keeps the annotations of before where a replace has none', 'effect-read in replace.*/configmaps', [
    sent('PUT ConfigMap', where('metadata.annotations', undefined, set('metadata.annotations.kube-api-conformance/word', 'True'))),
  ]),
  // Only the kinds of the interface get owners, and lose their data.
  fault('keeps the owners of before where a replace has none', 'effect-read in replace.*/configmap', [
    sent('PUT ConfigMap', where('metadata.ownerReferences', isGiven, owners.note)),
    sent('PUT ConfigMap', where('metadata.ownerReferences', undefined, owners.put)),
  ]),
  fault('keeps the data of before where a replace has none', 'effect-read in replace.*/configmap', [
    sent('PUT ConfigMap', where('data', undefined, set('data.colour', 'green'))),
  ]),
];

/** Servers that keep one field that a replace leaves out, as if they merged it. */
const mergers = [
  ['Endpoints', 'endpoints', 'subsets'],
  ['Event', 'events', 'source'],
  ['HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'spec.minReplicas'],
  ['Ingress', 'ingresses', 'spec.rules'],
  ['Ingress', 'ingresses', 'spec.tls'],
  ['Service', 'services', 'spec.sessionAffinity'],
  ['ThirdPartyResource', 'thirdpartyresources', 'description'],
].map(([kind = '', plural = '', field = '']) => {
  const old = memory(field);
  return fault(`keeps ${field} of ${plural} that a replace leaves out`, `effect-read in replace.*/${plural}`, [
    sent(`PUT ${kind}`, where(field, isGiven, old.note)),
    sent(`PUT ${kind}`, where(field, undefined, old.put)),
  ]);
});

/** Servers that keep one field whatever a replace says of it. */
const keepersOfFields = [
  ['Event', 'events', 'lastTimestamp'],
  ['HorizontalPodAutoscaler', 'horizontalpodautoscalers', 'spec.scaleTargetRef.name'],
  ['NetworkPolicy', 'networkpolicies', 'spec.podSelector'],
  ['PersistentVolume', 'persistentvolumes', 'spec.persistentVolumeReclaimPolicy'],
  ['ReplicaSet', 'replicasets', 'spec.replicas'],
].map(([kind = '', plural = '', field = '']) => {
  const old = memory(field);
  return fault(`keeps ${field} of ${plural} in a replace`, `${everywhere}/${plural}`, [
    shown(`POST ${kind}`, old.note),
    sent(`PUT ${kind}`, where(field, isGiven, old.put)),
  ]);
});

const refusedNames = new Set<string>();
/** Finds an object after it refused to replace it for its absence. */
const createsAbsent: Broken = {
  reply: (reply, { method, path, body }) => {
    if (method === 'PUT' && reply.status === 404) refusedNames.add(path);
    return method === 'GET' && reply.status === 404 && refusedNames.has(path) ? ok({ ...parsed(body), metadata: {} }) : reply;
  },
};

/** Compares the version of a replace with the one that the path had last: only an older one is stale. */
function takesNewer(): Broken {
  const current = new Map<string, number>();
  const versionIn = (body: string): number => Number(valueAt(parsed(body), 'metadata.resourceVersion'));
  const isNewer = ({ path, body }: WireRequest): boolean => versionIn(body) > (current.get(path) ?? Number.POSITIVE_INFINITY);
  const taken = sent(['PUT', isNewer], drop('metadata.resourceVersion'));
  return {
    ...taken,
    reply: (reply, { path }) => {
      if (reply.status < 300) current.set(path, versionIn(reply.body));
      return reply;
    },
  };
}

/** Servers whose media types show different objects. */
const codecFaults = [
  fault('leaves an empty annotation out of YAML', inCodecs('configmap'), [yaml(/^ +kube-api-conformance\/empty: .*\n/gm, '')]),
  fault('shows as YAML what was there before a replace', inCodecs('services'), [yaml(/(conformance\/changed: )"?replaced"?/g, '$1before')]),
  fault('leaves the digits of a version unquoted in YAML', inCodecs('secret'), [yaml(/(resourceVersion: )["'](\d+)["']/g, '$1$2')]),
  fault('leaves zeros out of YAML', inCodecs('replicasets'), [yaml(/^ +replicas: 0\n/gm, '')]),
  fault('leaves the owners out of YAML', inCodecs('configmap'), [yaml(/^ +ownerReferences:\n(?: +- .*\n(?: {6}.*\n)*| {4}.*\n)*/gm, '')]),
  fault('leaves a field out of protobuf', inCodecs('deployments'), [shownProtobuf(drop('spec.minReadySeconds'))]),
  fault('shows as protobuf what was there before a replace', inCodecs('ingresses'), [shownProtobuf(set(label, 'before'))]),
  fault('reverses lists in protobuf', inCodecs('daemonsets'), [
    shownProtobuf(
      change(
        'spec.template.spec.containers',
        list((containers) => [...containers].reverse()),
      ),
    ),
  ]),
  fault('cuts int64 to int32 in protobuf', inCodecs('replicasets'), [
    shownProtobuf(change('spec.template.spec.terminationGracePeriodSeconds', (value) => Number(value) % 2 ** 31)),
  ]),
];

export const faults = faultsOfEveryKind('replace', [
  fault('does not say with what a replace is in conflict', 'stale in replace.stale*/configmaps', [
    errors(where('reason', 'Conflict', drop('details'))),
  ]),
  fault('overwrites with a stale resourceVersion', 'race stale in replace.*/configmaps', [sent('PUT', drop('metadata.resourceVersion'))]),
  fault(
    'refuses every replace',
    'absent answer codecs effect-list effect-read effect-watch identity name-mismatch no-change race stale unconditional in replace.*/configmaps',
    [answer('PUT', failure(409, 'Conflict'))],
  ),
  fault('takes a version that is newer than the current one for it', 'stale in replace.*/configmaps', [takesNewer()]),
  fault('refuses everybody in a race', 'race in replace.*/configmaps', [
    answer(['PUT', withBody(/conformance\/racer"/)], failure(409, 'Conflict')),
  ]),
  fault('lets each replace of a race win', 'race in replace.*/configmaps', [
    sent(['PUT', withBody(/conformance\/racer"/)], drop('metadata.resourceVersion')),
  ]),
  fault(
    'reports a replace and does not do it',
    `responses.body-carried responses.media-type responses.request-understood create.large errors.not-acceptable errors.refused-changes-nothing
     errors.unauthenticated errors.unauthenticated-status errors.unsupported-media-type list.same-name absent effect-list
     effect-read identity name-mismatch one-state other-uid race stale unconditional in /configmaps`,
    [instead(['PUT', withBody(/^\{/)], ({ body }) => ok(parsed(body)))],
  ),
  fault('keeps the old data in a replace', `${everywhere}/configmaps`, [
    sent('PUT ConfigMap', set('data', { colour: 'green', 'file.txt': 'two\nlines\n' })),
  ]),
  fault('keeps the old spec in a replace', `${everywhere}/services`, [sent('PUT Service', set('spec.selector', { app: 'conformance' }))]),
  fault('merges the annotations of a replace into the old ones', `${everywhere}/secrets`, [
    sent('PUT Secret', set('metadata.annotations.kube-api-conformance/left-out', 'yes')),
  ]),
  ...['resourceVersion', 'uid', 'namespace'].map((field) =>
    fault(`wants the ${field} in a replace`, 'unconditional in replace.un*/configmaps', [
      refuse(['PUT', ({ body }) => valueAt(parsed(body), `metadata.${field}`) === undefined], 422),
    ]),
  ),
  fault('takes no null for a time', 'unconditional in replace.un*/configmaps', [refuse(['PUT', withBody(/Timestamp":null/)], 400)]),
  fault('creates an object anew that is replaced without its uid', 'identity in replace.identity*/configmaps', [
    shown('GET ConfigMap', where('metadata.labels.kube-api-conformance/changed', 'plain', set('metadata.uid', 'another'))),
  ]),
  fault('takes any namespace in a replace for that of the path', 'name-mismatch in replace.n*/configmaps', [
    sent('PUT', where('metadata.namespace', 'some-other-namespace', drop('metadata.namespace'))),
  ]),
  fault('makes a new version in a replace that changes nothing', 'no-change in replace.no-*/configmaps', [
    shown(
      'PUT ConfigMap',
      change('metadata.resourceVersion', (version) => `${version}0`),
    ),
  ]),
  ...keepers,
  ...mergers,
  ...keepersOfFields,
  fault('stores every character beyond ASCII of a replace as "?"', `${everywhere}/configmaps`, [
    sentText('PUT', (body) => body.replace(/[^\x20-\x7e]/gu, '?')),
  ]),
  fault('adds a label of its own in a replace', `${everywhere}/configmaps`, [sent('PUT ConfigMap', set('metadata.labels.added', 'yes'))]),
  fault('trims the values of a replace', `${everywhere}/configmaps`, [
    sent(
      'PUT ConfigMap',
      change('metadata.annotations.*', (value) => String(value).trim()),
    ),
  ]),
  fault('normalises the text of a replace', `${everywhere}/secrets`, [sentText('PUT', (body) => body.normalize('NFC'))]),
  fault('keeps a member that a replace leaves out of a map', `${everywhere}/resourcequotas`, [
    sent('PUT ResourceQuota', set('spec.hard.requests\\.nvidia\\.com/gpu', '100k')),
  ]),
  fault('reverses the lists of a replace', `no-change ${everywhere}/services`, [
    sent(
      'PUT Service',
      change(
        'spec.ports',
        list((ports) => [...ports].reverse()),
      ),
    ),
  ]),
  fault('drops the quantities of zero of a replace', `${everywhere}/resourcequotas`, [
    sent(
      'PUT ResourceQuota',
      change('spec.hard.*', (value) => (value === '0' ? undefined : value)),
    ),
  ]),
  fault('takes an empty rule of a replace for none', `${everywhere}/networkpolicies`, [
    sent(
      'PUT NetworkPolicy',
      change('spec.ingress.*', (rule) => (isObject(rule) && Object.keys(rule).length === 0 ? undefined : rule)),
    ),
  ]),
  fault('keeps the length of a list in a replace', `${everywhere}/deployments`, [
    sent(
      'PUT Deployment',
      change(
        'spec.template.spec.containers',
        list((containers) => containers.slice(0, 1)),
      ),
    ),
  ]),
  fault('drops the empty strings of a replace', `${everywhere}/replicasets`, [
    sent(
      'PUT ReplicaSet',
      change(
        'spec.template.spec.containers.*.args',
        list((args) => args.filter((one) => one !== '')),
      ),
    ),
  ]),
  fault('answers reads from a cache of each connection', 'effect-read identity unconditional in replace.*/configmaps', [
    caches(/\/configmaps\/[^/?]+$/),
  ]),
  fault(
    'stores a replace and reads what was there before',
    'codecs effect-read name-mismatch no-change one-state other-uid stale unconditional in replace.*/configmaps',
    [shown('GET ConfigMap', drop(label))],
  ),
  fault('lists a namespace as it was before a replace', 'effect-list name-mismatch one-state other-uid stale in replace.*/configmaps', [
    shown(one, ofItems),
  ]),
  fault('lists all namespaces as they were before a replace', 'effect-list one-state in replace.*/configmaps', [
    shown(/^GET \/api\/v1\/configmaps\?/, ofItems),
  ]),
  fault('tells watches what was there before a replace', 'effect-watch one-state in replace.*/configmaps', [
    told(/configmaps/, drop(`object.${label}`)),
  ]),
  fault('tells watches nothing of a replace', 'effect-watch in replace.*/configmaps', [leaveOut(/configmaps/, 'MODIFIED')]),
  fault('shows another generation in lists', 'name-mismatch one-state other-uid stale in replace.*/configmaps', [
    shown(
      one,
      change('items.*.metadata.generation', () => 77),
    ),
  ]),
  fault('answers a replace with what was there before', 'answer one-state in replace.*/configmaps', [
    shown('PUT', drop('metadata.labels')),
  ]),
  ...(['lists', 'watches'] as const).map((into) =>
    fault(`does a replace that it refuses, as ${into} show`, 'name-mismatch other-uid stale in replace.*/configmaps', [
      leaks(/^PUT .*\/configmaps\//, into),
    ]),
  ),
  fault('replaces the object that the body names, and refuses it', 'name-mismatch in replace.*/services', [leaks('PUT', 'reads')]),
  fault('creates what is absent by a replace, and refuses it', 'absent in replace.*/secrets', [createsAbsent]),
  ...codecFaults,
  ...lossy('PUT', everywhere),
]);
