// Probes of the controllers that may run beside a server: each looks for an effect, for as long as nothing has come.
import { ownerAnnotation } from '../accountTokens.js';
import { eventually } from '../eventually.js';
import { at, isObject } from '../json.js';
import { byId, configMaps, namespaces } from '../related.js';
import { type Made, pathTo } from '../scope.js';
import { type Asked, absent, newObject, type Probe, type Seen, sending, succeeded, there } from './asked.js';

const quotas = byId('core/resourcequotas');
const accounts = byId('core/serviceaccounts');
const secrets = byId('core/secrets');

/** Waits for an effect. */
async function effect(asked: Asked, look: () => Promise<boolean>, what: string): Promise<Seen> {
  const came = await eventually(look, (seen) => seen, asked.patience);
  return came ? there(what) : absent(`in ${Math.round(asked.patience / 1000)} s it did not come: ${what}`);
}

const collector: Probe = async (asked) => {
  const uid = '11111111-2222-3333-4444-555555555555';
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'never-been-there', uid };
  const made = await newObject(asked, configMaps, { metadata: { ownerReferences: [reference] } });
  // a server that does not store the reference says nothing about who reads it
  if (at(made.object, 'metadata', 'ownerReferences', 0, 'uid') !== uid) return undefined;
  const look = async () => (await asked.scope.current(made)) === undefined;
  return effect(asked, look, 'an object whose owner is gone goes');
};

const quotaStatus: Probe = async (asked) => {
  const made = await newObject(asked, quotas);
  const look = async () => isObject(at(await asked.scope.current(made), 'status', 'hard'));
  return effect(asked, look, 'a new ResourceQuota has its status');
};

const namespaceGoes: Probe = async (asked) => {
  if (!asked.deletes) return undefined;
  const made = await asked.scope.make(namespaces);
  const body = { apiVersion: 'v1', kind: 'DeleteOptions' };
  const reply = await sending(asked, 'DELETE', pathTo(namespaces, 'delete', undefined, made.name), body);
  if (!succeeded(reply)) return undefined;
  const look = async () => (await asked.scope.current(made)) === undefined;
  return effect(asked, look, 'a deleted namespace goes');
};

const defaultAccount: Probe = async (asked) => {
  const namespace = await asked.namespace();
  const look = async () =>
    (await asked.scope.current({ resource: accounts, name: 'default', namespace })) !== undefined;
  return effect(asked, look, 'a new namespace has the service account default');
};

/** A Secret that asks for a token of an account. */
async function tokenSecret(asked: Asked, account: Made): Promise<Made> {
  const type = `${asked.scope.client.target.domains.secretType}/service-account-token`;
  const annotations = { [ownerAnnotation(asked.scope)]: account.name };
  return newObject(asked, secrets, { type, data: null, metadata: { annotations } });
}

const hasToken = async ({ scope }: Asked, secret: Made): Promise<boolean> =>
  typeof at(await scope.current(secret), 'data', 'token') === 'string';

const handmade: Probe = async (asked) => {
  const secret = await tokenSecret(asked, await newObject(asked, accounts));
  return effect(asked, () => hasToken(asked, secret), 'a Secret of a service account has a token');
};

/** Milliseconds after a Secret made by hand was filled in which that of the account must have come. */
const later = 5_000;

const automatic: Probe = async (asked) => {
  const account = await newObject(asked, accounts);
  const secret = await tokenSecret(asked, await newObject(asked, accounts));
  const listed = async (): Promise<boolean> => {
    const references = at(await asked.scope.current(account), 'secrets');
    return Array.isArray(references) && references.length > 0;
  };
  // who fills the one at once, and never makes the other, makes none
  const filled = await eventually(
    async () => (await listed()) || (await hasToken(asked, secret)),
    Boolean,
    asked.patience,
  );
  if (!filled) return undefined;
  return (await eventually(listed, Boolean, later))
    ? there('a new account has a Secret')
    : absent('a Secret made by hand was filled, and a new account has none');
};

export const controllerProbes = {
  'garbage-collection': collector,
  'quota-controller': quotaStatus,
  'namespace-controller': namespaceGoes,
  'service-account-controller': defaultAccount,
  'token-controller': handmade,
  'token-secrets': automatic,
};
