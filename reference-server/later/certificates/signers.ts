// The signers of Kubernetes: which requests each of them signs, and for how long.
import type { NamedRequest, Uses } from '../../../test-certs/index.js';

/** The parts of the spec of a request that signers look at. */
export interface Wanted {
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
}

export const signerNames = {
  client: 'kubernetes.io/kube-apiserver-client',
  kubeletClient: 'kubernetes.io/kube-apiserver-client-kubelet',
  kubeletServing: 'kubernetes.io/kubelet-serving',
  legacy: 'kubernetes.io/legacy-unknown',
} as const;

const nodes = 'system:nodes';
const nodePrefix = 'system:node:';
const signing = ['digital signature', 'key encipherment'];

function clientProblem(_request: NamedRequest, usages: readonly string[]): string | undefined {
  const odd = usages.find((usage) => usage !== 'client auth' && !signing.includes(usage));
  if (odd !== undefined) return `invalid usage for client certificate: ${odd}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

function nodeProblem({ organizations, commonName }: NamedRequest): string | undefined {
  if (organizations.join() !== nodes) return `subject organization is not ${nodes}`;
  return commonName.startsWith(nodePrefix) ? undefined : `subject common name does not begin with ${nodePrefix}`;
}

/** A node may leave the encipherment out: keys on curves cannot encipher. */
function usageProblem(usages: readonly string[], purpose: string): string | undefined {
  const wanted = [purpose, 'digital signature', 'key encipherment'];
  const least = wanted.slice(0, -1);
  const isRight = least.every((usage) => usages.includes(usage)) && usages.every((usage) => wanted.includes(usage));
  return isRight ? undefined : `usages did not match [${wanted.join(' ')}]`;
}

function kubeletClientProblem(request: NamedRequest, usages: readonly string[]): string | undefined {
  const { names, otherNames } = request;
  const isNamed = (kind: string): boolean => names.some((name) => name.startsWith(kind));
  return (
    nodeProblem(request) ??
    (isNamed('DNS:') ? 'DNS subjectAltNames are not allowed' : undefined) ??
    (otherNames.has('email') ? 'Email subjectAltNames are not allowed' : undefined) ??
    (isNamed('IP:') ? 'IP subjectAltNames are not allowed' : undefined) ??
    (otherNames.has('URI') ? 'URI subjectAltNames are not allowed' : undefined) ??
    usageProblem(usages, 'client auth')
  );
}

function kubeletServingProblem(request: NamedRequest, usages: readonly string[]): string | undefined {
  const { names, otherNames } = request;
  return (
    nodeProblem(request) ??
    (names.length === 0 ? 'DNS or IP subjectAltName is required' : undefined) ??
    (otherNames.has('email') ? 'Email subjectAltNames are not allowed' : undefined) ??
    (otherNames.has('URI') ? 'URI subjectAltNames are not allowed' : undefined) ??
    usageProblem(usages, 'server auth')
  );
}

/** The signers that sign by themselves, by name: each returns why it does not sign a request. */
export const signers: Readonly<
  Record<string, (request: NamedRequest, usages: readonly string[]) => string | undefined>
> = {
  [signerNames.client]: clientProblem,
  [signerNames.kubeletClient]: kubeletClientProblem,
  [signerNames.kubeletServing]: kubeletServingProblem,
};

const bits: Readonly<Record<string, number>> = { 'digital signature': 0, 'key encipherment': 2 };
const purposes: Readonly<Record<string, string>> = {
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
};

export const usesOf = (usages: readonly string[]): Uses => ({
  bits: usages.flatMap((usage) => bits[usage] ?? []),
  purposes: usages.flatMap((usage) => purposes[usage] ?? []),
});

const day = 86_400;
const longest = 365 * day;
/** The shortest time that a request may ask for, in seconds. */
export const shortest = 600;

/** Returns how long a certificate is valid, in days. */
export const daysOf = ({ expirationSeconds = longest }: Wanted): number =>
  Math.max(shortest, Math.min(expirationSeconds, longest)) / day;
