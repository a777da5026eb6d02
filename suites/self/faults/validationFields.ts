// Servers that change, forget or give away what an object holds.
import { at, type Json, type JsonObject, merge } from '../../support/json.js';
import { bodyOf, type Change, containers, each, inSpec, list, mending, part, showing, template } from './mending.js';
import { answering, asking, type Fault, failure, metadata, without } from './parts.js';

const values = (data: Json | undefined, change: (value: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(part(data)).map(([key, value]) => [key, change(String(value))]));
const data =
  (change: (value: string) => string): Change =>
  (body) => ({ ...body, data: values(body.data, change) });
const fromBase64 = (text: string, encoding: 'latin1' | 'utf8'): string =>
  Buffer.from(Buffer.from(text, 'base64').toString(encoding), encoding).toString('base64');
const storage = (change: (amount: string) => string): Change =>
  inSpec((spec) =>
    merge(spec, { resources: { requests: { storage: change(String(at(spec, 'resources', 'requests', 'storage'))) } } }),
  );

export const validationFieldFaults: readonly Fault[] = [
  {
    name: 'ignores another type of a Secret',
    grep: 'validation.immutable',
    fails: ['validation.immutable'],
    request: asking('PUT', (body) => (body.kind === 'Secret' ? { ...body, type: 'Opaque' } : body)),
  },
  takesCreationTimes(),
  {
    name: 'breaks on a quantity of many digits',
    grep: 'validation.hostile',
    fails: ['validation.hostile'],
    request: (passing) => (passing.body.includes('9'.repeat(500)) ? failure(500, 'InternalError') : passing),
  },
  {
    name: "ignores another command of a pod's container",
    grep: 'validation.pod-update',
    fails: ['validation.pod-update'],
    request: asking(
      'PUT',
      containers((container) => ({ ...container, command: ['sleep', '3600'] })),
    ),
  },
  {
    name: 'lets a pod change nothing',
    grep: 'validation.pod-update',
    fails: ['validation.pod-update'],
    request: (passing) => (passing.method === 'PUT' ? failure(422, 'Invalid') : passing),
  },
  {
    name: 'takes a gibibyte for a gigabyte',
    grep: 'validation.quantities',
    fails: ['validation.quantities'],
    reply: showing(
      'PersistentVolumeClaim',
      storage((amount) => amount.replace('i', '')),
    ),
  },
  {
    name: 'takes any amount for one',
    grep: 'validation.quantities',
    fails: ['validation.quantities'],
    request: mending(
      'PersistentVolumeClaim',
      storage((amount) => (/^[a-z]/.test(amount) ? '1' : amount)),
    ),
  },
  {
    name: 'leaves out the restart policy',
    grep: 'validation.defaults',
    fails: ['validation.defaults'],
    reply: showing(
      'Pod',
      inSpec((spec) => without(spec, 'restartPolicy')),
    ),
  },
  {
    name: 'counts every write in the generation',
    grep: 'validation.generation',
    fails: ['validation.generation'],
    reply: answering((body) => merge(body, { metadata: { generation: Number(metadata(body).resourceVersion) } })),
  },
  {
    name: 'creates nothing by a replace',
    grep: 'validation.replace-creates',
    fails: ['validation.replace-creates'],
    request: (passing) => (passing.method === 'PUT' ? failure(404, 'NotFound') : passing),
  },
  {
    name: 'gives every Service the same address',
    grep: 'validation.cluster-ip › ',
    fails: ['validation.cluster-ip'],
    reply: showing(
      'Service',
      inSpec((spec) => ({ ...spec, clusterIP: '10.0.0.1' })),
    ),
  },
  {
    name: 'gives another address than the one that was asked for',
    grep: 'validation.cluster-ip-',
    fails: ['validation.cluster-ip-freed', 'validation.cluster-ip-taken'],
    request: mending(
      'Service',
      inSpec((spec) => without(spec, 'clusterIP')),
    ),
  },
  {
    name: 'gives every Service the same node port',
    grep: 'validation.node-port › ',
    fails: ['validation.node-port'],
    reply: showing(
      'Service',
      inSpec((spec) => ({ ...spec, ports: each(spec.ports, (port) => ({ ...port, nodePort: 30000 })) })),
    ),
  },
  {
    name: 'gives another node port than the one that was asked for',
    grep: 'validation.node-port-taken',
    fails: ['validation.node-port-taken'],
    request: mending(
      'Service',
      inSpec((spec) => ({ ...spec, ports: each(spec.ports, (port) => without(port, 'nodePort')) })),
    ),
  },
  {
    name: 'keeps the first container of a template',
    grep: 'validation.deployment-',
    fails: ['validation.deployment-containers'],
    request: mending(
      'Deployment',
      template((given) => merge(given, { spec: { containers: list(at(given, 'spec', 'containers')).slice(0, 1) } })),
    ),
  },
  {
    name: 'drops the annotations of a template',
    grep: 'validation.deployment-',
    fails: ['validation.deployment-template'],
    request: mending(
      'Deployment',
      template((given) => ({ ...given, metadata: without(part(given.metadata), 'annotations') })),
    ),
  },
  {
    name: 'wants one replica, whatever it is told',
    grep: 'validation.deployment-',
    fails: ['validation.deployment-replicas', 'validation.deployment-replicas-type'],
    request: mending(
      'Deployment',
      inSpec((spec) => ({ ...spec, replicas: 1 })),
    ),
  },
  {
    name: 'takes the data of Secrets for text',
    grep: 'validation.secret-data',
    fails: ['validation.secret-data'],
    request: mending(
      'Secret',
      data((value) => fromBase64(value, 'utf8')),
    ),
  },
  {
    name: 'reads as much base64 as it can',
    grep: 'validation.secret-not-base64',
    fails: ['validation.secret-not-base64'],
    request: mending(
      'Secret',
      data((value) => fromBase64(value, 'latin1')),
    ),
  },
  {
    name: 'does not know stringData',
    grep: 'validation.secret-string-data',
    fails: ['validation.secret-string-data'],
    request: mending('Secret', (body) => without(body, 'stringData')),
  },
  {
    name: 'gives back stringData',
    grep: 'validation.secret-string-data',
    fails: ['validation.secret-string-data'],
    reply: showing('Secret', (body) => ({ ...body, stringData: { text: 'größer' } })),
  },
];

/** An object that was replaced shows the time that the replace named. */
function takesCreationTimes(): Fault {
  let named: Json | undefined;
  return {
    name: 'takes the time of the creation from a replace',
    grep: 'validation.creation-time › PUT /api/v1/namespaces/{namespace}/configmaps',
    fails: ['validation.creation-time'],
    request: (passing) => {
      if (passing.method === 'PUT') named = metadata(bodyOf(passing)).creationTimestamp;
      return passing;
    },
    reply: showing('ConfigMap', (body) =>
      named === undefined ? body : merge(body, { metadata: { creationTimestamp: named } }),
    ),
  };
}
