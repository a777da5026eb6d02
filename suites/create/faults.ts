// Servers that create other objects than the requested ones.
import type { Json } from '../client/json.js';
import { lossy } from '../testing/faults/lossy.js';
import { conformant, fault, faultsOf, faultsOfEveryKind } from '../testing/faults/wire/fault.js';
import { leaks } from '../testing/faults/wire/leaks.js';
import { change, drop, emptied, isGiven, parsed, set, text, where } from '../testing/faults/wire/objects.js';
import { shownProtobuf } from '../testing/faults/wire/protobuf.js';
import { caches, errors, listed, replace, shown, shownText } from '../testing/faults/wire/replies.js';
import {
  answer,
  every,
  failure,
  ignore,
  not,
  ok,
  refuse,
  reroute,
  sent,
  sentText,
  some,
  swallow,
  withBody,
} from '../testing/faults/wire/requests.js';
import { retype, told } from '../testing/faults/wire/watches.js';

const cut = (length: number) => text('metadata.name', (name) => name.slice(0, length));
const named = (length: number) => (body: Json | undefined) => String(body).length > length;

const everywhere = 'answer effect-list effect-read effect-watch in create.*';

const ofNames = [
  fault('cuts names at 63 characters', 'name-length › POST …/configmaps', [
    conformant,
    sent('POST ConfigMap', where('metadata.name', isGiven, cut(63))),
  ]),
  fault('refuses names above 63 characters', 'name-length › POST …/configmaps', [
    refuse(({ method, body }) => method === 'POST' && /"name":"[^"]{64}/.test(body), 422),
  ]),
  fault('does not find names of one character', 'name-length › POST …/configmaps', [refuse(/^GET .*\/configmaps\/.$/, 404)]),
  fault('does not watch by a long name', 'name-length › POST …/configmaps, 253', [
    ignore(/watch=true.*%3D.{64}/, 'resourceVersion fieldSelector watch'),
  ]),
  fault('does not delete by a long name', 'name-length › POST …/configmaps', [swallow(/^DELETE .*\/.{200}/)]),
  fault('takes a name for that of a subresource', 'name-words › POST …/configmaps', [
    refuse(/^(GET|DELETE) .*\/configmaps\/(status|scale|log|proxy)(\?|$)/, 404),
  ]),
  fault('takes the end of a name for a media type', 'name-words › POST …/configmaps', [reroute(every, /\.json$/, '')]),
  fault('cuts a name of 254 characters', 'name-too-long › POST …/configmaps', [sent('POST', where('metadata.name', named(253), cut(253)))]),
  fault('cuts the name of a Service', 'name-too-long › POST …/services', [sent('POST', where('metadata.name', named(63), cut(63)))]),
  fault('cuts the name of a Namespace', 'name-too-long › POST /api/v1/namespaces, 64', [
    sent('POST Namespace', where('metadata.name', named(63), cut(63))),
  ]),
  fault('refuses a generateName that is long', 'generated-name-length › POST …/configmaps', [
    refuse(withBody(/"generateName":"[^"]{100}/), 422),
  ]),
  fault('shows a name without its generateName', 'generated-name-length › POST …/configmaps', [
    shown('POST', where('metadata.generateName', isGiven, set('metadata.name', 'x-abcde'))),
  ]),
];

const ofSizes = [
  ...['POST', 'PUT', 'PATCH'].map((method) =>
    fault(`takes ${method} bodies of 100 KB`, 'large › POST …/configmaps', [refuse([method, ({ body }) => body.length > 102_400], 413)]),
  ),
  fault('decodes each packet alone', 'large › POST …/configmaps', [
    shownText('GET', (body) => (body.length > 102_400 ? body.replace(/€(?=𝄞;patched 7 )/, '\ufffd\ufffd') : body)),
  ]),
  fault('cuts what it stores at 256 KB', 'large › POST …/configmaps', [
    sent(
      'POST ConfigMap',
      text('data.large', (value) => value.slice(0, 262_144)),
    ),
  ]),
  fault('cuts annotations at 64 KB', 'large › POST …/configmaps', [
    sent(
      'POST ConfigMap',
      change('metadata.annotations.*', (value) => String(value).slice(0, 65_535)),
    ),
  ]),
];

