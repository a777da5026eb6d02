// The service account of a pod, and the default account of each namespace.

import { attempt, isSuccess, listedNames, need, pods, refusedByAdmission } from '../admission/objects.js';
import { equal, fail, oneOf, Prerequisite, success } from '../client/expect.js';
import { at, type JsonObject, objectsIn } from '../client/json.js';
import { whenControlled, whenControlledBy } from '../objects/controllers.js';
import { byId } from '../objects/related.js';
import { group } from '../run/group.js';
import { accounts } from './accounts.js';

const podTemplates = byId('core/podtemplates');
const account = 'conformance';

const containers = [{ name: 'main', image: 'registry.example/conformance:1' }];
const named = (field: string, name: string): JsonObject => ({ spec: { containers, [field]: name } });

/** Returns the names of the pull secrets of an account, or of the spec of a pod. */
const pullSecretsOf = (holder: unknown): string[] =>
  objectsIn(at(holder, 'imagePullSecrets')).map(({ name }) => String(name));

export const podGroups = [
  group({
    subjects: 'defaultAccounts',
    setup: async (_, { sandbox }) => {
      const namespace = await sandbox.namespace('accounts');
      const names = () => listedNames(sandbox, accounts, namespace);
      return { namespace, names: await whenControlled(sandbox, names, (found) => found.includes('default')) };
    },
    checks: {
      automatic: ({ namespace, names }) => {
        if (names.length === 0) fail(`namespace ${namespace} has no service account`);
      },
      'automatic-name': ({ namespace, names }) => {
        if (!names.includes('default')) fail(`namespace ${namespace} has no service account named default`);
      },
    },
  }),
  group({
    subjects: 'podAccounts',
    setup: async (_, { sandbox }) => {
      const namespace = await sandbox.namespace('pod-accounts');
      const silent = await need(sandbox, pods, namespace);
      const names = await listedNames(sandbox, accounts, namespace);
      const pull = { imagePullSecrets: [{ name: 'of-the-account' }] };
      const made = await sandbox.make(accounts, { namespace, change: pull });
      // A server may require that the token of the account exists.
      const naming = await whenControlledBy(
        sandbox,
        'token-controller',
        () => attempt(sandbox, pods, namespace, { spec: { serviceAccountName: made.name } }),
        ({ reply }) => isSuccess(reply),
      );
      const own = { serviceAccountName: made.name, imagePullSecrets: [{ name: 'its-own' }] };
      const pulling = await attempt(sandbox, pods, namespace, { spec: own });
      const unknown = await attempt(sandbox, pods, namespace, { spec: { serviceAccountName: 'absent' } });
      return {
        silent: await sandbox.current(silent),
        names,
        naming: naming.reply,
        account: made.name,
        pullSecrets: pullSecretsOf(await sandbox.current(made)),
        named: isSuccess(naming.reply) ? await sandbox.current(naming) : undefined,
        pulling: pulling.reply,
        pullsOwn: isSuccess(pulling.reply) ? await sandbox.current(pulling) : undefined,
        unknown: unknown.reply,
        unknownCount: (await sandbox.current(unknown)) === undefined ? 0 : 1,
      };
    },
    checks: {
      'pod-account': ({ silent, names }) =>
        oneOf(at(silent, 'spec', 'serviceAccountName'), names, 'serviceAccountName of a pod that names none'),
      'pod-account-named': ({ naming, account, named }) => {
        success(naming);
        equal(at(named, 'spec', 'serviceAccountName'), account, 'serviceAccountName of a pod that names one');
      },
      'pod-pull-secrets': ({ naming, named, pullSecrets, pulling, pullsOwn }) => {
        success(naming);
        // A controller may have added others to the account, before the pod or after it.
        const given = pullSecretsOf(at(named, 'spec'));
        const what = 'imagePullSecrets of a pod that has none';
        if (!given.includes('of-the-account')) equal(given.join(), 'of-the-account', what);
        for (const each of given) oneOf(each, pullSecrets, what);
        success(pulling);
        equal(pullSecretsOf(at(pullsOwn, 'spec')).join(), 'its-own', 'imagePullSecrets of a pod that has some');
      },
      'pod-account-unknown': ({ unknown, unknownCount }) => refusedByAdmission(unknown, unknownCount),
    },
  }),
  group({
    subjects: 'accountAliases',
    setup: async ({ variant = '' }, { sandbox }) => {
      const namespace = await sandbox.namespace('account-aliases');
      const template = variant.startsWith('podtemplates');
      const resource = template ? podTemplates : pods;
      const field = variant.endsWith('old name') ? 'serviceAccount' : 'serviceAccountName';
      const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
      const sent = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account, labels: sandbox.labels() } };
      const exists = (await sandbox.current({ resource: accounts, name: account, namespace })) !== undefined;
      if (!exists) await sandbox.attempt('create an account', 'POST', path, sent);
      const fields = named(field, account);
      const made = await whenControlledBy(
        sandbox,
        'token-controller',
        () => attempt(sandbox, resource, namespace, template ? { template: fields } : fields),
        ({ reply }) => isSuccess(reply),
      );
      if (made.reply.status === 403 || made.reply.status >= 500) throw new Prerequisite(made.reply.excerpt());
      success(made.reply);
      const read = await sandbox.current(made);
      return { request: made.reply.request, spec: template ? at(read, 'template', 'spec') : at(read, 'spec') };
    },
    checks: {
      'pod-account-alias': ({ request, spec }) => {
        equal(at(spec, 'serviceAccountName'), account, `${request}, then read: serviceAccountName`);
        equal(at(spec, 'serviceAccount'), account, `${request}, then read: serviceAccount`);
      },
    },
  }),
];
