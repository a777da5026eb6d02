// What the garbage collector says about an owner in another namespace than its dependent.
import { apiVersionOf } from '../../matrix/api/index.js';
import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import type { Store } from '../registry/store.js';
import type { KubeObject } from '../schema/object.js';
import type { Note } from './events.js';

/** A dependent, as far as it is known. */
interface Dependent {
  readonly metadata: {
    readonly namespace?: string | undefined;
    readonly ownerReferences?: readonly ObjectOf<'OwnerReference'>[] | undefined;
  };
  readonly store: Pick<Store, 'resource'>;
}

/** Says which owners of a dependent are in another namespace, but for those that it had before. */
export async function noteStrangers(
  { metadata, store }: Dependent,
  before: readonly ObjectOf<'OwnerReference'>[],
  keyOf: (uid: string) => string | undefined,
  note: Note,
): Promise<void> {
  const { namespace = '', ownerReferences = [] } = metadata;
  const about = { apiVersion: apiVersionOf(store.resource.groupVersion), kind: store.resource.kind };
  for (const { apiVersion, kind, name, uid } of ownerReferences) {
    const there = namespaceIn(keyOf(uid) ?? '');
    if (there === undefined || there === namespace || before.some((of) => of.uid === uid)) continue;
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`;
    const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
    await note({ metadata } as KubeObject, about, { type: 'Warning', reason: 'OwnerRefInvalidNamespace', message });
  }
}

/** The namespace in the key of an object; undefined if it is in none. */
function namespaceIn(key: string): string | undefined {
  const [, , namespace, name] = key.split('/');
  return name === undefined ? undefined : namespace;
}
