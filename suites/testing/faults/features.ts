// Servers that lack a feature: their version and their discovery decide whether this is a fault.

import { openidUser } from '../../fixtures/users.js';
import type { ChapterName } from '../../requirements/index.js';
import { overlooksCertificate, refuseUser, withClaim } from './wire/credentials.js';
import { type Broken, composed, type Fault, fault, faultsOf, overTls, type WireReply } from './wire/fault.js';
import { change, drop, dropItems, inEach, replacing, set, where } from './wire/objects.js';
import { anyStatus, errorText, isError, listed, replace, shown } from './wire/replies.js';
import { answer, every, failure, ignore, ok, refuse, reply, sent, withBody, withHeader } from './wire/requests.js';

const map = '…/configmaps';
const reviews = '/apis/authentication.k8s.io';
const bundled = 'v1.5.0';
const modern = 'v1.36.2';

const says = (gitVersion: string): Broken =>
  answer(/ \/version$/, ok({ major: '1', minor: gitVersion.split('.')[1] ?? '', gitVersion }));

/** A row for a broken server whose features the suite probes first. */
const probed = (name: string, fails: string, edits: readonly Broken[]): readonly Fault[] => {
  const [chapter = '', rest = ''] = fails.split(/\.(.*)/);
  return faultsOf(chapter as ChapterName, [fault(name, rest, [{ probed: true }, ...edits])]);
};
/** A row for the same server without a failure: the server is not expected to have the feature. */
const excused = (name: string, fails: string, edits: readonly Broken[]): readonly Fault[] =>
  probed(name, fails, edits).map((row) => ({ ...row, fails: [] }));

/** Publishes no OpenAPI, which would list the feature. */
const unpublished = refuse(/ \/(openapi|swagger)/, 404);

/** Rows for one server with two versions: one that should have the feature, where its absence is a fault, and one that should not. */
const lacks = (
  feature: string,
  fails: string,
  has: string,
  hasNot: string,
  edits: readonly Broken[],
): readonly Fault[] => [
  ...probed(`lacks ${feature} at an age that has it`, fails, [says(has), unpublished, ...edits]),
  ...excused(`lacks ${feature} at an age that has it not`, fails, [says(hasNot), unpublished, ...edits]),
];

const selfReview = `tokenReview.self-review › POST ${reviews}/v1/selfsubjectreviews, staticToken`;
const noSelfReview = refuse(/^POST .*\/selfsubjectreviews$/, 404);
const emptyReview = reply(201, {
  apiVersion: 'authentication.k8s.io/v1beta1',
  kind: 'TokenReview',
  status: { user: {} },
});
const noPasswords = refuse(withHeader('authorization', /^basic /i), 401);
/** Shows no token of an account: neither in the account nor in its Secret. */
const noTokens: Broken = composed([
  shown('ServiceAccount', drop('secrets')),
  shown(every, where('type', 'kubernetes.io/service-account-token', drop('data'))),
  listed(dropItems('items', 'type', 'kubernetes.io/service-account-token')),
]);
/** Leaves a verb of config maps out of discovery. */
const unlists = (verb: string): Broken =>
  shown('APIResourceList', inEach('resources', where('name', 'configmaps', change('verbs', without(verb)))));
const without = (verb: string) => (verbs: unknown) =>
  Array.isArray(verbs) ? (verbs.filter((one) => one !== verb) as string[]) : [];
const refusedWith = (headers: WireReply['headers']): WireReply => {
  const refusal = failure(401);
  return { ...refusal, headers: { ...refusal.headers, ...headers } };
};
const noLimit = ignore(every, 'limit');
const noPages = ignore(every, 'limit continue');
const pages = `parameters.limit-pages › GET ${map}`;
const exports = `parameters.export-strips-identity › GET ${map}/{name}`;
const listsLimit = answer(
  / \/openapi\/v2$/,
  ok({ paths: { '/api/v1/pods': { get: { parameters: [{ name: 'limit', in: 'query' }] } } } }),
);

