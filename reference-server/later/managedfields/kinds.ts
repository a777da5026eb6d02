// The kinds whose fields have owners: their shapes, and the versions that show the same objects.
import { apiVersionOf, type Resource } from '../../../matrix/api/index.js';
import { laterResources } from '../../../matrix/api/modern/resources.js';
import type { Owned } from '../../registry/fields.js';
import { isOfStatus, type Part } from '../../registry/strategy.js';
import type { KubeObject } from '../../schema/object.js';
import type { Steps } from '../../turns.js';
import { storageResource } from '../../versions/addresses.js';
import { kindConversionOf } from '../../versions/kindConversions.js';
import { tableWith } from '../../versions/servedResources.js';
import { shapeOfKind } from './fieldTable.js';
import { type ObjectShape, wholeObject } from './shape.js';
import type { Version } from './update.js';

/** The shapes of kinds that were made while the server runs, and the versions of those that store objects. */
const madeShapes = new WeakMap<Resource, () => ObjectShape>();
const madeVersions = new WeakMap<Resource, readonly Resource[]>();

/** Sets the versions of a resource that was made while the server runs, with what returns the shape of each. */
export function setVersions(stored: Resource, shapes: ReadonlyMap<Resource, () => ObjectShape>): void {
  madeVersions.set(stored, [...shapes.keys()]);
  for (const [resource, shape] of shapes) madeShapes.set(resource, shape);
}

/** Returns the shape of the objects of a resource; undefined if their fields have no owners. */
export const shapeOf = (resource: Resource): ObjectShape | undefined =>
  madeShapes.get(resource)?.() ?? shapeOfKind(apiVersionOf(resource.groupVersion), resource.kind);

type Unowned = readonly string[];

const specAndLabels: Unowned = ['spec', 'metadata.labels'];
const usersMetadata = ['labels', 'annotations', 'ownerReferences', 'finalizers'];
const specAndMetadata: Unowned = ['spec', ...usersMetadata.map((field) => `metadata.${field}`)];
const spec: Unowned = ['spec'];
const status: Unowned = ['status'];
const nothing: Unowned = [];

/** The fields that a write of a part leaves as they are, by part: no one becomes their owner. */
function unownedIn(part: Part, { hasStatus, strategy }: Owned): Unowned {
  if (isOfStatus(part) && strategy.statusKeepsMetadata === true) return specAndMetadata;
  if (isOfStatus(part)) return strategy.statusKeepsLabels ? specAndLabels : spec;
  return hasStatus ? status : nothing;
}

const shapes = new WeakMap<ObjectShape, Map<Unowned, ObjectShape>>();

/** Returns a version as a write of a part sees it; undefined if no one keeps track of its fields. */
export function versionOf(resource: Resource, part: Part, context: Owned): Version | undefined {
  const shape = shapeOf(resource);
  if (shape === undefined) return undefined;
  const unowned = unownedIn(part, context);
  const known = shapes.get(shape) ?? new Map<Unowned, ObjectShape>();
  shapes.set(shape, known);
  const whole = known.get(unowned) ?? wholeObject(shape, unowned);
  known.set(unowned, whole);
  return { apiVersion: apiVersionOf(resource.groupVersion), shape: whole };
}

/**
 * Waits until somebody else has converted objects to another version, if that is how its kind is converted: without the
 * defaults of theirs if `isBare`. Throws if they cannot be converted.
 */
export function* converted(to: Resource, objects: readonly KubeObject[], isBare = false): Steps<readonly KubeObject[]> {
  const conversion = kindConversionOf(to);
  if (conversion === undefined) return objects;
  let results = objects;
  const failures: unknown[] = [];
  yield (isBare ? conversion.bare(objects) : conversion.converted(objects)).then(
    (made) => {
      results = made;
    },
    (error: unknown) => void failures.push(error),
  );
  if (failures.length > 0) throw failures[0];
  return results;
}

const byVersion = new Map(
  tableWith(laterResources).map((each) => {
    const { plural, kind } = storageResource(each);
    return [`${apiVersionOf(each.groupVersion)} ${plural} ${kind}`, each];
  }),
);

/** Returns the resource of another version of the same objects, by apiVersion. */
export function resourceIn({ stored }: Pick<Owned, 'stored'>, apiVersion: string): Resource | undefined {
  const found = byVersion.get(`${apiVersion} ${stored.plural} ${stored.kind}`);
  if (found !== undefined && storageResource(found) === stored) return found;
  return madeVersions.get(stored)?.find(({ groupVersion }) => apiVersionOf(groupVersion) === apiVersion);
}
