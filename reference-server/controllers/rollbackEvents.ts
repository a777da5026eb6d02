// What real servers write down of a rollback: an Event on the deployment, with the reason that tools look for.
import { reportError, StatusError } from '../errors.js';
import type { Registry } from '../registry/registry.js';
import type { KubeObject } from '../schema/object.js';

/** How a rollback ended. */
export type RollbackOutcome =
  | { readonly is: 'done' | 'unchanged'; readonly revision: number }
  | { readonly is: 'not found'; readonly asked: number };

/** Writes the Event of a rollback. A namespace that takes none is no fault of the rollback. */
export async function noteRollback(
  registry: Registry,
  deployment: KubeObject,
  outcome: RollbackOutcome,
): Promise<void> {
  const { name = '', namespace = '', uid, resourceVersion } = deployment.metadata;
  const now = registry.now();
  const micros = Math.floor((performance.timeOrigin + performance.now()) * 1000);
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${micros.toString(16)}`, namespace },
    involvedObject: { kind: 'Deployment', namespace, name, uid, apiVersion: 'extensions', resourceVersion },
    ...told(name, outcome),
    source: { component: 'deployment-controller' },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  try {
    await registry.of('core/events').create(namespace, event);
  } catch (error) {
    if (!(error instanceof StatusError && [403, 404, 409].includes(error.code))) reportError(error);
  }
}

function told(name: string, outcome: RollbackOutcome) {
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
