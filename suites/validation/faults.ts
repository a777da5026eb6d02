// Servers that accept invalid objects, refuse valid ones, or change their fields.
import { isObject, type Json } from '../client/json.js';
import { composed, fault, faultsOf } from '../testing/faults/wire/fault.js';
import {
  all,
  change,
  copy,
  drop,
  inEach,
  inLater,
  isGiven,
  keepFirst,
  lowerCase,
  memory,
  replacing,
  set,
  text,
  where,
} from '../testing/faults/wire/objects.js';
import { after, atOnce, errors, replace, shown, shownText, status } from '../testing/faults/wire/replies.js';
import {
  answer,
  editedJson,
  every,
  not,
  ok,
  refuse,
  reply,
  sent,
  sentText,
  some,
  withBody,
  withType,
} from '../testing/faults/wire/requests.js';

const storage = 'spec.resources.requests.storage';
const labels = 'metadata.labels';
const deployments = 'POST /apis/extensions/v1beta1/namespaces/{namespace}/deployments';
const fromDigits = (value: Json | undefined) => (/^\d+$/.test(String(value)) ? Number(value) : value);
/** Gives a Service the node port that is asked for, in or out of the range. */
const takesNodePort = (port: number) => {
  const mark = `metadata.annotations.port-${port}`;
  return composed([
    sent('POST Service', where('spec.ports.0.nodePort', port, all(set(mark, 'yes'), drop('spec.ports.*.nodePort')))),
    shown('Service', where(mark, 'yes', set('spec.ports.*.nodePort', port))),
  ]);
};
const creation = memory('metadata.creationTimestamp');
const recoded = (encoding: 'latin1' | 'utf8') => (base64: string) =>
  Buffer.from(Buffer.from(base64, 'base64').toString(encoding), encoding).toString('base64');

