// POST on a deployment's rollback: the template of an earlier revision, back in its place.

import { revisionsOf } from '../controllers/deploymentRevisions.js';
import { noteRollback, type RollbackOutcome } from '../controllers/rollbackEvents.js';
import { invalid, notFound } from '../errors.js';
import { Causes } from '../registry/causes.js';
import { dryRunOf } from '../registry/dryRun.js';
import { atOnce } from '../registry/store.js';
import { type Draft, equal, type KubeObject, part } from '../schema/object.js';
import { draftOf, type MakeHandler, okObject, placeOf, resourceOf, storeOf, success } from './context.js';

export const rollback: MakeHandler = (dependencies) => async (request) => {
  const resource = resourceOf(request);
  const body = await draftOf(request);
  const revision = requireValid(body);
  const place = placeOf(request);
  const name = String(body.name);
  if (name !== place.name) throw notFound(resource, name);
  const dryRun = dryRunOf('CreateOptions', request.query.getAll('dryRun'));
  const store = storeOf(request, dependencies);
  const { registry } = dependencies;
  const revisions = await revisionsOf(registry, place);
  const target = revision === 0 ? previousOf(revisions) : revision;
  const template = revisions.get(target);
  const annotations = part<Readonly<Record<string, string>>>(body, 'updatedAnnotations');
  let outcome: RollbackOutcome = { is: 'not found', asked: revision };
  const { value } = await store.update(
    place,
    atOnce((current) => {
      const isSame = equal(template, part<{ template?: unknown }>(current, 'spec').template);
      if (template !== undefined) outcome = { is: isSame ? 'unchanged' : 'done', revision: target };
      return rolledBack(current, template, annotations);
    }),
    { dryRun },
  );
  if (!dryRun) await noteRollback(registry, value as KubeObject, outcome);
  return okObject({ ...success, message: `rollback request for deployment "${name}" succeeded` });
};

function requireValid(body: Draft): number {
  const { revision = 0 } = part<{ revision?: number }>(body, 'rollbackTo');
  const name = body.name;
  const causes = new Causes();
  if (!name) causes.required('name', 'name is required');
  causes.notNegative('rollback.version', revision);
  if (causes.list.length > 0) {
    throw invalid({ group: 'extensions', kind: 'DeploymentRollback' }, String(name ?? ''), causes.list);
  }
  return revision;
}

/** The revision before the newest; 0 where there is none. */
function previousOf(revisions: ReadonlyMap<number, unknown>): number {
  const [, before = 0] = [...revisions.keys()].sort((one, other) => other - one);
  return before;
}

/** Without a template the deployment has never had that revision: real servers take the request, and keep what is there. */
function rolledBack(current: KubeObject, template: unknown, added: Readonly<Record<string, string>>): Draft {
  const { annotations, resourceVersion: _any, ...metadata } = current.metadata;
  return {
    ...current,
    metadata: { ...metadata, annotations: { ...annotations, ...added } },
    ...(template !== undefined && { spec: { ...(current.spec as object), template } }),
  };
}
