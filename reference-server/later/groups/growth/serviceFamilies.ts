// The families of a Service's addresses. This server has addresses of IPv4 alone, as a cluster of one stack.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { badAddress } from '../../../registry/strategies/services.js';
import type { Causes } from '../../../schema/causes.js';

type Spec = ObjectOf<'ServiceSpec'>;

const known = ['IPv4', 'IPv6'];
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack'];
const none = 'None';

export const familyOf = (address: string): string => (isIP(address) === 6 ? 'IPv6' : 'IPv4');

/** Whether a Service stands for addresses of any family: nobody but its client names its endpoints. */
export const isForAll = ({ clusterIP, selector }: Spec): boolean =>
  clusterIP === none && Object.keys(selector ?? {}).length === 0;

/** Checks the addresses of a Service of 1.20, which knows no families yet. */
export function validateAddresses({ clusterIP, clusterIPs = [] }: Spec, causes: Causes): void {
  const field = 'spec.clusterIPs';
  if (clusterIPs.length === 0) return;
  if (!clusterIP) causes.invalid(field, clusterIPs, 'must be empty when clusterIP is empty');
  else if (clusterIPs[0] !== clusterIP) causes.invalid(field, clusterIPs, 'element [0] must match clusterIP');
  for (const [index, address] of clusterIPs.entries()) {
    if (address !== none && isIP(address) === 0 && address !== clusterIP)
      causes.invalid(`${field}[${index}]`, address, badAddress);
  }
}

/** Checks what a Service says of its families and addresses, then whether this server has them. */
export function validateFamilies(spec: Spec, causes: Causes): void {
  const { type, clusterIP, ipFamilies = [], ipFamilyPolicy } = spec;
  if (type === 'ExternalName') {
    const given = { ipFamilies: ipFamilies.length > 0, ipFamilyPolicy: ipFamilyPolicy !== undefined };
    for (const [field, isGiven] of Object.entries(given))
      if (isGiven) causes.forbidden(`spec.${field}`, 'may not be set for ExternalName services');
    return;
  }
  const clusterIPs = spec.clusterIPs ?? (clusterIP ? [clusterIP] : []);
  const own = causes.part();
  validateValues({ ...spec, clusterIPs }, own);
  if (own.list.length === 0 && !isForAll(spec)) validateSetUp(clusterIPs, spec, own);
  for (const cause of own.list) causes.add(cause);
}

function validateValues({ clusterIP, clusterIPs = [], ipFamilies = [], ipFamilyPolicy }: Spec, causes: Causes): void {
  ipFamilies.forEach((family, index) => {
    causes.oneOf(`spec.ipFamilies[${index}]`, family, known);
    if (ipFamilies.indexOf(family) < index) causes.duplicate(`spec.ipFamilies[${index}]`, family);
  });
  causes.oneOf('spec.ipFamilyPolicy', ipFamilyPolicy, policies);
  const refuse = (why: string) => causes.invalid('spec.clusterIPs', clusterIPs, why);
  if (clusterIPs.length > 0 && !clusterIP) refuse('must be empty when `clusterIP` is not specified');
  else if (clusterIPs.length > 0 && clusterIPs[0] !== clusterIP) refuse('first value must match `clusterIP`');
  if (clusterIPs.length > 1 && clusterIPs[0] === none) refuse("'None' must be the first and only value");
  for (const [index, address] of clusterIPs.entries()) {
    const field = `spec.clusterIPs[${index}]`;
    const family = ipFamilies[index];
    if (index === 0 && (address === none || address === '')) continue;
    if (isIP(address) === 0) {
      // The first of them is the clusterIP, which has a check of its own.
      if (index > 0) causes.invalid(field, address, badAddress);
    } else if (family !== undefined && family !== familyOf(address))
      causes.invalid(field, address, `expected an ${family} value as indicated by \`ipFamilies[${index}]\``);
  }
  if (clusterIPs[0] === none) return;
  if (clusterIPs.length > 2) refuse('may only hold up to 2 values');
  else if (clusterIPs.length === 2 && clusterIPs.every((address) => isIP(address) === isIP(clusterIPs[0] ?? '')))
    refuse('may specify no more than one IP for each IP family');
}

function validateSetUp(
  clusterIPs: readonly string[],
  { ipFamilies = [], ipFamilyPolicy = 'SingleStack' }: Spec,
  causes: Causes,
): void {
  const field = 'spec.ipFamilyPolicy';
  const several = [
    ['cluster IPs', clusterIPs.length],
    ['IP families', ipFamilies.length],
  ] as const;
  for (const [what, count] of several) {
    if (count < 2 || ipFamilyPolicy !== 'SingleStack') continue;
    const why = `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    causes.invalid(field, ipFamilyPolicy, why);
  }
  if (ipFamilyPolicy === 'RequireDualStack')
    causes.invalid(field, ipFamilyPolicy, 'this cluster is not configured for dual-stack services');
  if (causes.list.length > 0 && clusterIPs.length < 2) return;
  ipFamilies.forEach((family, index) => {
    if (family === 'IPv6') causes.invalid(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster');
  });
  clusterIPs.forEach((address, index) => {
    if (isIP(address) === 6)
      causes.invalid(`spec.clusterIPs[${index}]`, clusterIPs, 'IPv6 is not configured on this cluster');
  });
}
