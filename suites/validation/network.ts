// Invalid addresses, ports, rules and scales: Services, Endpoints, Ingresses, NetworkPolicies, autoscalers.
import type { JsonObject } from '../client/json.js';
import type { Invalid, InvalidBodies } from './invalid.js';

const spec = (over: JsonObject, field: string): Invalid => ({ over: { spec: over }, field: `spec.${field}` });
const ports = (field: string, ...given: readonly JsonObject[]): Invalid => spec({ ports: given }, `ports${field}`);

const first = { name: 'first', port: 8080 };
const secondPort = (field: string, given: JsonObject): Invalid =>
  ports(`[1].${field}`, first, { name: 'second', ...given });

export const services: InvalidBodies<'core/services'> = {
  'no ports': ports(''),
  'a port of zero': secondPort('port', { port: 0 }),
  'a port of 65536': secondPort('port', { port: 65536 }),
  'a target port of 65536': secondPort('targetPort', { port: 80, targetPort: 65536 }),
  'a target port without letters': secondPort('targetPort', { port: 80, targetPort: '8080' }),
  'two ports without names': ports('[1].name', { port: 80 }, { port: 81 }),
  'two ports of one name': ports('[1].name', { name: 'http', port: 80 }, { name: 'http', port: 81 }),
  'one port twice': ports('[1]', { name: 'http', port: 80 }, { name: 'also', port: 80 }),
  'an unknown protocol': secondPort('protocol', { port: 80, protocol: 'ICMP' }),
  'an unknown type': spec({ type: 'Sometimes' }, 'type'),
  'an unknown affinity': spec({ sessionAffinity: 'Sometimes' }, 'sessionAffinity'),
  'a selector with a space': spec({ selector: { app: 'a b' } }, 'selector'),
  'a cluster IP that is none': {
    over: { spec: { clusterIP: 'ten' } },
    field: ['spec.clusterIP', 'spec.clusterIPs[0]'],
  },
  'an external IP that is none': spec({ externalIPs: ['192.0.2.10', 'ten'] }, 'externalIPs[1]'),
  'a node port without the type': secondPort('nodePort', { port: 80, nodePort: 30080 }),
  'a headless load balancer': {
    over: { spec: { clusterIP: 'None', type: 'LoadBalancer' } },
    field: ['spec.clusterIP', 'spec.clusterIPs[0]'],
  },
  'an external name that is none': spec({ type: 'ExternalName', externalName: 'not a name' }, 'externalName'),
};

const subset = (over: JsonObject, field: string): Invalid => ({
  over: { subsets: [{ addresses: [{ ip: '192.0.2.10' }], ports: [{ port: 80 }], ...over }] },
  field: `subsets[0]${field}`,
});
const address = (ip: string): Invalid => subset({ addresses: [{ ip: '192.0.2.10' }, { ip }] }, '.addresses[1].ip');

export const endpoints: InvalidBodies<'core/endpoints'> = {
  'a loopback address': address('127.0.0.1'),
  'a link-local address': address('169.254.1.1'),
  'no address at all': address('0.0.0.0'),
  'an address that is none': address('ten'),
  'a subset without addresses': subset({ addresses: [] }, ''),
  'two ports without names': subset({ ports: [{ port: 80 }, { port: 81 }] }, '.ports[1].name'),
  'a port of zero': subset({ ports: [first, { name: 'second', port: 0 }] }, '.ports[1].port'),
  'a port of 65536': subset({ ports: [first, { name: 'second', port: 65536 }] }, '.ports[1].port'),
  'an unknown protocol': subset(
    { ports: [first, { name: 'second', port: 80, protocol: 'ICMP' }] },
    '.ports[1].protocol',
  ),
  'a port name with a space': subset({ ports: [first, { port: 80, name: 'a b' }] }, '.ports[1].name'),
};

const backend = { serviceName: 'some-service', servicePort: 80 };
const paths = (...given: readonly JsonObject[]): JsonObject => ({ rules: [{ http: { paths: given } }] });