export const faults: readonly Fault[] = [
  ...lacks('dry-run', `deleteOptions.dry-run › DELETE ${map}/{name}, in the query`, 'v1.20.2', 'v1.12.0', [
    ignore(every, 'dryRun'),
  ]),
  ...lacks('limit', pages, 'v1.29.0', 'v1.28.9+k3s1', [noPages]),
  ...excused('lacks limit at an age before it', pages, [says('v1.7.5'), unpublished, noPages]),
  ...probed('ignores limit, and reads continue', pages, [says('v1.20.2+k3s1'), unpublished, noLimit]),
  ...lacks('resource-version-match', `parameters.resource-version-match › GET ${map}`, 'v1.19.0', 'v1.18.3', [
    ignore(every, 'resourceVersion resourceVersionMatch'),
  ]),
  ...lacks('propagation-policy', `deleteOptions.propagation-unknown › DELETE ${map}/{name}`, 'v1.7.0', bundled, [
    sent('DELETE', drop('propagationPolicy')),
  ]),
  ...lacks('precondition-version', `deleteOptions.precondition-version › DELETE ${map}/{name}`, 'v1.14.0', 'v1.13.9', [
    sent('DELETE', drop('preconditions')),
  ]),
  ...lacks('strategic-directives', `patch.strategic-retain-keys › PATCH ${map}`, 'v1.20.2', bundled, [
    refuse(withBody(/retainKeys/), 500),
  ]),
  ...lacks('initial-events', 'watch.initial-events › GET /api/v1/nodes', modern, 'v1.20.2', [
    refuse(/sendInitialEvents=/, 422),
  ]),
  // The errors name the limits although the requests are invalid.
  ...lacks('cause-names', `validation.invalid-causes › POST …/pods, a request above the limit`, 'v1.20.2', bundled, [
    errorText(every, replacing(/\.resources\.requests/g, '.resources.limits')),
  ]),
  ...lacks('jwt-algorithms', 'authentication.openid-algorithms › openidConnect, es256', 'v1.20.2', bundled, [
    refuse(withClaim(0, /"(ES|PS)256"/), 401),
  ]),
  ...lacks(
    'review-token',
    `tokenReview.review-empty › POST ${reviews}/v1beta1/tokenreviews, no token`,
    'v1.20.2',
    bundled,
    [replace(/\/tokenreviews$/, 400, emptyReview)],
  ),
  ...probed('lacks self-review at an age that has it', selfReview, [says(modern), noSelfReview]),
  ...excused('lacks self-review at an age that has it not', selfReview, [
    says('v1.20.2'),
    noSelfReview,
    shown('APIResourceList', dropItems('resources', 'name', 'selfsubjectreviews')),
  ]),
  // Later servers no longer have these features.
  ...lacks('legacy-proxy', 'proxy.legacy-node › GET /api/v1/proxy/nodes/{name}', bundled, modern, [
    refuse(/ \/api\/v1\/proxy\//, 404),
  ]),
  ...lacks('static-password', 'authentication.password › staticPassword, plain', 'v1.18.20', 'v1.19.0', [noPasswords]),
  ...lacks(
    'identity-service',
    'authentication.identity-service › identityServicePassword, plain',
    'v1.9.11',
    'v1.10.0',
    [noPasswords],
  ),
  ...lacks('token-secrets', 'serviceAccounts.secret-listed', 'v1.23.0', 'v1.24.0', [
    shown('ServiceAccount', drop('secrets')),
  ]),
  // The OpenAPI document of a server counts more than its behaviour.
  ...probed('lists limit in its OpenAPI and does not know it', pages, [listsLimit, noLimit]),
  ...excused('lists limit in its OpenAPI while it is switched off', pages, [says('v1.8.4'), listsLimit, noPages]),
  ...probed('does not know limit and fails where it is asked for it', pages, [refuse(/limit=1/, 500), noLimit]),
  ...probed('does not know export, and does not say so', exports, [says(modern), ignore(every, 'export')]),
  ...lacks('export, and says so,', exports, bundled, modern, [
    answer(
      /export=true/,
      reply(400, { kind: 'Status', message: 'the export parameter is no longer supported', code: 400 }),
    ),
  ]),
  // What the fixtures set up is demanded, and what the server announces too.
  ...probed('asks for passwords at an age that need not have them, and refuses every one', 'authentication.password', [
    says(modern),
    replace(withHeader('authorization', /^basic /i), anyStatus, refusedWith({ 'www-authenticate': 'Basic realm="x"' })),
  ]),
  ...probed('refuses every token of the token file', 'authentication.token › staticToken, ', [
    refuseUser((request, { fixtures }) =>
      Object.entries(fixtures.secrets.staticToken).some(
        ([name, token]) => name !== 'admin' && request.headers.authorization === `Bearer ${token}`,
      ),
    ),
  ]),
  ...probed('sees no client certificate', 'authentication.several-enabled › clientCertificate', [
    overlooksCertificate(every),
  ]).map(overTls),
  ...probed('refuses every ID token', 'authentication.openid › openidConnect, rs256', [
    refuseUser(withClaim(1, RegExp(openidUser.sub))),
  ]),
  ...probed('never asks the webhook', 'tokenReview.request › server, a plain token', [{ calls: () => [] }]),
  ...probed('makes no service account in a new namespace', 'serviceAccounts.automatic', [
    refuse(/^GET .*\/serviceaccounts\/default$/, 404),
    listed(dropItems('items', 'metadata.name', 'default')),
  ]),
  ...probed('makes no Secret for an account', 'serviceAccounts.secret', [noTokens]),
  ...probed('makes no Secret for an account, and fills none', 'serviceAccounts.secret-by-hand', [noTokens]),
  ...probed('announces a group, and serves nothing of it', 'surface.served › GET /apis/batch/v1/jobs', [
    refuse(/ \/apis\/batch\/v1/, 404),
  ]),
  ...probed('answers lists that its discovery leaves out with nothing', 'list.contains › GET …/configmaps', [
    unlists('list'),
    shown('ConfigMapList', set('items', [])),
  ]),
  ...probed('does not read what its discovery says cannot be read', 'read.object › GET …/configmaps/{name}', [
    unlists('get'),
    shown('GET ConfigMap', drop('data')),
  ]),
  ...probed('patches otherwise what its discovery says cannot be patched', 'patch.merge-patch › PATCH …/configmaps', [
    unlists('patch'),
    sent(/^PATCH /, set('data', {})),
  ]),
  ...probed('announces deletes, and does not know the method', 'surface.served › DELETE …/configmaps/{name}', [
    refuse(/^DELETE .*\/configmaps\//, 405),
  ]),
  ...probed('announces logs, and has not written them yet', 'surface.served › GET …/pods/{name}/log', [
    refuse(/\/log(\?|$)/, 501),
  ]),
  ...probed('lists SelfSubjectReviews, and does not serve them', selfReview, [says('v1.20.2'), noSelfReview]),
  ...excused('writes no status of a quota, as one without controllers', 'admission.quota-status', [
    shown('ResourceQuota', drop('status')),
  ]),
  ...probed('takes pods beyond their limits, and gives them the defaults', 'admission.limit-range-limits', [
    sent('POST LimitRange', drop('spec.limits.*.max')),
  ]),
  ...probed('creates in absent namespaces, and not in those that end', `create.absent-namespace › POST ${map}`, [
    replace(/^POST .*\/configmaps$/, 404, ok()),
  ]),
  ...excused('creates in absent namespaces, and in those that end', `create.absent-namespace › POST ${map}`, [
    replace(/^POST .*\/configmaps$/, isError, ok()),
  ]),
  ...probed('keeps quotas, but not those of services', 'admission.quota-enforced › server, services', [
    sent('POST ResourceQuota', drop('spec.hard.services')),
  ]),
];
