// Requests for another user: the target takes them for requests of that user, or refuses them.

import type { SentHeaders } from '../client/calls.js';
import { equal, fail, holds, Unchecked } from '../client/expect.js';
import { at, brief, type JsonObject } from '../client/json.js';
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

/** Whom a request is for. */
interface Named {
  /** Absent if it names a group alone. */
  readonly name?: string;
  readonly groups: readonly string[];
  readonly extra?: JsonObject;
}

/** What shows the user of a request; nothing if the requests were refused. */
interface Impersonated {
  readonly named: Named;
  /** The SelfSubjectReview of such a request; absent on targets that have none. */
  readonly review?: Reply;
  /** The success of a request for which the user has no right. */
  readonly reply?: Reply;
  /** The response to the same request from a user without rights; absent if the target has no such user. */
  readonly powerless?: Reply;
  /** The response to a user without rights who names an administrator. */
  readonly raised?: Reply;
}

const everybody = 'system:authenticated';

/** The headers of a request by variant, and whom they mean. */
const forms: Readonly<Record<string, (own: string) => readonly [headers: SentHeaders, named: Named]>> = {
  'a user': (own) => {
    const name = `kube-api-conformance:${own}`;
    return [{ 'impersonate-user': name }, { name, groups: [everybody] }];
  },
  'a user with a group and an extra attribute': (own) => {
    const name = `kube-api-conformance:${own}`;
    const headers = { 'impersonate-user': name, 'impersonate-group': groups, ...extraHeaders };
    return [headers, { name, groups: [...groups, everybody], extra }];
  },
  'a service account': (own) => {
    const name = `system:serviceaccount:kube-api-conformance:${own}`;
    const ofAccounts = ['system:serviceaccounts', 'system:serviceaccounts:kube-api-conformance'];
    return [{ 'impersonate-user': name }, { name, groups: [...ofAccounts, everybody] }];
  },
  'a group alone': () => [{ 'impersonate-group': groups }, { groups }],
};

const administrator = { 'impersonate-user': 'kube-api-conformance:admin', 'impersonate-group': 'system:masters' };

/** Sends requests as a user without rights: one for that user, and one for an administrator. */
async function raise(context: Context): Promise<Impersonated> {
  const as = await validCredential(context, 'serviceAccountToken');
  const powerless = await context.client.send({ ...guarded, as });
  const raised = await context.client.send({ ...guarded, as, headers: administrator });
  return { named: { groups: [] }, powerless, raised };
}

/** Sends requests as the user of the run, for a user of whom no target knows. */
export async function impersonate({ variant }: Subject, context: Context): Promise<Impersonated> {
  if (variant === 'an administrator, by a user without rights') return await raise(context);
  const { client, sandbox } = context;
  const [headers, named] = forms[variant ?? '']?.(sandbox.name()) ?? fail(`no user ${variant}`);
  for (const version of ['v1', 'v1beta1', 'v1alpha1']) {
    const apiVersion = `authentication.${context.run.target.domains.authentication}/${version}`;
    const path = `/apis/${apiVersion}/selfsubjectreviews`;
    const body = JSON.stringify({ apiVersion, kind: 'SelfSubjectReview' });
    const sent = { ...headers, 'content-type': 'application/json' };
    const review = await client.send({ method: 'POST', path, body, headers: sent });
    if (isSuccess(review)) return { named, review };
    if (review.status !== 404) break;
  }
  const reply = await client.send({ ...guarded, headers });
  if (!isSuccess(reply)) return { named };
  const as = await validCredential(context, 'serviceAccountToken');
  return { named, reply, powerless: await client.send({ ...guarded, as }) };
}

/** Throws Failure if the request was taken for one of its sender. Throws Unchecked if nothing shows it. */
export function isOfNamedUser({ named, reply, review, powerless, raised }: Impersonated): void {
  if (raised !== undefined) {
    if (powerless?.status !== 403) throw new Unchecked('skipped', 'every user may list nodes here');
    if (isSuccess(raised)) fail(`${raised.request} for an administrator: ${raised.status} to a user without rights`);
    return;
  }
  const { name, groups, extra } = named;
  const answered = review ?? reply;
  if (answered !== undefined && name === undefined)
    fail(`${answered.request} with Impersonate-Group alone: ${answered.status}, although it names no user`);
  if (review !== undefined) {
    const user = at(review.value(), 'status', 'userInfo');
    equal(at(user, 'username'), name ?? '', `${review.request} with Impersonate-User: the user`);
    const seen = at(user, 'groups');
    for (const group of groups)
      if (!(Array.isArray(seen) && seen.includes(group)))
        fail(`${review.request} as ${name}: the groups ${brief(seen)} have no ${group}`);
    if (extra !== undefined)
      holds(at(user, 'extra'), extra, `${review.request} with Impersonate-Extra: the extra attributes`);
  } else if (reply !== undefined) {
    if (powerless?.status === 403)
      fail(`${reply.request} with Impersonate-User: ${reply.status} for a user without rights`);
    throw new Unchecked('skipped', 'every user may do everything here, and nothing shows the user of a request');
  }
}
