// Claims of present servers: a bound one grows, and asks for other attributes of its volume.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { requireSameClaim } from '../../../registry/strategies/persistentVolumes.js';
import { type DecodedObject, part } from '../../../schema/object.js';
import { compareQuantities } from '../../../schema/quantity.js';
import type { Grow } from './grow.js';

type Spec = ObjectOf<'PersistentVolumeClaimSpec'>;
type Status = ObjectOf<'PersistentVolumeClaimStatus'>;

/** The minor versions since which claims grow, change their attributes, and shrink again if they could not grow. */
const [growsSince, changesSince, shrinksSince] = [11, 34, 32];
/** The minor version since which servers name the attributes, which they let change later. */
const namedSince = 29;
/** The minor version since which a claim without a class may get one, when there is a default. */
const lateClassSince = 26;
/** The minor version since which a claim may be filled from any kind, by dataSourceRef. */
const refSince = 24;

const specOf = (claim: DecodedObject): Spec => part<Spec>(claim, 'spec');
const sizeOf = ({ resources }: Spec): string => resources?.requests?.storage ?? '0';

/** Returns a spec with what a bound claim may change as it was. */
function unchanged(next: Spec, { resources, volumeAttributesClassName }: Spec, mayChange: boolean): Spec {
  const { volumeAttributesClassName: given, ...spec } = next;
  const kept = mayChange && given !== undefined ? volumeAttributesClassName : given;
  const { storage } = resources?.requests ?? {};
  const requests = { ...next.resources?.requests, ...(storage !== undefined && { storage }) };
  return {
    ...spec,
    ...(next.resources?.requests && { resources: { ...next.resources, requests } }),
    ...(kept !== undefined && { volumeAttributesClassName: kept }),
  };
}

/** Returns a spec without the class that a claim gets late. */
function withoutLateClass({ storageClassName, ...spec }: Spec, before: Spec): Spec {
  if (before.storageClassName === undefined) return spec;
  return storageClassName === undefined ? spec : { ...spec, storageClassName };
}

const isKnown = ({ apiGroup, kind }: NonNullable<Spec['dataSource']>): boolean =>
  apiGroup ? apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot' : kind === 'PersistentVolumeClaim';

/** Returns a new spec whose two sources name the same: other kinds than claims and snapshots are in dataSourceRef alone. */
function withSources({ dataSource: given, ...spec }: Spec, minor: number): Spec {
  const dataSource = given && isKnown(given) ? given : undefined;
  const { dataSourceRef } = spec;
  if (minor < refSince || dataSource !== undefined) {
    const ref = dataSourceRef ?? (minor < refSince ? undefined : dataSource);
    return { ...spec, ...(dataSource && { dataSource }), ...(ref && { dataSourceRef: ref }) };
  }
  if (dataSourceRef === undefined || dataSourceRef.namespace) return spec;
  const { namespace: _namespace, ...ref } = dataSourceRef;
  return { ...spec, dataSource: ref };
}

export const grownClaims: Grow = (strategy, { minor }) => {
  if (minor < growsSince) return strategy;
  return {
    ...strategy,
    prepareCreate(claim) {
      strategy.prepareCreate?.(claim);
      claim.spec = withSources(specOf(claim), minor);
    },
    validateUpdate(next, current, causes) {
      const [spec, before] = [specOf(next), specOf(current)];
      const { phase, capacity } = part<Status>(next, 'status');
      const kept = phase === 'Bound' ? unchanged(spec, before, minor >= changesSince) : spec;
      const compared = { ...next, spec: minor < lateClassSince ? kept : withoutLateClass(kept, before) };
      const except = `resources.requests${minor >= namedSince ? ' and volumeAttributesClassName' : ''}`;
      requireSameClaim(compared, current, causes, except);
      causes.immutable('volumeMode', spec.volumeMode, spec.volumeMode === before.volumeMode);
      if (compareQuantities(sizeOf(spec), sizeOf(before)) >= 0) return;
      const field = 'spec.resources.requests.storage';
      if (minor < shrinksSince) causes.forbidden(field, 'field can not be less than previous value');
      else if (compareQuantities(sizeOf(spec), capacity?.storage ?? '0') <= 0)
        causes.forbidden(field, 'field can not be less than status.capacity');
    },
  };
};
