// POST of a TokenRequest: a token of a service account that expires.
import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import { badRequest, conflict, invalid, notFound } from '../../errors.js';
import { timestamp } from '../../registry/metadata.js';
import { type ApiRequest, objectKeyOf } from '../../request.js';
import { Causes } from '../../schema/causes.js';
import { kindInGo } from '../../schema/goText.js';
import { part } from '../../schema/object.js';
import { type BoundToken, boundIssuer, type NamedNode } from '../../serviceaccounts/boundTokens.js';
import { type Dependencies, decodedBodyOf, type MakeHandler, okObject, writeOptionsOf } from '../../verbs/context.js';
import { resourceRow } from '../../versions/addresses.js';

type RequestSpec = ObjectOf<'authentication.v1.TokenRequestSpec'>;

const usualSeconds = 3600;
const leastSeconds = 600;
const mostSeconds = 2 ** 32;

/** Answers with the request and the token in its status. Nothing is stored. */
export const requestToken: MakeHandler = (dependencies) => async (request) => {
  const { dryRun } = writeOptionsOf(request, dependencies);
  const body = await decodedBodyOf(request);
  const key = objectKeyOf(request);
  const account = (await dependencies.registry.of('core/serviceaccounts').get(key)).value;
  const {
    audiences = [boundIssuer],
    expirationSeconds = usualSeconds,
    boundObjectRef,
  } = part<RequestSpec>(body, 'spec');
  requireSeconds(expirationSeconds, key.name);
  const bound = boundObjectRef && (await boundTo(boundObjectRef, request, dependencies));
  const { namespace = '', uid = '' } = account.metadata;
  const now = Math.floor(dependencies.now().getTime() / 1000);
  const expires = now + expirationSeconds;
  const token = { namespace, account: key.name, uid, ...bound };
  const signed = dryRun ? '' : await dependencies.boundTokens.issue(token, audiences, now, expires);
  const status = { token: signed, expirationTimestamp: timestamp(new Date(expires * 1000)) };
  const spec = { audiences, expirationSeconds, boundObjectRef: boundObjectRef ?? null };
  const metadata = { name: key.name, namespace, creationTimestamp: timestamp(dependencies.now()) };
  return { ...okObject({ ...body, metadata, spec, status }), status: 201 };
};

function requireSeconds(seconds: number, name: string): void {
  const causes = new Causes();
  const field = 'spec.expirationSeconds';
  if (seconds < leastSeconds) causes.invalid(field, seconds, 'may not specify a duration less than 10 minutes');
  else if (seconds > mostSeconds) causes.invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds');
  if (causes.list.length > 0)
    throw invalid({ group: 'authentication.k8s.io', kind: 'TokenRequest' }, name, causes.list);
}

const resources = { Pod: 'core/pods', Secret: 'core/secrets', Node: 'core/nodes' } as const;

/**
 * Returns the object that the token ends with, and the node of a pod. Throws 400 for an object of another kind, and for
 * the pod of another account; 404 if the object is absent, and 409 for another uid.
 */
async function boundTo(
  { apiVersion = '', kind = '', name = '', uid: asked }: NonNullable<RequestSpec['boundObjectRef']>,
  { path }: ApiRequest,
  { registry }: Dependencies,
): Promise<Pick<BoundToken, 'bound' | 'node'>> {
  const account = path.name ?? '';
  if (apiVersion.includes('/') || (kind !== 'Pod' && kind !== 'Secret' && kind !== 'Node')) {
    throw badRequest(`cannot bind token to object of type ${kindInGo(apiVersion, kind)}`);
  }
  if (name === '') throw badRequest('Name parameter required.');
  const resource = resourceRow(resources[kind]);
  const namespace = kind === 'Node' ? undefined : path.namespace;
  const entry = await registry.of(resource).find({ namespace, name });
  if (entry === undefined) throw notFound(resource, name);
  const { uid = '' } = entry.value.metadata;
  const { serviceAccountName, nodeName = '' } = part<ObjectOf<'PodSpec'>>(entry.value, 'spec');
  if (kind === 'Pod' && serviceAccountName !== account) {
    throw badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  if (asked && asked !== uid) {
    throw conflict(
      resource,
      name,
      `the UID in the bound object reference (${asked}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const bound = { kind, name, uid } as const;
  return kind === 'Pod' && nodeName !== '' ? { bound, node: await nodeOf(nodeName, registry) } : { bound };
}

async function nodeOf(name: string, registry: Dependencies['registry']): Promise<NamedNode> {
  const uid = (await registry.of('core/nodes').find({ namespace: undefined, name }))?.value.metadata.uid;
  return { name, ...(uid !== undefined && { uid }) };
}
