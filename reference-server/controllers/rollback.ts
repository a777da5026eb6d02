// Rollbacks: a deployment with `rollbackTo` gets the template of that revision, and an Event reports the result.

import { timestamp } from '../registry/metadata.js';
import { atOnce, type Store } from '../registry/store.js';
import { type DecodedObject, equal, type KubeObject, part } from '../schema/object.js';
import { reportError, StatusError, unlessGone } from '../statusError.js';

/** The dependencies of rollbacks. */
export interface RollbackParts {
  readonly deployments: Pick<Store, 'update'>;
  readonly events: Pick<Store, 'create'>;
  readonly now: () => Date;
}

interface Spec {
  /** Revision 0 means the revision before the newest. */
  readonly rollbackTo?: { readonly revision?: number };
  readonly template?: unknown;
}

/** The result of a rollback. */
type Outcome =
  | { readonly is: 'done' | 'unchanged'; readonly revision: number }
  | { readonly is: 'not found'; readonly asked: number };

/** Reports whether a deployment asks for a rollback. */
export const isRollback = (deployment: KubeObject): boolean => part<Spec>(deployment, 'spec').rollbackTo !== undefined;

/**
 * Gives a deployment the template of the requested revision and removes the request. `templates` has the templates of
 * its revisions. If the revision is unknown, only the request is removed.
 */
export async function rollBack(
  deployment: KubeObject,
  templates: ReadonlyMap<number, unknown>,
  { deployments, events, now }: RollbackParts,
): Promise<void> {
  const { rollbackTo } = part<Spec>(deployment, 'spec');
  const asked = rollbackTo?.revision ?? 0;
  const revision = asked === 0 ? previousOf(templates) : asked;
  const template = templates.get(revision);
  const { namespace, name = '' } = deployment.metadata;
  let outcome: Outcome | undefined;
  const rolledBack = (current: KubeObject): DecodedObject => {
    const { rollbackTo: latest, ...spec } = part<Spec>(current, 'spec');
    outcome = undefined;
    // The request is done, or a newer request replaced it, which triggers its own call.
    if (latest === undefined || !equal(latest, rollbackTo)) return current;
    if (template === undefined) outcome = { is: 'not found', asked };
    else outcome = { is: equal(template, spec.template) ? 'unchanged' : 'done', revision };
    return { ...current, spec: { ...spec, ...(template !== undefined && { template }) } };
  };
  const updated = await deployments.update({ namespace, name }, atOnce(rolledBack)).catch(unlessGone);
  if (updated !== undefined && outcome !== undefined) await note(updated.value, outcome, events, now());
}

/** The revision before the newest, or 0 if there is none. */
function previousOf(templates: ReadonlyMap<number, unknown>): number {
  const [, before = 0] = [...templates.keys()].sort((one, other) => other - one);
  return before;
}

/** Writes the Event of a rollback. A namespace that accepts no Events is not an error. */
async function note(deployment: KubeObject, outcome: Outcome, events: RollbackParts['events'], now: Date) {
  const { name = '', namespace = '', uid, resourceVersion } = deployment.metadata;
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${micros.toString(16)}`, namespace },
    involvedObject: { kind: 'Deployment', namespace, name, uid, apiVersion: 'extensions', resourceVersion },
    ...messageOf(name, outcome),
    source: { component: 'deployment-controller' },
    firstTimestamp: timestamp(now),
    lastTimestamp: timestamp(now),
    count: 1,
  };
  try {
    await events.create(namespace, event);
  } catch (error) {
    if (!(error instanceof StatusError && [403, 404, 409].includes(error.code))) reportError(error);
  }
}

function messageOf(name: string, outcome: Outcome) {
  if (outcome.is === 'not found') {
    const message =
      outcome.asked === 0 ? 'Unable to find last revision.' : 'Unable to find the revision to rollback to.';
    return { reason: 'DeploymentRollbackRevisionNotFound', message, type: 'Warning' };
  }
  if (outcome.is === 'done') {
    const message = `Rolled back deployment "${name}" to revision ${outcome.revision}`;
    return { reason: 'DeploymentRollback', message, type: 'Normal' };
  }
  const message = `The rollback revision contains the same template as current deployment "${name}"`;
  return { reason: 'DeploymentRollbackTemplateUnchanged', message, type: 'Warning' };
}
