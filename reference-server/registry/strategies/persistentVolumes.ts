// PersistentVolumes and claims: capacity, access modes, one source; the spec of a claim is immutable.

import type { ObjectOf } from '../../../matrix/api/modern/objects.js';
import type { Causes } from '../../schema/causes.js';
import { type DecodedObject, equal, type KubeObject, part } from '../../schema/object.js';
import { compareQuantities } from '../../schema/quantity.js';
import type { Strategy } from '../strategy.js';
import { validateSelector } from './labelSelector.js';
import { persistentSources, validateSource } from './volumes.js';

const modes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
const onePod = 'ReadWriteOncePod';

/** The access modes of servers that came later: that of a single pod goes with no other. */
export const laterModes: readonly string[] = [...modes, onePod];

function validateModes(
  known: readonly string[],
  { accessModes = [] }: { readonly accessModes?: readonly string[] },
  causes: Causes,
  why?: string,
): void {
  const field = 'spec.accessModes';
  if (accessModes.length === 0) causes.required(field, why);
  for (const mode of accessModes) causes.oneOf(field, mode, known);
  if (known.includes(onePod) && accessModes.includes(onePod) && accessModes.some((mode) => mode !== onePod))
    causes.forbidden(field, `may not use ${onePod} with other access modes`);
}

export const volumesWith = (known: readonly string[]): Strategy => ({
  deleteAnswersObject: true,
  initialStatus: () => ({ phase: 'Pending' }),
  defaults(volume) {
    const spec = part<ObjectOf<'PersistentVolumeSpec'>>(volume, 'spec');
    if (spec.persistentVolumeReclaimPolicy === undefined)
      volume.spec = { ...spec, persistentVolumeReclaimPolicy: 'Retain' };
  },
  validate(volume, causes) {
    const spec = part<ObjectOf<'PersistentVolumeSpec'>>(volume, 'spec');
    const { capacity = {}, persistentVolumeReclaimPolicy } = spec;
    validateModes(known, spec, causes);
    const names = Object.keys(capacity);
    if (names.length === 0) causes.required('spec.capacity');
    if (capacity.storage === undefined || names.length > 1) causes.notSupported('spec.capacity', capacity, ['storage']);
    for (const name of names) requirePositive(`spec.capacity[${name}]`, capacity[name] ?? '', causes);
    validateSource('spec', sourceOf(volume), persistentSources, causes);
    causes.oneOf('spec.persistentVolumeReclaimPolicy', persistentVolumeReclaimPolicy, ['Delete', 'Recycle', 'Retain']);
  },
  validateUpdate(next, current, causes) {
    if (!equal(sourceOf(next), sourceOf(current)))
      causes.forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation');
  },
});

/** Returns the fields of the spec that are a source; the others describe the volume. */
function sourceOf(volume: KubeObject | DecodedObject): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(part<ObjectOf<'PersistentVolumeSpec'>>(volume, 'spec')).filter(([name]) =>
      persistentSources.has(name),
    ),
  );
}

export const claimsWith = (known: readonly string[]): Strategy => ({
  deleteAnswersObject: true,
  initialStatus: () => ({ phase: 'Pending' }),
  validate(claim, causes) {
    const spec = part<ObjectOf<'PersistentVolumeClaimSpec'>>(claim, 'spec');
    const { selector, resources: { requests = {} } = {} } = spec;
    validateModes(known, spec, causes, 'at least 1 access mode is required');
    if (selector) validateSelector('spec.selector', selector, causes);
    const { storage } = requests;
    if (storage === undefined) causes.required('spec.resources[storage]');
    else requirePositive('spec.resources[storage]', storage, causes);
  },
  validateUpdate: (next, current, causes) => requireSameClaim(next, current, causes, 'resources.requests'),
});

export const persistentVolumes = volumesWith(modes);
export const persistentVolumeClaims = claimsWith(modes);

/** Requires that the spec of a claim stays, but for the name of its volume, which is set once. */
export function requireSameClaim(next: DecodedObject, current: KubeObject, causes: Causes, except: string): void {
  const { volumeName, ...before } = part<ObjectOf<'PersistentVolumeClaimSpec'>>(current, 'spec');
  const { volumeName: bound, ...spec } = part<ObjectOf<'PersistentVolumeClaimSpec'>>(next, 'spec');
  const rebound = volumeName !== undefined && bound !== volumeName;
  if (rebound || !equal(spec, before)) {
    causes.forbidden('spec', `spec is immutable after creation except ${except} for bound claims`);
  }
}

function requirePositive(field: string, quantity: string, causes: Causes): void {
  if (compareQuantities(quantity, '0') <= 0) causes.invalid(field, quantity, 'must be greater than zero');
}
