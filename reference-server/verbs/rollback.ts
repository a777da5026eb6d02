// POST on the rollback of a deployment: asks the deployment controller to restore the template of an earlier revision.
import { invalid, notFound } from '../errors.js';
import { cheapChange } from '../registry/store.js';
import { objectKeyOf, resourceOf } from '../request.js';
import { Causes } from '../schema/causes.js';
import { type DecodedObject, type KubeObject, part } from '../schema/object.js';
import { decodedBodyOf, type MakeHandler, okObject, storeOf, success, writeOptionsOf } from './context.js';

/** Returns a Status for the accepted request; the controller acts later. */
export const rollback: MakeHandler = (dependencies) => async (request) => {
  const { dryRun } = writeOptionsOf(request, dependencies);
  const resource = resourceOf(request);
  const body = await decodedBodyOf(request);
  requireValid(body);
  const key = objectKeyOf(request);
  const name = String(body.name);
  if (name !== key.name) throw notFound(resource, name);
  await storeOf(request, dependencies).update(
    key,
    cheapChange((current) => toRollBack(current, body)),
    { dryRun },
  );
  return okObject({ ...success, message: `rollback request for deployment "${name}" succeeded` });
};

function requireValid(body: DecodedObject): void {
  const { revision = 0 } = part<{ revision?: number }>(body, 'rollbackTo');
  const name = body.name;
  const causes = new Causes();
  if (!name) causes.required('name', 'name is required');
  causes.notNegative('rollback.version', revision);
  if (causes.list.length > 0) {
    throw invalid({ group: 'extensions', kind: 'DeploymentRollback' }, String(name ?? ''), causes.list);
  }
}

/**
 * Returns the deployment with the rollback request. The resourceVersion is dropped, so that the request applies to any
 * state.
 */
function toRollBack(current: KubeObject, body: DecodedObject): DecodedObject {
  const { annotations, resourceVersion: _any, ...metadata } = current.metadata;
  const added = part<Readonly<Record<string, string>>>(body, 'updatedAnnotations');
  return {
    ...current,
    metadata: { ...metadata, annotations: { ...annotations, ...added } },
    spec: { ...part<object>(current, 'spec'), rollbackTo: part<object>(body, 'rollbackTo') },
  };
}
