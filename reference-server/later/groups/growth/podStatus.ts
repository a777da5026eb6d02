// What a pod may say of itself: its addresses, its conditions, and no container that runs after it has ended for good.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { badAddress } from '../../../registry/strategies/services.js';
import type { Causes } from '../../../schema/causes.js';
import { dns1123Subdomain, qualifiedName } from '../../../schema/formats.js';
import { type KubeObject, part } from '../../../schema/object.js';

type Status = ObjectOf<'PodStatus'>;
type ContainerStatuses = Status['containerStatuses'];

const statusOf = (pod: KubeObject): Status => part<Status>(pod, 'status');

/** The conditions of kubelets and schedulers, whose names are not looked at. */
const usualConditions: ReadonlySet<string | undefined> = new Set([
  'PodScheduled',
  'Ready',
  'Initialized',
  'ContainersReady',
]);

/** Since this version, the class of a pod is the one that it was created with. */
const fixedClassSince = 27;

/** Checks the status that a write gives a pod, on a server of a minor version. */
export function validatePodStatus(next: KubeObject, current: KubeObject, causes: Causes, minor: number): void {
  const [status, before] = [statusOf(next), statusOf(current)];
  // Real servers take the path from the metadata, which they check first.
  for (const [index, { type }] of (status.conditions ?? []).entries()) {
    if (!usualConditions.has(type)) causes.format(`metadata.conditions[${index}].Type`, type ?? '', qualifiedName);
  }
  const { nominatedNodeName: nominated } = status;
  if (nominated && nominated !== before.nominatedNodeName)
    causes.format('status.nominatedNodeName', nominated, dns1123Subdomain);
  const { restartPolicy = 'Always' } = part<ObjectOf<'PodSpec'>>(current, 'spec');
  if (restartPolicy !== 'Always') {
    for (const field of ['containerStatuses', 'initContainerStatuses'] as const)
      validateEnded(`status.${field}`, status[field], before[field], restartPolicy, causes);
  }
  validateAddresses('status.podIPs', status.podIPs, causes);
  const { hostIP, hostIPs = [] } = status;
  if (hostIPs.length > 0 && hostIPs[0]?.ip !== hostIP)
    causes.invalid('status.hostIPs[0].ip', hostIPs[0]?.ip, 'must be equal to `hostIP`');
  validateAddresses('status.hostIPs', hostIPs, causes);
  if (minor >= fixedClassSince)
    causes.immutable('status.qosClass', status.qosClass, status.qosClass === before.qosClass);
  const claims = new Set(part<ObjectOf<'PodSpec'>>(current, 'spec').resourceClaims?.map(({ name }) => name));
  for (const [index, { name }] of (status.resourceClaimStatuses ?? []).entries()) {
    if (!claims.has(name))
      causes.invalid(
        `status.resourceClaimStatuses[${index}].name`,
        name,
        'must match the name of an entry in `spec.resourceClaims`',
      );
  }
}

/** Returns a pod with what a write of its status leaves as it was: its owners, and since 1.27 its class. */
export function withKeptStatus(next: KubeObject, current: KubeObject, minor: number): KubeObject {
  const { ownerReferences: _given, ...metadata } = next.metadata;
  const { ownerReferences } = current.metadata;
  const [status, { qosClass }] = [statusOf(next), statusOf(current)];
  const isAbsent = minor >= fixedClassSince && !status.qosClass && qosClass !== undefined;
  return {
    ...next,
    metadata: { ...metadata, ...(ownerReferences && { ownerReferences }) },
    ...(isAbsent && { status: { ...status, qosClass } }),
  };
}

/** Checks that a container that has ended, and is not started again, stays so. */
function validateEnded(
  field: string,
  next: ContainerStatuses = [],
  before: ContainerStatuses = [],
  restartPolicy: string,
  causes: Causes,
): void {
  for (const [index, { name, state }] of before.entries()) {
    if (state?.terminated === undefined) continue;
    if (state.terminated.exitCode !== 0 && restartPolicy === 'OnFailure') continue;
    if (next.some((one) => one.name === name && one.state?.terminated === undefined))
      causes.forbidden(`${field}[${index}].state`, 'may not be transitioned to non-terminated state');
  }
}

/** Checks the addresses of a pod or of its node: at most one of each family. */
function validateAddresses(field: string, items: readonly { readonly ip?: string }[] = [], causes: Causes): void {
  const addresses = items.map(({ ip = '' }) => ip);
  for (const [index, address] of addresses.entries())
    if (isIP(address) === 0) causes.invalid(`${field}[${index}]`, address, badAddress);
  if (addresses.length < 2) return;
  const families = new Set(addresses.map((address) => isIP(address)));
  if (families.size < 2 || addresses.length > 2)
    causes.invalid(field, items, 'may specify no more than one IP for each IP family');
  for (const [index, address] of addresses.entries())
    if (addresses.indexOf(address) < index) causes.duplicate(`${field}[${index}]`, address);
}
