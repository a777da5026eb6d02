// Services: ports, addresses, and the allocation of a cluster IP.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { dns1035Label, dns1123Label, dns1123Subdomain } from '../../schema/formats.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../schema/object.js';
import { StatusError } from '../../statusError.js';
import { validateLabels } from '../metadata.js';
import { type Preparation, type Strategy, Unavailable } from '../strategy.js';
import { addresses, claim, giveBack, ports } from './allocation.js';
import { validatePort } from './probes.js';

type ServiceSpec = ObjectOf<'ServiceSpec'>;

const specOf = (service: KubeObject | DecodedObject) => part<ServiceSpec>(service, 'spec');
export const badAddress = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

/** The rules of the address of a Service. Later servers have others, for several addresses. */
export interface AddressRules {
  /** The field that an address which cannot be allocated is reported in. */
  readonly field: string;
  /** Reports whether an update names no address, and so keeps the one that the server chose. */
  isLeftOut(spec: ServiceSpec): boolean;
  validate(spec: ServiceSpec, causes: Causes): void;
  /** Checks an update of a Service that has an address, and needs one. */
  validateUpdate(next: ServiceSpec, before: ServiceSpec, causes: Causes): void;
}

const oneAddress: AddressRules = {
  field: 'spec.clusterIP',
  // As on servers since 1.20.
  isLeftOut: ({ clusterIP }) => !clusterIP,
  validate({ clusterIP = '', type }, causes) {
    if (clusterIP !== '' && clusterIP !== 'None') {
      if (isIP(clusterIP) === 0) causes.invalid('spec.clusterIP', clusterIP, badAddress);
      if (type === 'ExternalName')
        causes.invalid('spec.clusterIP', clusterIP, 'must be empty for ExternalName services');
    }
    if (type === 'LoadBalancer' && clusterIP === 'None')
      causes.invalid('spec.clusterIP', clusterIP, "may not be set to 'None' for LoadBalancer services");
  },
  validateUpdate({ clusterIP = '' }, before, causes) {
    causes.immutable('spec.clusterIP', clusterIP, clusterIP === before.clusterIP);
  },
};

