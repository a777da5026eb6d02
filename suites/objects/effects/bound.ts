// Metadata that concerns other objects: owners and finalizers, which a server keeps as they were sent.
import { type Resource, resourceId } from '../../../matrix/api/index.js';
import { at, type JsonObject } from '../../client/json.js';
import { pathTo } from '../../client/paths.js';
import { releaseAnyhow } from '../anyhow.js';
import { configMaps } from '../related.js';
import type { Sandbox } from '../sandbox.js';
import type { Written } from './places.js';

/** The kinds that get such metadata: no controller acts on them, and each needs one object and one write more. */
const bound = new Set(['core/configmaps', 'core/secrets']);

/**
 * Returns metadata with an owner, which exists, so that no garbage collector removes the object; with a finalizer, which
 * `unbind` removes; and with a generateName, which names nothing where there is a name. Nothing for other kinds.
 */
export async function boundMetadata(sandbox: Sandbox, resource: Resource): Promise<JsonObject> {
  if (!bound.has(resourceId(resource))) return {};
  const { name, object } = await sandbox.make(configMaps);
  const uid = at(object, 'metadata', 'uid');
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name, controller: true };
  return {
    // A server that gives no uid is judged by other checks; a reference needs one.
    ...(typeof uid === 'string' && { ownerReferences: [{ ...owner, uid }] }),
    finalizers: ['kube-api-conformance/bound'],
    generateName: `${sandbox.name()}-`,
  };
}

/** Removes the finalizer of `boundMetadata`. The clean-up does the same for an object that is left. */
export async function unbind({ client }: Sandbox, { resource, name, namespace }: Written): Promise<void> {
  if (!bound.has(resourceId(resource))) return;
  await releaseAnyhow(client, pathTo(resource, 'patch', namespace, name));
}
