// Invalid pods: the error of each, and the field that the causes must name.
import type { JsonObject } from '../client/json.js';
import type { Invalid, InvalidBodies } from './invalid.js';

const main = { name: 'main', image: 'registry.example/conformance:1' };
const first = { ...main, name: 'first' };
const handler = { exec: { command: ['true'] } };
const container = 'spec.containers[1]';

const spec = (over: JsonObject, field: string): Invalid => ({ over: { spec: over }, field: `spec.${field}` });
/** Returns a second container with additional fields; `field` is relative to the container. */
const more = (over: JsonObject, field: string | readonly string[]): Invalid => ({
  over: { spec: { containers: [first, { ...main, ...over }] } },
  field: typeof field === 'string' ? `${container}.${field}` : field.map((name) => `${container}.${name}`),
});
const ports = (...given: readonly JsonObject[]): JsonObject => ({ ports: [{ containerPort: 8080 }, ...given] });
const variable = (given: JsonObject): JsonObject => ({ env: [{ name: 'FIRST', value: 'some' }, given] });
const volumes = (...given: readonly JsonObject[]): JsonObject => ({
  volumes: [{ name: 'first', emptyDir: {} }, ...given],
});
const mounts = (field: string, ...volumeMounts: readonly JsonObject[]): Invalid => ({
  over: { spec: { containers: [first, { ...main, volumeMounts }], volumes: [{ name: 'some', emptyDir: {} }] } },
  field: `${container}.volumeMounts${field}`,
});
const fieldRef = { fieldPath: 'metadata.name' };

export const pods: InvalidBodies<'core/pods'> = {
  'no containers': spec({ containers: [] }, 'containers'),
  'a container without a name': spec({ containers: [{ image: main.image }] }, 'containers[0].name'),
  'a container without an image': spec({ containers: [{ name: main.name }] }, 'containers[0].image'),
  'a container name in upper case': more({ name: 'Main' }, 'name'),
  'an init container without an image': {
    ...spec({ initContainers: [{ name: 'first' }] }, 'initContainers[0].image'),
    younger: ['spec', 'initContainers'],
  },
  'two containers of one name': spec({ containers: [main, main] }, 'containers[1].name'),
  'an unknown restart policy': spec({ restartPolicy: 'Sometimes' }, 'restartPolicy'),
  'an unknown DNS policy': spec({ dnsPolicy: 'Whatever' }, 'dnsPolicy'),
  'an unknown pull policy': more({ imagePullPolicy: 'Sometimes' }, 'imagePullPolicy'),
  'a deadline of zero': spec({ activeDeadlineSeconds: 0 }, 'activeDeadlineSeconds'),
  'a node selector with a space': spec({ nodeSelector: { zone: 'a b' } }, 'nodeSelector'),
  'a host name in upper case': spec({ hostname: 'Host' }, 'hostname'),
  'a container port of zero': more(ports({ containerPort: 0 }), 'ports[1].containerPort'),
  'a container port of 65536': more(ports({ containerPort: 65536 }), 'ports[1].containerPort'),
  'two ports of one name': more(
    ports({ name: 'http', containerPort: 80 }, { name: 'http', containerPort: 81 }),
    'ports[2].name',
  ),
  'an unknown protocol': more(ports({ containerPort: 80, protocol: 'ICMP' }), 'ports[1].protocol'),
  'a port name of 16 characters': more(ports({ containerPort: 80, name: 'sixteen-letters-' }), 'ports[1].name'),
  'a variable without a name': more(variable({ value: 'some' }), 'env[1].name'),
  'a variable with a value and a source': more(
    variable({ name: 'SOME', value: 'some', valueFrom: { fieldRef } }),
    'env[1].valueFrom',
  ),
  'a variable with two sources': more(
    variable({ name: 'SOME', valueFrom: { fieldRef, secretKeyRef: { name: 'some', key: 'some' } } }),
    'env[1].valueFrom',
  ),
  'a request above the limit': more(
    { resources: { limits: { cpu: '1' }, requests: { cpu: '1100m' } } },
    'resources.requests',
  ),
  'a negative limit': more({ resources: { limits: { cpu: '-1' } } }, 'resources.limits[cpu]'),
  'a probe without a handler': more({ livenessProbe: { periodSeconds: 5 } }, 'livenessProbe'),
  'a probe with two handlers': more({ readinessProbe: { ...handler, httpGet: { port: 80 } } }, [
    'readinessProbe.httpGet',
    'readinessProbe.exec',
  ]),
  'a probe of port zero': more({ livenessProbe: { tcpSocket: { port: 0 } } }, 'livenessProbe.tcpSocket.port'),
  'a probe of a negative delay': more(
    { livenessProbe: { ...handler, initialDelaySeconds: -1 } },
    'livenessProbe.initialDelaySeconds',
  ),
  'a probe without a command': more({ readinessProbe: { exec: { command: [] } } }, 'readinessProbe.exec.command'),
  'a liveness probe of two successes': more(
    { livenessProbe: { ...handler, successThreshold: 2 } },
    'livenessProbe.successThreshold',
  ),
  'a hook with two handlers': more({ lifecycle: { preStop: { ...handler, httpGet: { port: 80 } } } }, [
    'lifecycle.preStop.httpGet',
    'lifecycle.preStop.exec',
  ]),
  'a volume without a name': spec(volumes({ emptyDir: {} }), 'volumes[1].name'),
  'a volume with two sources': {
    over: { spec: volumes({ name: 'some', emptyDir: {}, hostPath: { path: '/srv' } }) },
    field: ['spec.volumes[1].hostPath', 'spec.volumes[1].emptyDir'],
  },
  'a volume without its path': spec(volumes({ name: 'some', hostPath: {} }), 'volumes[1].hostPath.path'),
  'two volumes of one name': spec(
    volumes({ name: 'some', emptyDir: {} }, { name: 'some', emptyDir: {} }),
    'volumes[2].name',
  ),
  'a mount of an absent volume': mounts('[0].name', { name: 'other', mountPath: '/other' }),
  'a mount without a path': mounts('[0].mountPath', { name: 'some' }),
  'two mounts of one path': mounts(
    '[1].mountPath',
    { name: 'some', mountPath: '/srv' },
    { name: 'some', mountPath: '/srv' },
  ),
  'a secret volume without a secret': spec(volumes({ name: 'some', secret: {} }), 'volumes[1].secret.secretName'),
};
