// What all tokens of service accounts share: the user that they mean, and the objects that must exist.
import type { Store } from '../registry/store.js';
import type { KubeObject, ObjectKey } from '../schema/object.js';
import { userNameOf } from '../serviceaccounts/tokenIssuer.js';
import type { User } from './authenticator.js';

export function accountUser(namespace: string, account: string, uid: string): User {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return { name: userNameOf(namespace, account), uid, groups };
}

/** Returns an object. Throws if it is absent or being deleted, or if it is not the one with the uid. */
export async function living(
  plural: string,
  store: Pick<Store, 'find'>,
  key: ObjectKey,
  uid?: string,
): Promise<KubeObject> {
  const object = (await store.find(key))?.value;
  const what = `${plural} ${key.namespace}/${key.name}`;
  if (object === undefined || object.metadata.deletionTimestamp !== undefined) throw new Error(`${what} is gone`);
  if (uid !== undefined && object.metadata.uid !== uid) throw new Error(`the token is that of an earlier ${what}`);
  return object;
}
