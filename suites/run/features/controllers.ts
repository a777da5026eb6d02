// Probes of controllers that may run beside a server: each waits for an effect.

import { at, isObject } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import { ownerAnnotation } from '../../objects/accountTokens.js';
import { eventually } from '../../objects/eventually.js';
import { byId, configMaps, namespaces } from '../../objects/related.js';
import type { CreatedObject } from '../../objects/sandbox.js';
import {
  hasSucceeded,
  lacks,
  newObject,
  offers,
  type Probe,
  type ProbeContext,
  type ProbeFinding,
  sendObject,
} from './probe.js';

const quotas = byId('core/resourcequotas');
const accounts = byId('core/serviceaccounts');
const secrets = byId('core/secrets');

async function effect(asked: ProbeContext, look: () => Promise<boolean>, what: string): Promise<ProbeFinding> {
  const came = await eventually(look, (seen) => seen, asked.timeout);
  return came ? offers(what) : lacks(`not observed within ${Math.round(asked.timeout / 1000)} s: ${what}`);
}

const collector: Probe = async (asked) => {
  const uid = '11111111-2222-3333-4444-555555555555';
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-been-there', uid };
  const made = await newObject(asked, configMaps, { metadata: { ownerReferences: [reference] } });
  // a server that does not store the reference does not show whether a controller reads it
  if (at(made.object, 'metadata', 'ownerReferences', 0, 'uid') !== uid) return undefined;
  const look = async () => (await asked.sandbox.current(made)) === undefined;
  return effect(asked, look, 'an object whose owner was deleted is deleted');
};

const quotaStatus: Probe = async (asked) => {
  const made = await newObject(asked, quotas);
  const look = async () => isObject(at(await asked.sandbox.current(made), 'status', 'hard'));
  return effect(asked, look, 'a new ResourceQuota has its status');
};

const namespaceGoes: Probe = async (asked) => {
  if (!asked.deletes) return undefined;
  const made = await asked.sandbox.make(namespaces);
  const body = { apiVersion: 'v1', kind: 'DeleteOptions' };
  const reply = await sendObject(asked, 'DELETE', pathTo(namespaces, 'delete', undefined, made.name), body);
  if (!hasSucceeded(reply)) return undefined;
  const look = async () => (await asked.sandbox.current(made)) === undefined;
  return effect(asked, look, 'a deleted namespace disappears');
};

const defaultAccount: Probe = async (asked) => {
  const namespace = await asked.namespace();
  const look = async () =>
    (await asked.sandbox.current({ resource: accounts, name: 'default', namespace })) !== undefined;
  return effect(asked, look, 'a new namespace has the service account default');
};

async function tokenSecret(asked: ProbeContext, account: CreatedObject): Promise<CreatedObject> {
  const type = `${asked.sandbox.client.target.domains.secretType}/service-account-token`;
  const annotations = { [ownerAnnotation(asked.sandbox)]: account.name };
  return newObject(asked, secrets, { type, data: null, metadata: { annotations } });
}

const hasToken = async ({ sandbox }: ProbeContext, secret: CreatedObject): Promise<boolean> =>
  typeof at(await sandbox.current(secret), 'data', 'token') === 'string';

const handmade: Probe = async (asked) => {
  const secret = await tokenSecret(asked, await newObject(asked, accounts));
  return effect(asked, () => hasToken(asked, secret), 'a Secret of a service account has a token');
};

/** Milliseconds between the filling of a handmade Secret and the time at which the account must have its own Secret. */
const later = 5_000;

const automatic: Probe = async (asked) => {
  const account = await newObject(asked, accounts);
  const secret = await tokenSecret(asked, await newObject(asked, accounts));
  const listed = async (): Promise<boolean> => {
    const references = at(await asked.sandbox.current(account), 'secrets');
    return Array.isArray(references) && references.length > 0;
  };
  // a controller that fills the handmade Secret and never creates the other does not create Secrets for accounts
  const filled = await eventually(
    async () => (await listed()) || (await hasToken(asked, secret)),
    Boolean,
    asked.timeout,
  );
  if (!filled) return undefined;
  return (await eventually(listed, Boolean, later))
    ? offers('a new account has a Secret')
    : lacks('a Secret created by hand got a token, but a new account has no Secret');
};

export const controllerProbes = {
  'garbage-collection': collector,
  'quota-controller': quotaStatus,
  'namespace-controller': namespaceGoes,
  'service-account-controller': defaultAccount,
  'token-controller': handmade,
  'token-secrets': automatic,
};
