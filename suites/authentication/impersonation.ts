// Requests for another user: the target takes them for requests of that user, or refuses them.

import { equal, fail, holds, Unchecked } from '../client/expect.js';
import { at, brief } from '../client/json.js';
import type { Reply } from '../client/reply.js';
import type { Subject } from '../requirements/index.js';
import type { Context } from '../run/context.js';
import { validCredential } from '../run/credentialChecks.js';

const guarded = { method: 'GET', path: '/api/v1/nodes' } as const;
const groups = ['kube-api-conformance:group', 'kube-api-conformance:second-group'];
/** The values of the extra attributes, by their keys. */
const extra = { 'kube-api-conformance': ['some', 'more'], 'kube-api-conformance/scopes': ['one'] };
const extraHeaders = Object.fromEntries(
  Object.entries(extra).map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`, values]),
);

const isSuccess = ({ status }: Reply): boolean => status >= 200 && status <= 299;

/** What shows the user of a request; nothing if the requests were refused. */
interface Impersonated {
  readonly name: string;
  /** Whether the request also names groups and extra attributes. */
  readonly whole: boolean;
  /** The SelfSubjectReview of such a request; absent on targets that have none. */
  readonly review?: Reply;
  /** The success of a request for which the user has no right. */
  readonly reply?: Reply;
  /** The response to the same request from a user without rights; absent if the target has no such user. */
  readonly powerless?: Reply;
}

/** Sends requests as the user of the run, for a user of whom no target knows. */
export async function impersonate({ variant }: Subject, context: Context): Promise<Impersonated> {
  const { client, sandbox } = context;
  const name = `kube-api-conformance:${sandbox.name()}`;
  const whole = variant !== 'a user';
  const headers = {
    'impersonate-user': name,
    ...(whole && { 'impersonate-group': groups, ...extraHeaders }),
  };
  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    const apiVersion = `authentication.${context.run.target.domains.authentication}/${version}`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const body = JSON.stringify({ apiVersion, kind: 'SelfSubjectReview' });
    const sent = { ...headers, 'content-type': 'application/json' };
    const review = await client.send({ method: 'POST', path, body, headers: sent });
    if (isSuccess(review)) return { name, whole, review };
    if (review.status !== 404) break;
  }
  const reply = await client.send({ ...guarded, headers });
  if (!isSuccess(reply)) return { name, whole };
  const as = await validCredential(context, 'serviceAccountToken');
  return { name, whole, reply, powerless: await client.send({ ...guarded, as }) };
}

/** Throws Failure if the request was taken for one of its sender. Throws Unchecked if nothing shows it. */
export function isOfNamedUser({ name, whole, reply, review, powerless }: Impersonated): void {
  if (review !== undefined) {
    const user = at(review.value(), 'status', 'userInfo');
    equal(at(user, 'username'), name, `${review.request} with Impersonate-User: the user`);
    if (!whole) return;
    const seen = at(user, 'groups');
    for (const group of groups)
      if (!(Array.isArray(seen) && seen.includes(group)))
        fail(`${review.request} with Impersonate-Group: the groups ${brief(seen)} have no ${group}`);
    holds(at(user, 'extra'), extra, `${review.request} with Impersonate-Extra: the extra attributes`);
  } else if (reply !== undefined) {
    if (powerless?.status === 403)
      fail(`${reply.request} with Impersonate-User: ${reply.status} for a user without rights`);
    throw new Unchecked('skipped', 'every user may do everything here, and nothing shows the user of a request');
  }
}