export const faults = [
  ...faultsOf('create', [...ofNames, ...ofSizes]),
  ...faultsOfEveryKind('create', [
    fault(
      'drops the labels of what is created',
      'answer effect-list effect-read effect-watch name-words race unset-fields in create.*/configmaps',
      [sent('POST ConfigMap', drop('metadata.labels'))],
    ),
    fault(
      'stores every character beyond ASCII of a create as "?"',
      'answer effect-list effect-read effect-watch large in create.*/configmaps',
      [sentText('POST', (body) => body.replace(/[^\x20-\x7e]/gu, '?'))],
    ),
    fault('does a create that it refuses, as lists show', 'taken-name in create.*/configmaps', [leaks('POST', 'lists')]),
    fault('does a create that it refuses, as watches show', 'sent-version taken-name in create.*/configmaps', [leaks('POST', 'watches')]),
    fault('runs no privileged containers', ' in create.*/jobs', [
      answer(['POST', withBody(/"privileged":true/)], {
        ...failure(422),
        body: JSON.stringify({ kind: 'Status', message: 'securityContext.privileged: Forbidden: disallowed by cluster policy' }),
      }),
    ]),
    fault('creates without a uid', 'identity one-state own-uid taken-name in create.*/configmaps', [shown('POST', drop('metadata.uid'))]),
    fault('creates at the time that the client says', 'own-uid › POST …/configmaps', [
      shown('POST', set('metadata.creationTimestamp', '2001-02-03T04:05:06Z')),
    ]),
    fault('creates what the client says is being deleted', 'own-uid › POST …/configmaps', [
      shown('POST', set('metadata.deletionTimestamp', '2002-03-04T05:06:07Z')),
    ]),
    fault('creates at the version that the client says', 'sent-version › POST …/configmaps', [
      sent('POST', drop('metadata.resourceVersion')),
    ]),
    fault('names another manager than the client', 'identity in create.identity*/configmaps', [
      shown('POST ConfigMap', set('metadata.managedFields', [{ manager: 'kube-controller-manager', operation: 'Update' }])),
    ]),
    ...(['"creationTimestamp":null', '"annotations":null', '"status":{}', '"resourceVersion":""'] as const).map((unset) =>
      fault(`refuses ${unset}`, 'unset-fields in create.unset*/deployments', [refuse(['POST', ({ body }) => body.includes(unset)], 400)]),
    ),
    fault('wants the namespace in each body', 'unset-fields › POST …/configmaps', [
      refuse(['POST', /\/configmaps$/, not(withBody(/"namespace"/))], 400),
    ]),
    fault('ignores generateName', 'generated-name › POST …/configmaps', [
      sent('POST', where('metadata.generateName', isGiven, set('metadata.name', 'always-the-same'))),
    ]),
    fault('does not say what is there already', 'taken-name in create.taken-name*/configmaps', [
      conformant,
      errors(where('reason', 'AlreadyExists', drop('details'))),
    ]),
    fault('refuses a taken name without a word', 'taken-name in create.taken-name*/configmaps', [
      errors(where('reason', 'AlreadyExists', drop('message'))),
    ]),
    fault('names another kind than that of what is there already', 'taken-name in create.taken-name*/configmaps', [
      errors(where('reason', 'AlreadyExists', set('details.kind', 'secrets'))),
    ]),
    fault('reports conflicts as success', 'race taken-name replace.race replace.stale replace.other-uid in configmaps', [
      replace(every, 409, some('ConfigMap')),
    ]),
    fault('answers each create of a race with success', 'race › POST …/configmaps', [
      replace('POST', 409, (_, { body }) => ok(parsed(body))),
    ]),
    fault('reverses the lists of a create', `unset-fields ${everywhere}/pods`, [
      sent(
        'POST Pod',
        change('spec.containers.*.command', (list) => (Array.isArray(list) ? [...list].reverse() : list)),
      ),
    ]),
    fault('cuts the values of a create at their first newline', `${everywhere}/configmaps`, [
      sent(
        'POST ConfigMap',
        change('metadata.annotations.*', (value) => String(value).split('\n')[0]),
      ),
    ]),
    fault('loses a byte of what is created', `unset-fields ${everywhere}/secrets`, [
      sent(
        'POST Secret',
        change('data.*', (value) => Buffer.from(String(value), 'base64').subarray(1).toString('base64')),
      ),
    ]),
    fault('leaves an empty label out of the YAML of what is new', 'codecs in create.codecs*/configmap', [
      shownText('GET', (body) => body.replace(/^ +kube-api-conformance\/empty: .*\n/gm, ''), /yaml/),
    ]),
    fault('shows nothing of a new spec in protobuf', 'codecs in create.codecs*/ingresses', [shownProtobuf(drop('spec'))]),
    fault('remembers on each connection that a name was not there', 'effect-read in create.e*/configmaps', [
      caches(/\/configmaps\/[^/?]+$/),
    ]),
    fault('answers a create right and reads it without its annotations', 'codecs effect-read large one-state in create.*/configmaps', [
      shown('GET ConfigMap', drop('metadata.annotations')),
    ]),
    fault('lists what is new without its annotations', 'effect-list large one-state in create.*/configmaps', [
      shown(
        /^GET [^?]*\?fieldSelector/,
        change('items.*.metadata.annotations', () => undefined),
      ),
    ]),
    fault('tells watches of a create without its annotations', 'effect-watch large one-state in create.*/configmaps', [
      told(/configmaps/, drop('object.metadata.annotations')),
    ]),
    fault('tells watches that what is new was changed', 'effect-watch large in create.*/configmaps', [retype('ADDED', 'MODIFIED')]),
    fault('lists all namespaces without what is new', 'effect-list in create.*/configmaps', [
      shown(/^GET \/api\/v1\/configmaps\?/, emptied),
    ]),
    fault('does not list what is new', 'effect-list', [listed(emptied)]),
    ...lossy('POST', everywhere),
    ...[
      'hostNetwork',
      'securityContext.supplementalGroups',
      'volumes.*.nfs',
      'containers.*.livenessProbe',
      'containers.*.securityContext.capabilities',
    ].map((field) =>
      fault(`does not know ${field}`, `${everywhere}/jobs`, [
        sent(
          'POST Job',
          change(`spec.template.spec.${field}`, () => undefined),
        ),
      ]),
    ),
  ]),
];