export const ingresses: InvalidBodies<'extensions/ingresses'> = {
  'neither backend nor rules': { over: { spec: { rules: [] } }, field: 'spec' },
  'a backend without a service': spec({ backend: { servicePort: 80 } }, 'backend.serviceName'),
  'a backend of port zero': {
    over: { spec: { backend: { ...backend, servicePort: 0 } } },
    field: ['spec.backend.servicePort', 'spec.backend'],
  },
  'a backend with a name in upper case': spec({ backend: { ...backend, serviceName: 'Some' } }, 'backend.serviceName'),
  'a path without a service': {
    over: { spec: paths({ path: '/', backend: { servicePort: 80 } }) },
    // The older server does not say which path has the error.
    field: ['spec.rules[0].http.paths[0].backend.serviceName', 'spec.rules[0].http.backend.serviceName'],
  },
  'a rule without paths': spec(paths(), 'rules[0].http.paths'),
  'a path that is relative': spec(paths({ path: 'some', backend }), 'rules[0].http.paths[0].path'),
  'an address as the host': spec({ rules: [{ host: '192.0.2.1' }] }, 'rules[0].host'),
  'a host in upper case': spec({ rules: [{ host: 'Host.example.com' }] }, 'rules[0].host'),
};

const like = { matchExpressions: [{ key: 'app', operator: 'Like', values: ['some'] }] };
const from = (peer: JsonObject, field: string): Invalid =>
  spec({ ingress: [{ from: [peer] }] }, `ingress[0].from[0]${field}`);
const allowed = (port: JsonObject, field: string): Invalid =>
  spec({ ingress: [{ ports: [port] }] }, `ingress[0].ports[0].${field}`);

export const networkPolicies: InvalidBodies<'extensions/networkpolicies'> = {
  'an unknown operator in the selector': spec({ podSelector: like }, 'podSelector.matchExpressions[0].operator'),
  'a selector without values': spec(
    { podSelector: { matchExpressions: [{ key: 'app', operator: 'In' }] } },
    'podSelector.matchExpressions[0].values',
  ),
  'an unknown protocol': allowed({ port: 80, protocol: 'ICMP' }, 'protocol'),
  'a port of 65536': allowed({ port: 65536 }, 'port'),
  'an empty peer': from({}, ''),
  'a peer with an unknown operator': from({ podSelector: like }, '.podSelector.matchExpressions[0].operator'),
};

const upper: Invalid = spec({ minReplicas: undefined, maxReplicas: undefined }, 'maxReplicas');
const bounds = {
  'no upper bound': upper,
  'an upper bound of zero': spec({ minReplicas: undefined, maxReplicas: 0 }, 'maxReplicas'),
  'bounds that cross': spec({ minReplicas: 3, maxReplicas: 2 }, 'maxReplicas'),
  'a lower bound of zero': spec({ minReplicas: 0 }, 'minReplicas'),
};

export const autoscalers: InvalidBodies<'autoscaling/horizontalpodautoscalers'> = {
  ...bounds,
  'a target without a name': spec({ scaleTargetRef: { name: '' } }, 'scaleTargetRef.name'),
  'a target without a kind': spec({ scaleTargetRef: { kind: '' } }, 'scaleTargetRef.kind'),
  'a negative share of CPU': {
    over: { spec: { targetCPUUtilizationPercentage: -1 } },
    // A later server stores the percentage as a metric.
    field: ['spec.targetCPUUtilizationPercentage', 'spec.metrics[0].resource.target.averageUtilization'],
  },
};

/** A field of the extensions version, by its own name or by its names in the versions that servers store. */
const either = (over: JsonObject, own: string, ...stored: readonly string[]): Invalid => ({
  over: { spec: over },
  field: [own, ...stored].map((name) => `spec.${name}`),
});

export const extensionsAutoscalers: InvalidBodies<'extensions/horizontalpodautoscalers'> = {
  ...bounds,
  'a target without a name': either({ scaleRef: { name: '' } }, 'scaleRef.name', 'scaleTargetRef.name'),
  'a target without a kind': either({ scaleRef: { kind: '' } }, 'scaleRef.kind', 'scaleTargetRef.kind'),
  'a negative share of CPU': either(
    { cpuUtilization: { targetPercentage: -1 } },
    'cpuUtilization.targetPercentage',
    'targetCPUUtilizationPercentage',
    'metrics[0].resource.target.averageUtilization',
  ),
};

export const thirdPartyResources: InvalidBodies<'extensions/thirdpartyresources'> = {
  'a name without a group': { over: {}, field: 'metadata.name', name: (name) => name.split('.')[0] ?? '' },
  'a name with half a group': { over: {}, field: 'metadata.name', name: (name) => `${name.split('.')[0]}.example` },
  'a version without a name': { over: { versions: [{ name: '' }] }, field: 'versions[0].name' },
  'a version in upper case': { over: { versions: [{ name: 'V1' }] }, field: 'versions[0].name' },
  'two versions of one name': { over: { versions: [{ name: 'v1' }, { name: 'v1' }] }, field: 'versions[1].name' },
};
