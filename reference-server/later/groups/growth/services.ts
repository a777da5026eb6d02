// Services of present servers: several addresses, and fields that go when the type of the service changes.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { type AddressRules, badAddress, servicesBy } from '../../../registry/strategies/services.js';
import type { Strategy } from '../../../registry/strategy.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Label, qualifiedName } from '../../../schema/formats.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../../schema/object.js';
import type { Grow } from './grow.js';
import { familyOf, isForAll, validateAddresses, validateFamilies } from './serviceFamilies.js';

type Spec = { -readonly [Field in keyof ObjectOf<'ServiceSpec'>]: ObjectOf<'ServiceSpec'>[Field] };

const specOf = (service: KubeObject | DecodedObject): Spec => part<Spec>(service, 'spec');

/** Since this version, Services have several addresses. */
const sinceAddresses = 20;
/** Since this version, Services have families of addresses. */
const sinceFamilies = 21;
/** Since this version, a load balancer says which one it is, and whether it has ports of nodes. */
const sinceBalancers = 22;
/** Since this version, a load balancer alone has the addresses of one. */
const sinceOwnStatus = 29;
/** Since this version, a replace creates a Service that is absent. */
const sinceReplaces = 23;
/** Since this version, the name of a Service may begin with a digit. */
const sinceDigits = 36;
const first = 'spec.clusterIPs[0]';

const addresses: AddressRules = {
  field: 'spec.clusterIPs',
  isLeftOut: ({ clusterIP, clusterIPs = [] }) => !clusterIP && clusterIPs.length === 0,
  validate({ clusterIP = '', type = '' }, causes) {
    if (clusterIP !== '' && type === 'ExternalName')
      causes.forbidden('spec.clusterIPs', 'may not be set for ExternalName services');
    if (clusterIP === 'None' && (type === 'LoadBalancer' || type === 'NodePort'))
      causes.invalid(first, clusterIP, `may not be set to 'None' for ${type} services`);
    if (clusterIP !== '' && clusterIP !== 'None' && isIP(clusterIP) === 0) causes.invalid(first, clusterIP, badAddress);
  },
  validateUpdate({ clusterIP, clusterIPs = null }, before, causes) {
    if (!clusterIP) causes.invalid(first, clusterIPs, 'primary clusterIP can not be unset');
    else if (clusterIP !== before.clusterIP) causes.invalid(first, [clusterIP], 'may not change once set');
  },
};

/** The strategy in place of that of the core, on servers whose Services have several addresses. */
export const addressedServices = (minor: number): Strategy | undefined =>
  minor < sinceAddresses ? undefined : servicesBy(addresses);

export const grownServices: Grow = (strategy, { minor }) => {
  const addressed = (spec: Spec): Spec => (minor < sinceAddresses ? spec : withFamilies(withAddresses(spec), minor));
  return {
    ...strategy,
    ...(minor >= sinceReplaces && { createOnReplace: true }),
    ...(minor >= sinceDigits && { name: dns1123Label }),
    complete(object, view) {
      const completed = strategy.complete?.(object, view) ?? object;
      const spec = { ...specOf(completed) };
      if (spec.sessionAffinity !== 'ClientIP') delete spec.sessionAffinityConfig;
      if (spec.ports?.length === 0) delete spec.ports;
      if (minor < sinceFamilies) {
        delete spec.ipFamilies;
        delete spec.ipFamilyPolicy;
      }
      return equal(Object.keys(spec), Object.keys(specOf(completed))) ? completed : { ...completed, spec };
    },
    validate(service, causes, view) {
      strategy.validate?.(service, causes, view);
      const validate = minor < sinceFamilies ? validateAddresses : validateFamilies;
      validate(specOf(service), causes);
      if (minor >= sinceBalancers) validateBalancer(specOf(service), causes);
    },
    validateStatus(next, current, causes, updated) {
      strategy.validateStatus?.(next, current, causes, updated);
      const ingress = part<ObjectOf<'ServiceStatus'>>(next, 'status').loadBalancer?.ingress ?? [];
      if (minor >= sinceOwnStatus && ingress.length > 0 && specOf(current).type !== 'LoadBalancer')
        causes.forbidden('status.loadBalancer.ingress', "may only be used when `spec.type` is 'LoadBalancer'");
    },
    async allocate(object, preparation) {
      const giveBack = await strategy.allocate?.(object, preparation);
      object.spec = addressed(specOf(object));
      return giveBack ?? (async () => {});
    },
    async reallocate(next, current, preparation) {
      const { object, undo } = (await strategy.reallocate?.(next, current, preparation)) ?? {
        object: next,
        undo: async () => {},
      };
      return { object: { ...object, spec: addressed(specOf(object)) }, undo };
    },
    prepareUpdate(next, current) {
      const [spec, before] = [{ ...specOf(next) }, specOf(current)];
      dropByType(spec, before);
      // A client that clears the first address alone means all of them.
      if (minor >= sinceFamilies && !spec.clusterIP && equal(spec.clusterIPs, before.clusterIPs))
        delete spec.clusterIPs;
      const prepared = strategy.prepareUpdate?.({ ...next, spec }, current) ?? { ...next, spec };
      return { ...prepared, spec: keptAddresses(specOf(prepared), before) };
    },
  };
};

