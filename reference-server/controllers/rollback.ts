// Rollbacks: a deployment with `rollbackTo` gets the template of that revision, and an Event reports the result.

import type { ObjectOf } from '../../matrix/api/modern/objects.js';
import { cheapChange, type Store } from '../registry/store.js';
import { type DecodedObject, equal, type KubeObject, part } from '../schema/object.js';
import { unlessGone } from '../statusError.js';
import type { Note, Remark } from './events.js';

export interface RollbackParts {
  readonly deployments: Pick<Store, 'update'>;
  readonly note: Note;
}

const deploymentKind = { apiVersion: 'extensions', kind: 'Deployment' };

/** The result of a rollback. */
type Outcome =
  | { readonly is: 'done' | 'unchanged'; readonly revision: bigint }
  | { readonly is: 'not found'; readonly asked: bigint };

export const deploymentSpecOf = (deployment: KubeObject) =>
  part<ObjectOf<'extensions.v1beta1.DeploymentSpec'>>(deployment, 'spec');

export const isRollback = (deployment: KubeObject): boolean => deploymentSpecOf(deployment).rollbackTo !== undefined;

/**
 * Gives a deployment the template of the requested revision and removes the request. `templates` has the templates of
 * its revisions. If the revision is unknown, only the request is removed.
 */
export async function rollBack(
  deployment: KubeObject,
  templates: ReadonlyMap<bigint, unknown>,
  { deployments, note }: RollbackParts,
): Promise<void> {
  const { rollbackTo } = deploymentSpecOf(deployment);
  const asked = BigInt(rollbackTo?.revision ?? 0);
  const revision = asked === 0n ? previousOf(templates) : asked;
  const template = templates.get(revision);
  const { namespace, name = '' } = deployment.metadata;
  let outcome: Outcome | undefined;
  const rolledBack = (current: KubeObject): DecodedObject => {
    const { rollbackTo: latest, ...spec } = deploymentSpecOf(current);
    outcome = undefined;
    // The request is done, or a newer request replaced it, which triggers its own call.
    if (latest === undefined || !equal(latest, rollbackTo)) return current;
    if (template === undefined) outcome = { is: 'not found', asked };
    else outcome = { is: equal(template, spec.template) ? 'unchanged' : 'done', revision };
    return { ...current, spec: { ...spec, ...(template !== undefined && { template }) } };
  };
  const updated = await deployments.update({ namespace, name }, cheapChange(rolledBack)).catch(unlessGone);
  if (updated !== undefined && outcome !== undefined)
    await note(updated.value, deploymentKind, remarkOf(name, outcome));
}

/** The revision before the newest, or 0 if there is none. */
function previousOf(templates: ReadonlyMap<bigint, unknown>): bigint {
  const [, before = 0n] = [...templates.keys()].sort((one, other) => Number(other - one));
  return before;
}

function remarkOf(name: string, outcome: Outcome): Remark {
  if (outcome.is === 'not found') {
    const message =
      outcome.asked === 0n ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    return { reason: 'DeploymentRollbackRevisionNotFound', message, type: 'Warning' };
  }
  if (outcome.is === 'done') {
    const message = `Rolled back deployment "${name}" to revision ${outcome.revision}`;
    return { reason: 'DeploymentRollback', message, type: 'Normal' };
  }
  const message = `The rollback revision contains the same template as current deployment "${name}"`;
  return { reason: 'DeploymentRollbackTemplateUnchanged', message, type: 'Warning' };
}
