// The revisions of a Deployment, which a controller writes asynchronously, as ReplicaSets.
import type { Resource } from '../../matrix/api/index.js';
import { Unchecked } from '../client/expect.js';
import { at, itemsOf, type Json } from '../client/json.js';
import { whenControlled } from './controllers.js';
import { replicaSets } from './related.js';
import type { CreatedObject, Sandbox } from './sandbox.js';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** Returns the image of the first container of a template. */
export const imageOf = (object: unknown): Json | undefined =>
  at(object, 'spec', 'template', 'spec', 'containers', 0, 'image');

/**
 * Creates a Deployment with a selector of its own: controllers of some versions mark Deployments that share a selector
 * as overlapping.
 */
export function createSeparately(sandbox: Sandbox, resource: Resource): Promise<CreatedObject> {
  const name = sandbox.name(resource);
  const labels = { app: name };
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
  return sandbox.make(resource, { name, change: { spec } });
}

/** Returns the revisions of a Deployment by the image of their template. */
export async function historyOf(
  sandbox: Sandbox,
  { name, namespace }: CreatedObject,
): Promise<Record<string, Json | undefined>> {
  // the lists of a whole namespace would grow with each Deployment of the run
  const selector = encodeURIComponent(`app=${name}`);
  const items = itemsOf(await sandbox.list(replicaSets, namespace, `?labelSelector=${selector}`));
  const own = items.filter((item) => String(at(item, 'metadata', 'name')).startsWith(`${name}-`));
  return Object.fromEntries(
    own.map((item) => [String(imageOf(item)), at(item, 'metadata', 'annotations', revisionAnnotation)]),
  );
}

/** The sandboxes of servers without a controller that writes revisions: a check waits for revisions only once. */
const without = new WeakSet<Sandbox>();

/** Waits for the revision of a template. Returns false if the revision does not come. */
export async function hasRevision(sandbox: Sandbox, made: CreatedObject, image: string): Promise<boolean> {
  if (without.has(sandbox)) return false;
  const history = await whenControlled(
    sandbox,
    () => historyOf(sandbox, made),
    (now) => now[image] !== undefined,
  );
  if (history[image] !== undefined) return true;
  without.add(sandbox);
  return false;
}

/** Throws Unchecked if no controller handles Deployments: a controller sets the observed generation. */
export async function controlled(sandbox: Sandbox, made: CreatedObject): Promise<void> {
  if (at(await sandbox.current(made), 'status', 'observedGeneration') !== undefined) return;
  throw new Unchecked('not-supported', 'no controller of Deployments runs beside the server');
}
