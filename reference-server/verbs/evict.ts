// Evictions: deletes of pods that may be refused.

import { badRequest } from '../errors.js';
import { type DeleteOptions, deleteOptions } from '../registry/deletion.js';
import { objectKeyOf } from '../request.js';
import type { KubeObject } from '../schema/object.js';
import { type Dependencies, decodedBodyOf, type MakeHandler, okObject, success, writeOptionsOf } from './context.js';

/** Throws the refusal of an eviction, or returns the options of the delete. */
type Permit = (pod: KubeObject, dependencies: Dependencies, options: DeleteOptions) => Promise<DeleteOptions>;

/** Makes the handler of evictions. */
export const evictIf =
  (permit: Permit = async (_pod, _dependencies, options) => options): MakeHandler =>
  (dependencies) =>
  async (request) => {
    const { dryRun } = writeOptionsOf(request, dependencies);
    const eviction = await decodedBodyOf(request);
    const key = objectKeyOf(request);
    if (eviction.metadata.name !== key.name) throw badRequest('name in URL does not match name in Eviction object');
    const given = readOptions(eviction.deleteOptions ?? {});
    const options = { ...given, dryRun: dryRun || given.dryRun };
    const pods = dependencies.registry.of('core/pods');
    const pod = await pods.find(key);
    await pods.delete(key, pod === undefined ? options : await permit(pod.value, dependencies, options));
    return okObject(success);
  };

export const evict = evictIf();

function readOptions(value: unknown): DeleteOptions {
  return deleteOptions({ mediaType: 'application/json', value: value }, new URLSearchParams());
}
