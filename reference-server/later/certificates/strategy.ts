// Certificate signing requests: what a request needs, and which conditions and certificates its status may get.
import { X509Certificate } from 'node:crypto';
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { CertificateError, readNamedRequest } from '../../../test-certs/index.js';
import type { StatusPart, Strategy } from '../../registry/strategy.js';
import type { Causes } from '../../schema/causes.js';
import { dns1123Label, dns1123Subdomain, pathSegment } from '../../schema/formats.js';
import { type KubeObject, part } from '../../schema/object.js';
import { shortest, signerNames } from './signers.js';

type Spec = Partial<ObjectOf<'certificates.v1.CertificateSigningRequestSpec'>>;
type Status = ObjectOf<'certificates.v1.CertificateSigningRequestStatus'>;
type Condition = ObjectOf<'certificates.v1.CertificateSigningRequestCondition'>;

export const specOf = (request: KubeObject): Spec => part<Spec>(request, 'spec');
export const statusOf = (request: KubeObject): Status => part<Status>(request, 'status');
export const has = ({ conditions = [] }: Status, wanted: string): boolean =>
  conditions.some(({ type }) => type === wanted);

/** Returns the text that a field holds in base64. */
export const textIn = (base64: string | undefined): string => Buffer.from(base64 ?? '', 'base64').toString('latin1');

const usages = [
  ...['any', 'cert sign', 'client auth', 'code signing', 'content commitment', 'crl sign', 'data encipherment'],
  ...['decipher only', 'digital signature', 'email protection', 'encipher only', 'ipsec end system', 'ipsec tunnel'],
  ...['ipsec user', 'key agreement', 'key encipherment', 'microsoft sgc', 'netscape sgc', 'ocsp signing', 's/mime'],
  ...['server auth', 'signing', 'timestamping'],
];

function validateSpec({ request, usages: wanted = [], signerName, expirationSeconds }: Spec, causes: Causes): void {
  try {
    readNamedRequest(textIn(request));
  } catch (error) {
    if (!(error instanceof CertificateError)) throw error;
    causes.invalid('spec.request', request ?? null, error.message);
  }
  if (wanted.length === 0) causes.required('spec.usages');
  const seen = new Set<string>();
  for (const [index, usage] of wanted.entries()) {
    causes.oneOf(`spec.usages[${index}]`, usage, usages);
    if (seen.has(usage)) causes.duplicate(`spec.usages[${index}]`, usage);
    seen.add(usage);
  }
  if (expirationSeconds !== undefined && expirationSeconds < shortest) {
    const why = 'may not specify a duration less than 600 seconds (10 minutes)';
    causes.invalid('spec.expirationSeconds', expirationSeconds, why);
  }
  validateSigner(signerName, causes);
}

function validateSigner(name: string | undefined, causes: Causes): void {
  const field = 'spec.signerName';
  if (!name) {
    causes.required(field);
    return;
  }
  if (name === signerNames.legacy) {
    causes.invalid(field, name, 'the legacy signerName is not allowed via this API version');
    return;
  }
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    const why = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    causes.invalid(field, name, why);
    return;
  }
  const labels = domain.split('.');
  for (const label of labels) {
    for (const problem of dns1123Label(label)) causes.invalid(field, domain, `validating label "${label}": ${problem}`);
  }
  if (labels.length < 2) {
    causes.invalid(field, domain, 'should be a domain with at least two segments separated by dots');
  }
  for (const label of path.split('.')) {
    for (const problem of dns1123Subdomain(label))
      causes.invalid(field, path, `validating label "${label}": ${problem}`);
  }
}

/** The conditions that stay, and are true. */
const final: readonly string[] = ['Approved', 'Denied', 'Failed'];
const decisions: readonly string[] = ['Approved', 'Denied'];

function validateConditions(conditions: readonly Partial<Condition>[], causes: Causes): void {
  const seen = new Set<string>();
  for (const [index, { type = '', status = '' }] of conditions.entries()) {
    const field = `status.conditions[${index}]`;
    if (type === '') causes.required(`${field}.type`);
    const other = decisions.find((one) => one !== type);
    if (decisions.includes(type) && other !== undefined && seen.has(other)) {
      causes.invalid(`${field}.type`, type, 'Approved and Denied conditions are mutually exclusive');
    }
    if (seen.has(type)) causes.duplicate(`${field}.type`, type);
    seen.add(type);
    const supported = final.includes(type) ? ['True'] : ['True', 'False', 'Unknown'];
    if (status === '') causes.required(`${field}.status`);
    else causes.oneOf(`${field}.status`, status, supported);
  }
}

const certificateField = 'status.certificate';
const begin = '-----BEGIN ';

/** Checks that a text has certificates in PEM and no other blocks. */
function validateCertificates(text: string, causes: Causes): void {
  const refuse = (why: string) => causes.invalid(certificateField, '<certificate data>', why);
  const blocks = text.split(begin).slice(1);
  if (blocks.length === 0) refuse('must contain at least one CERTIFICATE PEM block');
  for (const block of blocks) {
    const kind = block.slice(0, block.indexOf('-----'));
    if (kind !== 'CERTIFICATE') refuse(`only CERTIFICATE PEM blocks are allowed, found ${JSON.stringify(kind)}`);
    else if (!isCertificate(begin + block)) refuse('x509: malformed certificate');
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null;
  } catch {
    return false;
  }
}

function validateStatus(next: KubeObject, current: KubeObject, causes: Causes, changed: StatusPart | 'finalize'): void {
  const [after, before] = [statusOf(next), statusOf(current)];
  validateConditions(after.conditions ?? [], causes);
  for (const type of final) {
    if (has(before, type) && !has(after, type)) {
      causes.forbidden('status.conditions', `updates may not remove a condition of type "${type}"`);
    }
  }
  if (changed === 'approval') return;
  for (const type of decisions) {
    if (!has(before, type) && has(after, type)) {
      causes.forbidden('status.conditions', `updates may not add a condition of type "${type}"`);
    }
  }
  if (after.certificate) validateCertificates(textIn(after.certificate), causes);
  if (before.certificate && after.certificate !== before.certificate) {
    causes.forbidden(certificateField, 'updates may not modify existing certificate content');
  }
}

/** Gives each condition the times that it lacks. */
function timed(conditions: readonly Condition[], before: readonly Condition[], now: string): readonly Condition[] {
  return conditions.map((condition) => {
    const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
    return {
      ...condition,
      lastUpdateTime: condition.lastUpdateTime ?? now,
      lastTransitionTime: condition.lastTransitionTime ?? same?.lastTransitionTime ?? now,
    };
  });
}

export const signingRequests: Strategy = {
  name: pathSegment,
  validateCreate: (request, causes) => validateSpec(specOf(request), causes),
  prepareUpdate: (next, current) => ({ ...next, spec: current.spec }),
  prepareStatus(next, current, changed, now) {
    const { conditions = [], certificate: given, ...status } = statusOf(next);
    const { conditions: before = [], certificate: own } = statusOf(current);
    const certificate = changed === 'approval' ? own : given || undefined;
    const times = timed(conditions, before, `${now.toISOString().slice(0, 19)}Z`);
    const written = { ...status, ...(times.length > 0 && { conditions: times }), ...(certificate && { certificate }) };
    return { ...next, status: written };
  },
  validateStatus,
};
