// The revisions of a Deployment, which a controller writes down in its own time, as ReplicaSets.
import type { Resource } from '../../matrix/api/index.js';
import { eventually } from './eventually.js';
import { Unjudged } from './expect.js';
import { at, itemsOf, type Json } from './json.js';
import { replicaSets } from './related.js';
import type { Made, Scope } from './scope.js';

/** The annotation that numbers a revision. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** The image of the first container of a template. */
export const imageOf = (object: unknown): Json | undefined =>
  at(object, 'spec', 'template', 'spec', 'containers', 0, 'image');

/** Creates a Deployment whose selector is its own: controllers of one age mark those that share one as overlapping. */
export function makeApart(scope: Scope, resource: Resource): Promise<Made> {
  const name = scope.name(resource);
  const labels = { app: name };
  const spec = { selector: { matchLabels: labels }, template: { metadata: { labels } } };
  return scope.make(resource, { name, change: { spec } });
}

/** The revisions of a Deployment by the image of their template. */
export async function historyOf(scope: Scope, { name, namespace }: Made): Promise<Record<string, Json | undefined>> {
  const items = itemsOf(await scope.list(replicaSets, namespace));
  const own = items.filter((item) => String(at(item, 'metadata', 'name')).startsWith(`${name}-`));
  return Object.fromEntries(
    own.map((item) => [String(imageOf(item)), at(item, 'metadata', 'annotations', revisionAnnotation)]),
  );
}

/** The servers where nobody was seen to write revisions: nobody waits for them again. */
const without = new WeakSet<Scope>();

/** Waits for the revision of a template; false where it does not come. */
export async function hasRevision(scope: Scope, made: Made, image: string): Promise<boolean> {
  if (without.has(scope)) return false;
  const history = await eventually(
    () => historyOf(scope, made),
    (now) => now[image] !== undefined,
  );
  if (history[image] !== undefined) return true;
  without.add(scope);
  return false;
}

/** Throws Unjudged where no controller looks at Deployments: one that does says which generation it has seen. */
export async function controlled(scope: Scope, made: Made): Promise<void> {
  if (at(await scope.current(made), 'status', 'observedGeneration') !== undefined) return;
  throw new Unjudged('not-supported', 'no controller of Deployments runs beside the server');
}