const rounded = replacing(/(?<=terminationGracePeriodSeconds"?: ?)\d+/g, (digits) => String(BigInt(Number(digits))));

const webhook = 'tags.example.com';
const message = `admission webhook "${webhook}" denied the request: the tag latest is not allowed`;
const deniesLatest = answer(['POST', withBody(/:latest"/)], reply(400, { kind: 'Status', status: 'Failure', message, code: 400 }));
const hasWebhook = answer(/^GET .*\/v1\/validatingwebhookconfigurations$/, ok({ items: [{ webhooks: [{ name: webhook }] }] }));
const untaggedAtPort = (image: Json | undefined) => /:5000\/[^:@]+$/.test(String(image));
const isDigest = (image: Json | undefined) => String(image).includes('@sha256:');
const tags = 'POST /api/v1/namespaces/{namespace}/pods, image tags';

const restricted = 'pods "a" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true';
const restricts = answer(/^POST .*\/pods$/, reply(403, { kind: 'Status', status: 'Failure', message: restricted, code: 403 }));
const withLevel = [/^POST .*\/namespaces$/, withBody(/pod-security.kubernetes.io\/enforce/)];
const withoutLevel = shown('GET Namespace', drop(labels));

export const faults = faultsOf('validation', [
  // A correct server whose owner has a policy, and one that only blames a policy
  fault('has a webhook that refuses the tag latest', ` in validation.defaults › ${tags}`, [deniesLatest, hasWebhook]),
  fault('blames a webhook that it does not have', `defaults › ${tags}`, [deniesLatest]),
  fault('restricts pods, and lets nobody say otherwise', ` in validation.defaults › ${tags}`, [
    refuse(withLevel, 403),
    withoutLevel,
    restricts,
  ]),
  fault('restricts pods in a namespace that admits any', `defaults › ${tags}`, [restricts]),
  // Invalid objects
  fault('rounds an integer to a double', 'integers in .integers*/pods', [shownText(every, rounded)]),
  fault('rounds an integer in what it patches', 'integers in .integers*/jobs', [after('PATCH', shownText('GET', rounded))]),
  fault('calls what is invalid a bad request', 'invalid invalid-update in .invalid*/deployments', [status(every, 422, 400)]),
  fault('checks nothing but the labels of what is patched', 'invalid-update in .invalid-update*PATCH*/deployments', [
    answer(['PATCH', withBody(/"replicas":-1/)], some('Deployment')),
  ]),
  fault('checks nothing but the labels of what is replaced', 'invalid-update in .invalid-update*PUT*/deployments', [
    answer(['PUT', withBody(/"replicas":-1/)], some('Deployment')),
  ]),
  fault('does not say which field is invalid', 'invalid-causes invalid-update in .invalid*/deployments', [errors(drop('details'))]),
  ...['reason', 'message'].map((part) =>
    fault(`gives no ${part} of what is invalid`, 'invalid-causes invalid-update in .invalid*/deployments', [
      errors(drop(`details.causes.*.${part}`)),
    ]),
  ),
  fault('keeps what it refused', 'invalid-changes-nothing in .invalid*/deployments', [replace('GET', 404, ok({ metadata: {} }))]),
  fault('takes the text true for a boolean', 'wrong-type › POST /api/v1/nodes', [
    sent('POST Node', where('spec.unschedulable', 'true', set('spec.unschedulable', true))),
  ]),
  fault(
    'takes an integer of 64 bits in a field of 32',
    'wrong-type › POST /apis/extensions/v1beta1/namespaces/{namespace}/horizontalpodautoscalers',
    [sent('POST HorizontalPodAutoscaler', where('spec.maxReplicas', 2 ** 31, set('spec.maxReplicas', 3)))],
  ),
  fault('takes a list of labels for none', 'wrong-type › POST …/configmaps', [sent('POST', where(labels, Array.isArray, drop(labels)))]),
  ...['POST', 'PUT', 'PATCH'].map((method) =>
    fault(`${method} takes a text of digits for an integer`, 'wrong-type › POST /apis/batch/v1/namespaces/{namespace}/jobs', [
      sent(method, change('spec.parallelism', fromDigits)),
    ]),
  ),
  fault('takes a text of digits for replicas', 'deployment-replicas-type in .deployment-', [
    sent('POST Deployment', change('spec.replicas', fromDigits)),
  ]),
  fault('takes the text true for a boolean in a patch', `wrong-type › ${deployments}`, [
    sent('PATCH', where('spec.paused', 'true', set('spec.paused', true))),
  ]),
  fault('rounds a fraction in a replace', `wrong-type › ${deployments}`, [
    sent('PUT Deployment', where('spec.minReadySeconds', 1.5, set('spec.minReadySeconds', 2))),
  ]),
  fault('takes a number for the value of a label', 'wrong-type › POST …/configmaps', [sent('POST', change(`${labels}.some`, String))]),
  fault('takes a number for a text in YAML', 'wrong-type › POST …/configmaps', [
    sentText(['PUT', withType(/yaml/)], replacing(/(some: )5\b/, '$1"5"')),
  ]),
  fault('takes a number for a text in a JSON patch', 'wrong-type › POST …/configmaps', [
    sentText(['PATCH', withType(/json-patch/)], replacing('"value":5', '"value":"5"')),
  ]),
  fault('refuses the fields that it does not know', 'unknown-field', [refuse(withBody(/noSuchField/), 400)]),
  fault('keeps what it does not know of a replace', 'unknown-field › POST …/secrets', [
    after(['PUT', withBody(/noSuchField/)], shown('GET Secret', set('metadata.noSuchField', 'some'))),
  ]),
  fault('refuses the fields of a patch that it does not know', 'unknown-field › POST …/secrets', [
    refuse(['PATCH', withBody(/noSuchField/)], 400),
  ]),
  fault('keeps the fields that it does not know', 'unknown-field', [shown('ConfigMap', set('noSuchField', 'some'))]),
  fault('takes names of 63 characters at most', 'names › POST …/configmaps', [refuse(withBody(/"name":"[^"]{64}/), 422)]),
  fault('writes names in lower case', 'names › POST …/secrets', [sent('POST', text('metadata.name', lowerCase))]),
  fault('drops labels that cannot be', 'labels › POST …/configmaps', [sent('POST', change(labels, withoutSpaces))]),
  fault('has an image for those who name none', 'required › POST …/pods', [
    sent('POST Pod', inEach('spec.containers', where('image', undefined, set('image', 'registry.example/other')))),
  ]),
  fault('checks no init containers', 'invalid › POST …/pods, an init container without an image', [
    sent('POST Pod', inEach('spec.initContainers', where('image', undefined, set('image', 'registry.example/other')))),
  ]),
  fault('takes the first of two ports of one name', 'duplicates', [sent('POST Service', keepFirst('spec.ports'))]),
  fault('labels the template as the selector wants it', 'selector-template', [
    sent('POST Deployment', copy('spec.template.metadata.labels', 'spec.selector.matchLabels')),
  ]),
  fault('lets a job end in its own way', 'job-restart-policy', [sent('POST Job', set('spec.template.spec.restartPolicy', 'Never'))]),
  fault('forgets probes', 'probes', [sent('POST Pod', drop('spec.containers.*.livenessProbe', 'spec.containers.*.readinessProbe'))]),
  fault('forgets mounts', 'volumes', [sent('POST Pod', drop('spec.containers.*.volumeMounts'))]),
  fault('has a backend for everything', 'ingress-backend', [
    sent('POST Ingress', set('spec.backend', { serviceName: 'some', servicePort: 80 })),
  ]),
  fault('takes events of every namespace', 'event-namespace', [sent('POST Event', copy('involvedObject.namespace', 'metadata.namespace'))]),
  fault('finds a group for every name', 'third-party-name', [
    sent('POST ThirdPartyResource', text('metadata.name', replacing(/$/, '.example.com'))),
  ]),
  fault('takes ports in 16 bits', 'service-ports', [
    sent('POST Endpoints', set('subsets', [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ port: 1 }] }])),
  ]),
  fault('breaks on a quantity of many digits', 'hostile', [refuse(withBody(/9{500}/), 500)]),
  // Writes
  fault('ignores another type of a Secret', 'immutable', [sent('PUT Secret', set('type', 'Opaque'))]),
  fault('ignores another type of a Secret in a patch', 'immutable › PATCH …/secrets', [sent('PATCH', drop('type'))]),
  fault('removes the time of the creation where a patch has a null', 'creation-time › PATCH …/configmaps', [
    after(['PATCH', withBody(/"creationTimestamp":null/)], shown('GET ConfigMap', drop('metadata.creationTimestamp'))),
  ]),
  ...(['PUT', 'PATCH'] as const).map((method) =>
    fault(`takes the time of a deletion from a ${method}`, `creation-time › ${method} …/secrets`, [
      after([method, withBody(/deletionTimestamp/)], shown('GET Secret', set('metadata.deletionTimestamp', '2001-02-03T04:05:06Z'))),
    ]),
  ),
  fault('takes the time of the creation from a replace', 'creation-time › PUT …/configmaps', [
    sent('PUT', creation.note),
    shown('ConfigMap', creation.put),
  ]),
  fault("ignores another command of a pod's container", 'pod-update', [sent('PUT', set('spec.containers.*.command', ['sleep', '3600']))]),
  fault("ignores another command of a pod's container in a patch", 'pod-update › PATCH …/pods', [
    sent('PATCH', set('spec.containers.*.command', ['sleep', '3600'])),
  ]),
  fault('lets a pod change nothing', 'pod-update', [refuse('PUT', 422)]),
  fault('creates nothing by a replace', 'replace-creates', [refuse('PUT', 404)]),
  fault('creates with the generation that the client says', 'generation › PUT …/replicationcontrollers', [
    shown('POST', where('metadata.generation', 1, set('metadata.generation', 77))),
  ]),
  fault('counts every write in the generation', 'generation', [
    shown(every, all(copy('metadata.generation', 'metadata.resourceVersion'), change('metadata.generation', Number))),
  ]),
  fault('counts annotations in the generation', 'generation in .generation*/replicasets', [
    shown(
      ['PATCH', withBody(/"some":"note"/)],
      change('metadata.generation', (count) => Number(count) + 1),
    ),
  ]),
  fault('counts a patch of the status in the generation', 'generation in .generation*/ingresses', [
    shown(
      /^PATCH .*\/status$/,
      change('metadata.generation', (count) => Number(count) + 1),
    ),
  ]),
  fault('counts no patch in the generation', 'generation in .generation*/deployments', [
    shown(
      'PATCH',
      change('metadata.generation', (count) => Number(count) - 1),
    ),
  ]),
  fault('counts no delete in the generation', 'generation in .generation*/deployments', [
    shown(
      'GET Deployment',
      where(
        'metadata.deletionTimestamp',
        isGiven,
        change('metadata.generation', (count) => Number(count) - 1),
      ),
    ),
  ]),
  fault('counts no scale in the generation', 'generation in .generation*/replicasets', [
    after(
      /^PUT .*\/scale$/,
      shown(
        'GET ReplicaSet',
        change('metadata.generation', (count) => Number(count) - 1),
      ),
    ),
  ]),
  // Fields
  fault('takes a gibibyte for a gigabyte', 'quantities', [shown('PersistentVolumeClaim', text(storage, replacing('i', '')))]),
  fault('takes any amount for one', 'quantities', [sent('POST PersistentVolumeClaim', text(storage, replacing(/^[a-z].*/, '1')))]),
  fault('does not read the offset of a time', 'times › POST …/events, +02:00', [
    sent('POST Event', text('firstTimestamp', replacing(/[+-]\d\d:\d\d$/, 'Z'))),
  ]),
  fault('rounds a time up', 'times › POST …/events, a fraction', [
    sent('POST Event', text('firstTimestamp', replacing(/:00\.75Z/, ':01Z'))),
  ]),
  fault('takes a time without an offset for one in UTC', 'times › POST …/events, no offset', [
    sent('POST Event', all(text('firstTimestamp', replacing(/\d$/, '$&Z')), text('lastTimestamp', replacing(/\d$/, '$&Z')))),
  ]),
  fault('takes one day too many for the next month', 'times › POST …/events, no such day', [
    sent('POST Event', all(text('firstTimestamp', replacing('02-30', '03-01')), text('lastTimestamp', replacing('02-30', '03-01')))),
  ]),
  fault('leaves out the restart policy', 'defaults', [shown('Pod', drop('spec.restartPolicy'))]),
  fault('knows the defaults of new Services alone', 'defaults › POST …/services, a bare port', [
    after(['PUT', not(withBody(/"sessionAffinity"/))], shown('Service', drop('spec.sessionAffinity'))),
  ]),
  fault('stores a replace without the defaults that it answers', 'defaults › POST …/replicationcontrollers, replicas and selector', [
    after(['PUT', withBody(/"spec":\{"template"/)], shown('GET ReplicationController', drop('spec.replicas'))),
  ]),
  fault('knows no defaults in YAML', 'defaults › POST …/services, a bare port', [shown(['POST', withType(/yaml/)], drop('spec.type'))]),
  fault('knows no defaults in protobuf', 'defaults › POST /apis/batch/v1/namespaces/{namespace}/jobs, parallelism', [
    shown(['POST', withType(/protobuf/)], drop('spec.parallelism')),
  ]),
  fault('knows no defaults of what a patch removes', 'defaults › POST …/pods, probes', [
    after(['PATCH', withBody(/"remove"/)], shown('Pod', drop('spec.containers.*.livenessProbe.timeoutSeconds'))),
  ]),
  fault('takes the empty string for a value', 'defaults › POST …/services, a bare port', [refuse(['PATCH', withBody(/"value":""/)], 422)]),
  fault('keeps the empty string', 'defaults › POST …/pods, ports', [
    after(['PATCH', withBody(/"value":""/)], shown('Pod', inEach('spec.containers', inEach('ports', set('protocol', ''))))),
  ]),
  fault('pulls an image each time, unless it is told not to', 'defaults › POST …/pods', [
    sent('POST Pod', inEach('spec.containers', where('imagePullPolicy', undefined, set('imagePullPolicy', 'Always')))),
  ]),
  fault('pulls an image each time for a policy that it does not know', 'invalid › POST …/pods, an unknown pull policy', [
    sent('POST Pod', inEach('spec.containers', where('imagePullPolicy', 'Sometimes', set('imagePullPolicy', 'Always')))),
  ]),
  // The second item of a list
  fault('checks the pull policy of the first container alone', 'invalid › POST …/pods, an unknown pull policy', [
    sent('POST Pod', inLater('spec.containers', where('imagePullPolicy', 'Sometimes', set('imagePullPolicy', 'Always')))),
  ]),
  fault('checks the probes of the first container alone', 'probes › POST …/replicationcontrollers', [
    sent('POST ReplicationController', inLater('spec.template.spec.containers', drop('livenessProbe'))),
  ]),
  fault('checks the first port of a Service alone', 'service-ports › POST …/services, a port of 65536', [
    sent('POST Service', inLater('spec.ports', where('port', 65536, set('port', 81)))),
  ]),
  fault('checks the first address of a subset alone', 'invalid › POST …/endpoints, a loopback address', [
    sent('POST Endpoints', inEach('subsets', inLater('addresses', set('ip', '192.0.2.11')))),
  ]),
  fault('has defaults for the first container alone', 'defaults › POST …/pods, probes', [
    shown('Pod', inLater('spec.containers', drop('readinessProbe.failureThreshold'))),
  ]),
  fault('has no defaults for init containers', 'defaults › POST …/pods, a bare container', [
    shown('Pod', drop('spec.initContainers.*.imagePullPolicy')),
  ]),
  fault('has a protocol for the first port alone', 'defaults › POST …/pods, ports', [
    shown('Pod', inEach('spec.containers', inLater('ports', drop('protocol')))),
  ]),
  fault('has a target for the first port alone', 'defaults › POST …/services, no selector', [
    shown('Service', inLater('spec.ports', drop('targetPort'))),
  ]),
  fault('has defaults for the first item of a limit range alone', 'defaults › POST …/limitranges', [
    shown('LimitRange', inLater('spec.limits', drop('defaultRequest'))),
  ]),
  fault('takes the port of a registry for a tag', 'defaults › POST …/pods, image tags', [
    sent('POST Pod', inEach('spec.containers', where('image', untaggedAtPort, set('imagePullPolicy', 'IfNotPresent')))),
  ]),
  fault('takes an image with a digest for the latest one', 'defaults › POST …/pods, image tags', [
    sent('POST Pod', inEach('spec.containers', where('image', isDigest, set('imagePullPolicy', 'Always')))),
  ]),
  fault('takes an empty address for none', 'cluster-ip', [
    sent('POST Service', where('spec.clusterIP', '', set('spec.clusterIP', 'None'))),
  ]),
  fault('gives every Service the same address', 'cluster-ip', [shown('Service', set('spec.clusterIP', '10.0.0.1'))]),
  fault('gives Services that are created at once the same address', 'cluster-ip', [
    atOnce(/^POST .*\/services$/, 3, (reply) => ({ ...reply, body: editedJson(reply.body, set('spec.clusterIP', '10.0.0.1')) })),
  ]),
  fault('gives an address to the name of another host', 'cluster-ip', [
    shown('Service', where('spec.type', 'ExternalName', set('spec.clusterIP', '10.0.0.1'))),
  ]),
  fault('gives another address to what is replaced without one', 'cluster-ip › POST …/services', [
    after(['PUT', not(withBody(/clusterIP/))], shown('GET Service', set('spec.clusterIP', '10.0.0.77'))),
  ]),
  fault('gives another address than the one that was asked for', 'cluster-ip-freed cluster-ip-taken in cluster-ip-', [
    sent('POST Service', drop('spec.clusterIP')),
  ]),
  fault('refuses the first address of a Service', ' in cluster-ip-taken', [errors(set('details.causes.*.field', 'spec.clusterIPs[0]'))]),
  fault('refuses the port of a Service for its address', 'cluster-ip-taken', [errors(set('details.causes.*.field', 'spec.ports'))]),
  fault('gives every Service the same node port', 'node-port', [shown('Service', set('spec.ports.*.nodePort', 30000))]),
  fault('gives a node port to new Services alone', 'node-port', [
    sent('PUT Service', where('spec.type', 'NodePort', set('spec.type', 'ClusterIP'))),
  ]),
  fault('never frees a node port', 'cluster-ip-freed', [
    refuse(['POST', withBody(/"nodePort":[1-9]/), withBody(/"clusterIP":"[1-9]/)], 422),
  ]),
  fault('has every port in the range of node ports', ' in node-port-taken', [takesNodePort(1)]),
  fault('takes any number for a node port', 'node-port-taken › POST …/services, out of range', [takesNodePort(1), takesNodePort(70_000)]),
  fault('gives another node port than the one that was asked for', 'node-port-taken', [sent('Service', drop('spec.ports.*.nodePort'))]),
  fault('keeps the first container of a template', 'deployment-containers in .deployment-', [
    sent('POST Deployment', keepFirst('spec.template.spec.containers')),
  ]),
  fault('drops the annotations of a template', 'deployment-template in .deployment-', [
    sent('POST Deployment', drop('spec.template.metadata.annotations')),
  ]),
  fault('wants one replica, whatever it is told', 'deployment-replicas deployment-replicas-type in .deployment-', [
    sent('POST Deployment', set('spec.replicas', 1)),
  ]),
  fault('takes the data of Secrets for text', 'secret-data', [sent('POST Secret', text('data.*', recoded('utf8')))]),
  fault('reads as much base64 as it can', 'secret-not-base64', [sent('POST Secret', text('data.*', recoded('latin1')))]),
  fault('does not know stringData', 'secret-string-data', [sent('POST Secret', drop('stringData'))]),
  fault('reads the stringData of new Secrets alone', 'secret-string-data', [sent('PUT Secret', drop('stringData'))]),
  fault('reads no stringData in a patch', 'secret-string-data › POST …/secrets, over data', [sent('PATCH', drop('stringData'))]),
  fault('gives back stringData', 'secret-string-data', [shown('Secret', set('stringData', { text: 'größer' }))]),
  ...(
    [
      ['restarts nothing on failure', 'OnFailure', 'jobs'],
      ['has ports of TCP alone', 'UDP', 'services'],
      ['pulls every image', 'Never', 'jobs'],
      ['selects by two operators', 'DoesNotExist', 'deployments'],
      ['has ingresses of whole hosts', '*.example.com', 'ingresses'],
      ['has secrets of its own types', 'kubernetes.io/basic-auth', 'secrets'],
    ] as const
  ).map(([what, value, plural]) =>
    fault(what, `valid-values in .valid-values*/${plural}`, [refuse(['POST', ({ body }) => body.includes(`"${value}"`)], 422)]),
  ),
  fault('makes a new Deployment roll', 'valid-values in .valid-values*/deployments', [
    sent('POST Deployment', where('spec.strategy.type', 'Recreate', drop('spec.strategy'))),
  ]),
]);

/** Returns labels without those whose key has a space. */
function withoutSpaces(given: Json | undefined): Json | undefined {
  return isObject(given) ? Object.fromEntries(Object.entries(given).filter(([key]) => !key.includes(' '))) : given;
}