export const servicesBy = (address: AddressRules): Strategy => ({
  name: dns1035Label,
  initialStatus: () => ({ loadBalancer: {} }),

  validate(service, causes) {
    const spec = specOf(service);
    validatePorts(spec, causes);
    validateLabels('spec.selector', spec.selector, causes);
    causes.oneOf('spec.sessionAffinity', spec.sessionAffinity, ['ClientIP', 'None']);
    address.validate(spec, causes);
    spec.externalIPs?.forEach((address, index) => {
      if (isIP(address) === 0) causes.invalid(`spec.externalIPs[${index}]`, address, badAddress);
    });
    causes.oneOf('spec.type', spec.type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']);
    // The dot at the end of a name that is complete.
    if (spec.type === 'ExternalName')
      causes.named('spec.externalName', spec.externalName?.replace(/(?<=[^.])\.$/, ''), dns1123Subdomain);
  },

  prepareUpdate(next, current) {
    const spec = specOf(next);
    const { clusterIP, type } = specOf(current);
    const keeps = address.isLeftOut(spec) && clusterIP && spec.type !== 'ExternalName' && type !== 'ExternalName';
    return keeps ? { ...next, spec: ordered({ ...spec, clusterIP }) } : next;
  },

  validateUpdate(next, current, causes) {
    const before = specOf(current);
    const spec = specOf(next);
    const { healthCheckNodePort: health } = spec;
    if (wantsHealthPort(before) && wantsHealthPort(spec) && health && health !== before.healthCheckNodePort) {
      const why = 'cannot change healthCheckNodePort on loadBalancer service with externalTraffic=Local during update';
      causes.invalid('spec.healthCheckNodePort', health, why);
    }
    if (before.type !== 'ExternalName' && spec.type !== 'ExternalName' && before.clusterIP)
      address.validateUpdate(spec, before, causes);
  },

  async allocate(object, preparation) {
    const { claims, spec } = await allocated(specOf(object), preparation, address);
    object.spec = spec;
    return () => undone(preparation, claims);
  },

  async reallocate(next, current, preparation) {
    const { claims, spec } = await allocated(specOf(next), preparation, address, specOf(current));
    return { object: { ...next, spec }, undo: () => undone(preparation, claims) };
  },

  async release(service, storage, successor) {
    const kept = new Set(successor && claimsOf(specOf(successor)));
    await giveBack(
      storage,
      claimsOf(specOf(service)).filter((key) => !kept.has(key)),
    );
  },
});

export const services = servicesBy(oneAddress);

function validatePorts(spec: ServiceSpec, causes: Causes): void {
  const { ports: given = [], clusterIP, type } = spec;
  if (given.length === 0 && clusterIP !== 'None' && type !== 'ExternalName') causes.required('spec.ports');
  const names = new Set<string>();
  const seen = new Set<string>();
  const onNodes = new Set<string>();
  given.forEach((port, index) => {
    const at = `spec.ports[${index}]`;
    const { name = '', protocol, targetPort } = port;
    if (name === '') {
      if (given.length > 1) causes.required(`${at}.name`);
    } else {
      causes.format(`${at}.name`, name, dns1123Label);
      if (names.has(name)) causes.duplicate(`${at}.name`, name);
      names.add(name);
    }
    causes.port(`${at}.port`, port.port);
    causes.oneOf(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']);
    if (targetPort !== undefined) validatePort(`${at}.targetPort`, targetPort, causes);
    const id = `${port.port} ${protocol}`;
    if (seen.has(id)) causes.duplicate(at, { protocol, port: port.port });
    seen.add(id);
    if (port.nodePort && type === 'ClusterIP') {
      causes.forbidden(`${at}.nodePort`, "may not be used when `type` is 'ClusterIP'");
    }
    const onNode = `${port.nodePort} ${protocol}`;
    if (port.nodePort && onNodes.has(onNode)) causes.duplicate(`${at}.nodePort`, port.nodePort);
    onNodes.add(onNode);
  });
}

const wantsAddress = ({ type, clusterIP }: ServiceSpec) => type !== 'ExternalName' && clusterIP !== 'None';
/** A load balancer that keeps the addresses of clients asks nodes on a port whether they have a pod. */
const wantsHealthPort = ({ type, externalTrafficPolicy }: ServiceSpec) =>
  type === 'LoadBalancer' && externalTrafficPolicy === 'Local';
const wantsNodePorts = ({ type }: ServiceSpec) => type === 'NodePort' || type === 'LoadBalancer';

/**
 * Returns the spec with its allocated address and ports. Values that the service already owns are not claimed again.
 */
async function allocated(
  spec: ServiceSpec,
  preparation: Preparation,
  address: AddressRules,
  before: ServiceSpec = {},
): Promise<{ claims: Set<string>; spec: ServiceSpec }> {
  const claims = new Set<string>();
  const kept = { owned: new Set(claimsOf(before)), made: claims };
  const claimPort = async (field: string, asked: number | undefined): Promise<number> =>
    Number(await claim(ports, field, preparation, asked ? String(asked) : undefined, kept));
  try {
    const result: { -readonly [Field in keyof ServiceSpec]: ServiceSpec[Field] } = { ...spec };
    if (wantsAddress(spec)) {
      result.clusterIP = await claim(addresses, address.field, preparation, spec.clusterIP, kept);
    }
    if (wantsNodePorts(spec) && spec.ports) {
      const given: ObjectOf<'ServicePort'>[] = [];
      // The same port of two protocols has one node port.
      const shared = new Map(spec.ports.filter(({ nodePort }) => nodePort).map((each) => [each.port, each.nodePort]));
      const isTaken = (port: number, nodePort: number | undefined): nodePort is number =>
        given.some((each) => each.port === port && each.nodePort === nodePort);
      for (const [index, port] of spec.ports.entries()) {
        const asked = port.nodePort || before.ports?.[index]?.nodePort || shared.get(port.port);
        if (!asked && spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts === false) {
          given.push(port);
          continue;
        }
        const nodePort = isTaken(port.port, asked) ? asked : await claimPort(`spec.ports[${index}].nodePort`, asked);
        shared.set(port.port, nodePort);
        given.push({ ...port, nodePort });
      }
      result.ports = given;
    }
    if (wantsHealthPort(spec)) {
      const asked = spec.healthCheckNodePort || before.healthCheckNodePort;
      result.healthCheckNodePort = await claimPort('spec.healthCheckNodePort', asked).catch(healthPortRefused);
    }
    return { claims, spec: equal(result, spec) ? spec : ordered(result) };
  } catch (error) {
    await undone(preparation, claims);
    throw error;
  }
}

/** Servers call a health port that cannot be claimed their own mistake. */
function healthPortRefused(error: unknown): never {
  if (!(error instanceof Unavailable)) throw error;
  const why = `failed to allocate requested HealthCheck NodePort ${error.value}: ${error.message}`;
  throw new StatusError(500, 'InternalError', `Internal error occurred: ${why}`, { causes: [{ message: why }] });
}

/** Restores the field order: the address follows the selector. */
function ordered({ ports: given, selector, clusterIP, ...spec }: ServiceSpec): ServiceSpec {
  return { ...(given && { ports: given }), ...(selector && { selector }), ...(clusterIP && { clusterIP }), ...spec };
}

/** Releases the claims of a write that failed. */
async function undone({ storage, dryRun }: Preparation, claims: Iterable<string>): Promise<void> {
  if (!dryRun) await giveBack(storage, claims);
}

export function claimsOfService(service: KubeObject): string[] {
  return claimsOf(specOf(service));
}

function claimsOf(spec: ServiceSpec): string[] {
  const { clusterIP, healthCheckNodePort: health } = spec;
  const given = [...(spec.ports ?? []).map(({ nodePort }) => nodePort), health];
  const nodePorts = given.flatMap((port) => (port ? [ports.key(String(port))] : []));
  return clusterIP && clusterIP !== 'None' ? [addresses.key(clusterIP), ...nodePorts] : nodePorts;
}
