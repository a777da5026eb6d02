// Ingresses and NetworkPolicies: backends, rules and peers.
import { isIP } from 'node:net';
import type { Causes } from '../../schema/causes.js';
import { dns1035Label, dns1123Subdomain } from '../../schema/formats.js';
import { part } from '../../schema/object.js';
import type { LabelSelector } from '../../selectors/labels.js';
import type { Strategy } from '../strategy.js';
import { validateSelector } from './labelSelector.js';
import { validatePort } from './probes.js';

interface Backend {
  readonly serviceName?: string;
  readonly servicePort?: number | string;
}

interface IngressSpec {
  readonly backend?: Backend;
  readonly rules?: readonly {
    readonly host?: string;
    readonly http?: { readonly paths?: readonly { readonly path?: string; readonly backend?: Backend }[] };
  }[];
}

export const ingresses: Strategy = {
  generation: true,
  initialStatus: () => ({ loadBalancer: {} }),
  validate(ingress, causes) {
    const { backend, rules = [] } = part<IngressSpec>(ingress, 'spec');
    if (backend) validateBackend('spec.backend', backend, causes);
    else if (rules.length === 0) causes.invalid('spec', undefined, 'either `backend` or `rules` must be specified');
    rules.forEach(({ host, http }, index) => {
      const field = `spec.rules[${index}]`;
      if (host) validateHost(`${field}.host`, host, causes);
      if (http?.paths?.length === 0) causes.required(`${field}.http.paths`);
      http?.paths?.forEach(({ path, backend: target = {} }, at) => {
        const pathField = `${field}.http.paths[${at}]`;
        if (path && !path.startsWith('/')) causes.invalid(`${pathField}.path`, path, 'must be an absolute path');
        validateBackend(`${pathField}.backend`, target, causes);
      });
    });
  },
};

function validateHost(field: string, host: string, causes: Causes): void {
  if (isIP(host) !== 0) causes.invalid(field, host, 'must be a DNS name, not an IP address');
  else causes.format(field, host.replace(/^\*\./, ''), dns1123Subdomain);
}

function validateBackend(field: string, { serviceName, servicePort }: Backend, causes: Causes): void {
  causes.named(`${field}.serviceName`, serviceName, dns1035Label);
  validatePort(`${field}.servicePort`, servicePort, causes);
}

interface PolicySpec {
  readonly podSelector?: LabelSelector;
  readonly ingress?: readonly {
    readonly ports?: readonly { readonly protocol?: string; readonly port?: number | string }[];
    readonly from?: readonly { readonly podSelector?: LabelSelector; readonly namespaceSelector?: LabelSelector }[];
  }[];
}

const protocols = ['TCP', 'UDP', 'SCTP'];

export const networkPolicies: Strategy = {
  generation: true,
  defaults(object) {
    // The default selects every pod of the namespace.
    const { podSelector, ...spec } = part<PolicySpec>(object, 'spec');
    object.spec = { podSelector: podSelector ?? {}, ...spec };
  },
  validate(policy, causes) {
    const { podSelector = {}, ingress = [] } = part<PolicySpec>(policy, 'spec');
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
        validatePeer(`${field}.from[${at}]`, peer, causes);
      });
    });
  },
};

function validatePeer(
  field: string,
  peer: { readonly podSelector?: LabelSelector; readonly namespaceSelector?: LabelSelector },
  causes: Causes,
): void {
  const { podSelector, namespaceSelector } = peer;
  if (podSelector) validateSelector(`${field}.podSelector`, podSelector, causes);
  if (namespaceSelector) validateSelector(`${field}.namespaceSelector`, namespaceSelector, causes);
  if (!podSelector && !namespaceSelector) causes.required(field, 'must specify a peer');
  if (podSelector && namespaceSelector) causes.forbidden(field, 'may not specify more than 1 peer');
}
