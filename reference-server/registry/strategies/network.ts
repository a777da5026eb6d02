// Ingresses and NetworkPolicies: backends, rules and peers.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1035Label, dns1123Subdomain, hostPattern, pathSegment } from '../../schema/formats.js';
import { part } from '../../schema/object.js';
import type { Strategy } from '../strategy.js';
import { validateSelector } from './labelSelector.js';
import { validatePort } from './probes.js';

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];

/** The names of fields in extensions/v1beta1 and in networking.k8s.io/v1. */
const earlier = { default: 'backend', service: 'serviceName', port: 'servicePort' };
const later = { default: 'defaultBackend', service: 'service.name', port: 'service.port' };

export const ingresses: Strategy = {
  generation: true,
  initialStatus: () => ({ loadBalancer: {} }),
  validate(ingress, causes, view) {
    const isLater = view.modern === true;
    const names = isLater ? later : earlier;
    const { backend, rules = [] } = part<ObjectOf<'extensions.v1beta1.IngressSpec'>>(ingress, 'spec');
    if (backend) validateBackend(`spec.${names.default}`, backend, names, causes);
    else if (rules.length === 0) {
      causes.invalid('spec', undefined, `either \`${names.default}\` or \`rules\` must be specified`);
    }
    rules.forEach(({ host, http }, index) => {
      const field = `spec.rules[${index}]`;
      if (host) validateHost(`${field}.host`, host, causes);
      if (http?.paths?.length === 0) causes.required(`${field}.http.paths`);
      http?.paths?.forEach(({ path, pathType, backend: target = {} }, at) => {
        const pathField = `${field}.http.paths[${at}]`;
        const hasType = pathType ? pathTypes.includes(pathType) : !isLater;
        if (hasType && path && !path.startsWith('/'))
          causes.invalid(`${pathField}.path`, path, 'must be an absolute path');
        causes.oneOf(`${pathField}.pathType`, pathType || undefined, pathTypes);
        validateBackend(`${pathField}.backend`, target, names, causes);
      });
    });
  },
};

function validateHost(field: string, host: string, causes: Causes): void {
  if (isIP(host) !== 0) causes.invalid(field, host, 'must be a DNS name, not an IP address');
  causes.format(field, host, hostPattern);
}

function validateBackend(
  field: string,
  backend: ObjectOf<'extensions.v1beta1.IngressBackend'>,
  names: typeof earlier,
  causes: Causes,
): void {
  const { serviceName, servicePort, resource } = backend;
  if (resource !== undefined && !serviceName && !servicePort) {
    causes.format(`${field}.resource.apiGroup`, resource.apiGroup ?? undefined, dns1123Subdomain);
    causes.named(`${field}.resource.kind`, resource.kind, pathSegment);
    causes.named(`${field}.resource.name`, resource.name, pathSegment);
    return;
  }
  // The later version is checked as it is given, for it says more of services.
  if (names === later) return;
  causes.named(`${field}.${names.service}`, serviceName, dns1035Label);
  validatePort(`${field}.${names.port}`, servicePort, causes);
}

const protocols = ['TCP', 'UDP', 'SCTP'];

export const networkPolicies: Strategy = {
  generation: true,
  defaults(object) {
    // The default selects every pod of the namespace.
    const { podSelector, ...spec } = part<ObjectOf<'extensions.v1beta1.NetworkPolicySpec'>>(object, 'spec');
    object.spec = { podSelector: podSelector ?? {}, ...spec };
  },
  validate(policy, causes, view) {
    const { podSelector = {}, ingress = [] } = part<ObjectOf<'extensions.v1beta1.NetworkPolicySpec'>>(policy, 'spec');
    validateSelector('spec.podSelector', podSelector, causes);
    ingress.forEach(({ ports = [], from = [] }, index) => {
      const field = `spec.ingress[${index}]`;
      ports.forEach(({ protocol = 'TCP', port }, at) => {
        // Most ports of a long list are alike: a name for each field would hold up other requests.
        if (port === undefined && protocols.includes(protocol)) return;
        causes.oneOf(`${field}.ports[${at}].protocol`, protocol, protocols);
        if (port !== undefined) validatePort(`${field}.ports[${at}].port`, port, causes);
      });
      from.forEach((peer, at) => {
        validatePeer(`${field}.from[${at}]`, peer, causes, view.modern === true);
      });
    });
  },
};

function validatePeer(
  field: string,
  peer: ObjectOf<'extensions.v1beta1.NetworkPolicyPeer'>,
  causes: Causes,
  maySelectBoth: boolean,
): void {
  const { podSelector, namespaceSelector, ipBlock } = peer;
  if (podSelector) validateSelector(`${field}.podSelector`, podSelector, causes);
  if (namespaceSelector) validateSelector(`${field}.namespaceSelector`, namespaceSelector, causes);
  if (ipBlock && !ipBlock.cidr) causes.required(`${field}.ipBlock.cidr`);
  const selects = podSelector !== undefined || namespaceSelector !== undefined;
  if (!selects && !ipBlock) causes.required(field, 'must specify a peer');
  const hasTwo = podSelector !== undefined && namespaceSelector !== undefined && !maySelectBoth;
  if (hasTwo || (selects && ipBlock)) {
    const why = maySelectBoth ? 'may not specify both ipBlock and another peer' : 'may not specify more than 1 peer';
    causes.forbidden(field, why);
  }
}
