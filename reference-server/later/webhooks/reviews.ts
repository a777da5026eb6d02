// AdmissionReviews: what a webhook is asked, and what its answer says.

import { randomUUID } from 'node:crypto';
import type { Resource } from '../../../matrix/api/index.js';
import { parseJson } from '../../exactJson.js';
import { kindInGo } from '../../schema/goText.js';
import { isRecord, type KubeObject } from '../../schema/object.js';
import { type StatusCause, type StatusDetails, StatusError } from '../../statusError.js';
import { reviewVersions } from './configurationRules.js';
import { kindName, resourceName, type Subject } from './subject.js';

type Fields = Readonly<Record<string, unknown>>;

const group = 'admission.k8s.io';

/** Returns the request of a review, in the version of a resource. */
export function requestOf(subject: Subject, resource: Resource, object: KubeObject | undefined) {
  const { subresource, name, namespace, operation, origin, dryRun, options, before } = subject;
  const { user } = origin;
  const shown = (one: KubeObject | undefined) => (one === undefined ? null : subject.shown(one, resource));
  return {
    uid: randomUUID() as string,
    kind: kindName(subject.kindIn(resource)),
    resource: resourceName(resource),
    ...(subresource && { subResource: subresource }),
    requestKind: kindName(subject.kindIn(subject.resource)),
    requestResource: resourceName(subject.resource),
    ...(subresource && { requestSubResource: subresource }),
    ...(name && { name }),
    ...(namespace && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid && { uid: user.uid }),
      groups: user.groups,
      ...(user.extra && { extra: user.extra }),
    },
    object: shown(object),
    oldObject: shown(before),
    dryRun,
    options: options ?? null,
  };
}

/** Returns the review that asks a webhook, in the first version that it takes and the server knows. */
export function reviewOf(request: object, versions: readonly string[]) {
  const version = versions.find((one) => reviewVersions.includes(one)) ?? 'v1';
  return { kind: 'AdmissionReview', apiVersion: `${group}/${version}`, request };
}

/** What the answer of a webhook says. */
export interface Verdict {
  readonly allowed: boolean;
  readonly result?: Fields;
  /** The operations of a JSON patch; none if the object stays. */
  readonly patch: readonly unknown[];
  readonly warnings: readonly string[];
  readonly annotations: readonly (readonly [key: string, value: string])[];
}

type Asked = ReturnType<typeof reviewOf>;

/** Reads the answer to a review. Throws an error in the words of real servers for an answer that breaks the rules. */
export function verdictOf(answer: Fields, asked: Asked, uid: string, mutates: boolean): Verdict {
  const { apiVersion, kind, response } = answer;
  requireKind(asked, apiVersion, kind);
  if (!isRecord(response)) throw new Error('webhook response was absent');
  const isV1 = asked.apiVersion === `${group}/v1`;
  if (isV1 && (response.uid ?? '') !== uid) {
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? '')}`);
  }
  const { allowed, status, warnings, auditAnnotations } = response;
  const patch = mutates ? patchOf(response, isV1) : withoutPatch(response, isV1);
  return {
    allowed: allowed === true,
    ...(isRecord(status) && { result: status }),
    patch,
    warnings: Array.isArray(warnings) ? warnings.filter((text) => typeof text === 'string') : [],
    annotations: isRecord(auditAnnotations)
      ? Object.entries(auditAnnotations).map(([key, value]) => [key, String(value)] as const)
      : [],
  };
}

function requireKind({ apiVersion: expected, kind: expectedKind }: Asked, apiVersion: unknown, kind: unknown): void {
  if (apiVersion === expected && kind === expectedKind) return;
  // Webhooks of the earlier version may leave out what they answer with.
  if (expected === `${group}/v1beta1` && apiVersion === undefined && kind === undefined) return;
  if (kind === expectedKind && typeof apiVersion === 'string' && apiVersion.startsWith(`${group}/`)) {
    const [from, to] = [apiVersion, expected].map((each) => each.slice(each.indexOf('/') + 1));
    throw new Error(`converting (${from}.${kind}) to (${to}.${kind}): unknown conversion`);
  }
  if (kind !== undefined && apiVersion !== undefined) {
    throw new Error(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  }
  throw new Error(
    `expected webhook response of ${kindInGo(expected, expectedKind)}, got ${kindInGo(apiVersion, kind)}`,
  );
}

function patchOf({ patch, patchType }: Fields, isV1: boolean): readonly unknown[] {
  const [hasPatch, hasType] = [isGiven(patch), isGiven(patchType)];
  if (isV1) {
    if (hasPatch && !hasType) throw new Error('webhook returned response.patch but not response.patchType');
    if (!hasPatch && hasType) throw new Error('webhook returned response.patchType but not response.patch');
    if (hasPatch && patchType !== 'JSONPatch') throw new Error(`unsupported patch type ${JSON.stringify(patchType)}`);
  }
  return hasPatch ? operationsIn(patch) : [];
}

function withoutPatch({ patch, patchType }: Fields, isV1: boolean): readonly unknown[] {
  if (isV1 && isGiven(patch)) throw new Error('validating webhook may not return response.patch');
  if (isV1 && isGiven(patchType)) throw new Error('validating webhook may not return response.patchType');
  return [];
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** A patch that is no list of operations is not a failed call: no policy ignores it. */
export class BadPatch extends Error {}

function operationsIn(patch: unknown): readonly unknown[] {
  if (typeof patch !== 'string') throw new Error('response.patch is not base64');
  let operations: unknown;
  try {
    operations = parseJson(Buffer.from(patch, 'base64').toString('utf8'));
  } catch (error) {
    throw new BadPatch(`the patch is not JSON: ${(error as Error).message}`);
  }
  if (Array.isArray(operations)) return operations;
  throw new BadPatch('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
}

/** Returns the error for a denial. */
export function denial(webhook: string, result: Fields = {}): StatusError {
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const { message, reason, code, details } = result;
  const why = [message, reason].find((text) => typeof text === 'string' && text !== '');
  return new StatusError(
    typeof code === 'number' && Number.isInteger(code) && code >= 400 && code <= 599 ? code : 400,
    typeof reason === 'string' ? reason : '',
    why === undefined ? `${denied} without explanation` : `${denied}: ${why}`,
    isRecord(details) ? detailsOf(details) : undefined,
  );
}

/** Returns the fields of details that have the right types. */
function detailsOf({ name, group: of, kind, uid, causes, retryAfterSeconds }: Fields): StatusDetails {
  const text = (key: string, value: unknown) => (typeof value === 'string' && value !== '' ? { [key]: value } : {});
  return {
    ...text('name', name),
    ...text('group', of),
    ...text('kind', kind),
    ...text('uid', uid),
    ...(Array.isArray(causes) && { causes: causes.filter(isRecord).map(causeOf) }),
    ...(Number.isInteger(retryAfterSeconds) && { retryAfterSeconds: retryAfterSeconds as number }),
  };
}

function causeOf({ reason, message, field }: Fields): StatusCause {
  return {
    ...(typeof reason === 'string' && { reason }),
    message: String(message ?? ''),
    ...(typeof field === 'string' && { field }),
  };
}