function validateBalancer(spec: Spec, causes: Causes): void {
  const { type, loadBalancerClass, trafficDistribution } = spec;
  for (const field of ['allocateLoadBalancerNodePorts', 'loadBalancerClass'] as const) {
    if (type !== 'LoadBalancer' && spec[field] !== undefined)
      causes.forbidden(`spec.${field}`, "may only be used when `type` is 'LoadBalancer'");
  }
  if (type === 'LoadBalancer') causes.format('spec.loadBalancerClass', loadBalancerClass, qualifiedName);
  causes.oneOf('spec.trafficDistribution', trafficDistribution, distributions);
}

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

const hasAddress = ({ type }: Spec): boolean => type !== 'ExternalName';
const hasNodePorts = ({ type }: Spec): boolean => type === 'NodePort' || type === 'LoadBalancer';
const hasHealthPort = ({ type, externalTrafficPolicy }: Spec): boolean =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';

/** The fields that a service has only while a condition holds. Unless the client changes them too, they go with it. */
const dependent: readonly (readonly [(spec: Spec) => boolean, readonly (keyof Spec)[]])[] = [
  [hasAddress, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy']],
  [hasHealthPort, ['healthCheckNodePort']],
  [hasNodePorts, ['externalTrafficPolicy']],
  [({ type }) => type === 'LoadBalancer', ['allocateLoadBalancerNodePorts', 'loadBalancerClass']],
];

function dropByType(spec: Spec, before: Spec): void {
  for (const [holds, fields] of dependent) {
    if (!holds(before) || holds(spec)) continue;
    for (const field of fields) if (equal(spec[field], before[field])) delete spec[field];
  }
  if (!hasNodePorts(before) || hasNodePorts(spec)) return;
  const numbers = new Set(before.ports?.map(({ nodePort }) => nodePort));
  spec.ports = (spec.ports ?? []).map((port) => {
    const { nodePort, ...others } = port;
    return numbers.has(nodePort) ? (others as typeof port) : port;
  });
}

/** An update that names no addresses, or those of the old type, keeps them as far as the first one is the same. */
function keptAddresses(spec: Spec, before: Spec): Spec {
  if (!spec.clusterIP || spec.clusterIP !== before.clusterIP) {
    const { clusterIPs, ...others } = spec;
    return clusterIPs === undefined || !equal(clusterIPs, before.clusterIPs) ? spec : others;
  }
  const kept = { ...spec };
  for (const field of ['clusterIPs', 'ipFamilies', 'ipFamilyPolicy'] as const) {
    if (kept[field] === undefined && before[field] !== undefined) Object.assign(kept, { [field]: before[field] });
  }
  return kept;
}

function withAddresses(spec: Spec): Spec {
  const { clusterIP, clusterIPs } = spec;
  return clusterIP && clusterIPs === undefined ? { ...spec, clusterIPs: [clusterIP] } : spec;
}

/** The families of addresses: this server has one, IPv4. */
function withFamilies(spec: Spec, minor: number): Spec {
  const { clusterIP, clusterIPs = [], type } = spec;
  if (minor < sinceFamilies || type === 'ExternalName' || !clusterIP) return spec;
  const ofAddresses = clusterIP === 'None' ? ['IPv4'] : clusterIPs.map(familyOf);
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? (isForAll(spec) ? 'RequireDualStack' : 'SingleStack');
  const families = spec.ipFamilies ?? ofAddresses;
  const hasBoth = isForAll(spec) && ipFamilyPolicy !== 'SingleStack';
  const ipFamilies = hasBoth ? [...new Set([...families, 'IPv4', 'IPv6'])] : families;
  return { ...spec, ipFamilies, ipFamilyPolicy };
}
