// The annotations of pods that servers read: profiles of security from before the fields, and others with rules.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { Causes } from '../../../schema/causes.js';
import { type DecodedObject, type KubeObject, part } from '../../../schema/object.js';

type PodSpec = ObjectOf<'PodSpec'>;
type Container = ObjectOf<'Container'>;
type Profile = ObjectOf<'SeccompProfile'> & ObjectOf<'AppArmorProfile'>;
type Annotations = Readonly<Record<string, string>>;

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';
const mirror = 'kubernetes.io/config.mirror';
const deletionCost = 'controller.kubernetes.io/pod-deletion-cost';
const local = 'localhost/';

/** The minor versions whose servers keep the fields of seccomp and its annotations the same. */
const seccompIsShared = (minor: number): boolean => minor >= 19 && minor < 27;
/** The minor version since which AppArmor has a field. */
const appArmorSince = 30;
/** The minor version since which controllers read the cost of a deletion. */
const costSince = 21;

const containersOf = ({ containers = [], initContainers = [], ephemeralContainers = [] }: PodSpec) =>
  [containers, initContainers, ephemeralContainers].flat() as readonly Container[];

/** Checks the annotations of a pod or of a template. `at` returns their path. */
export function validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  at: () => string,
  causes: Causes,
  validateToleration: (toleration: unknown, field: string) => void,
): void {
  let names: ReadonlySet<string> | undefined;
  for (const [key, value] of Object.entries(annotations)) {
    if (key === mirror && !spec.nodeName)
      causes.invalid(`${at()}[${key}]`, value, 'must set spec.nodeName if mirror pod annotation is set');
    else if (key === 'scheduler.alpha.kubernetes.io/tolerations' && value !== '') {
      const given = listOf(value);
      if (given === undefined) causes.invalid(at(), key, 'must be a JSON list of tolerations');
      given?.forEach((toleration, index) => {
        validateToleration(toleration, `${at()}.${key}[${index}]`);
      });
    } else if (key === podSeccomp || key.startsWith(containerSeccomp)) validateSeccomp(`${at()}.${key}`, value, causes);
    else if (key.startsWith(appArmor)) {
      const name = key.slice(appArmor.length);
      names ??= new Set(containersOf(spec).map((container) => container.name));
      if (!names.has(name)) causes.invalid(`${at()}[${key}]`, name, 'container not found');
      if (!['', 'runtime/default', 'unconfined'].includes(value) && !value.startsWith(local))
        causes.invalid(`${at()}[${key}]`, value, `invalid AppArmor profile name: ${JSON.stringify(value)}`);
    }
  }
}

function listOf(text: string): readonly Readonly<Record<string, unknown>>[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'object' && item !== null) ? list : undefined;
  } catch {
    return undefined;
  }
}

function validateSeccomp(field: string, value: string, causes: Causes): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(value)) return;
  if (!value.startsWith(local)) causes.invalid(field, value, 'must be a valid seccomp profile');
  else {
    const path = value.slice(local.length);
    if (path.startsWith('/')) causes.invalid(field, path, 'must be a relative path');
    if (path.split('/').includes('..')) causes.invalid(field, path, "must not contain '..'");
  }
}

/** Checks the cost of the deletion of a pod, by which a controller chooses which of its pods goes first. */
export function validateDeletionCost({ metadata }: KubeObject, minor: number, causes: Causes): void {
  const value = metadata.annotations?.[deletionCost];
  if (value === undefined || minor < costSince) return;
  const isWhole = /^(?:0|-[1-9]\d*|[1-9]\d*)$/.test(value) && Math.abs(Number(value)) < 2 ** 31;
  if (!isWhole) causes.invalid(`metadata.annotations[${deletionCost}]`, value, 'must be a 32bit integer');
}

const fixed = (key: string): string | undefined => {
  if (key === mirror) return 'mirror pod annotation';
  return key.startsWith(appArmor) ? 'AppArmor annotations' : undefined;
};

/** Refuses the annotations that a pod has for its whole life, if an update changes them. */
export function requireSameAnnotations(next: KubeObject, current: KubeObject, causes: Causes): void {
  const [after = {}, before = {}] = [next, current].map(({ metadata }) => metadata.annotations);
  if (after === before) return;
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const what = fixed(key);
    if (what === undefined || after[key] === before[key]) continue;
    const verb = before[key] === undefined ? 'add' : 'remove or update';
    causes.forbidden(`metadata.annotations[${key}]`, `may not ${verb} ${what}`);
  }
}

const seccompTypes: Readonly<Record<string, string>> = {
  unconfined: 'Unconfined',
  'docker/default': 'RuntimeDefault',
  'runtime/default': 'RuntimeDefault',
};

function profileOf(annotation: string | undefined, types: Readonly<Record<string, string>>): Profile | undefined {
  if (annotation === undefined) return undefined;
  const type = types[annotation];
  if (type !== undefined) return { type };
  return annotation.length > local.length && annotation.startsWith(local)
    ? { type: 'Localhost', localhostProfile: annotation.slice(local.length) }
    : undefined;
}

const annotationOf = ({ type, localhostProfile = '' }: Profile): string =>
  type === 'Localhost' ? `${local}${localhostProfile}` : type === 'Unconfined' ? 'unconfined' : 'runtime/default';

/** Gives a new pod the fields of its annotations, and from 1.19 to 1.26 the annotations of its fields. */
export function shareProfiles(pod: DecodedObject, minor: number): void {
  const { annotations } = pod.metadata;
  if (seccompIsShared(minor)) shareSeccomp(pod);
  if (annotations !== undefined && minor >= appArmorSince) takeAppArmor(pod, annotations);
}

type Secured = { readonly securityContext?: { readonly seccompProfile?: Profile } };

function shareSeccomp(pod: DecodedObject): void {
  const { annotations = {} } = pod.metadata;
  const added: Record<string, string> = {};
  const shared = <T extends Secured>(owner: T, key: string): T => {
    const profile = owner.securityContext?.seccompProfile;
    if (profile !== undefined) {
      if (annotations[key] === undefined) added[key] = annotationOf(profile);
      return owner;
    }
    const taken = profileOf(annotations[key], seccompTypes);
    return taken ? { ...owner, securityContext: { ...owner.securityContext, seccompProfile: taken } } : owner;
  };
  const spec = shared(part<PodSpec>(pod, 'spec'), podSeccomp);
  pod.spec = withContainers(spec, (container) => shared(container, `${containerSeccomp}${container.name}`));
  if (Object.keys(added).length > 0) pod.metadata.annotations = { ...annotations, ...added };
}

const appArmorTypes = { unconfined: 'Unconfined', 'runtime/default': 'RuntimeDefault' };

/** The profiles that come from annotations. */
const taken = new WeakSet<object>();

/** Reports whether a container of a new pod has its profile from an annotation, which is older than the field. */
export const isTaken = (profile: object): boolean => taken.has(profile);

function takeAppArmor(pod: DecodedObject, annotations: Annotations): void {
  if (!Object.keys(annotations).some((key) => key.startsWith(appArmor))) return;
  const spec = part<PodSpec>(pod, 'spec');
  if (spec.os?.name === 'windows') return;
  const ofPod = spec.securityContext?.appArmorProfile;
  pod.spec = withContainers(spec, (container) => {
    const { securityContext } = container;
    const profile = profileOf(annotations[`${appArmor}${container.name}`], appArmorTypes);
    if (profile === undefined || securityContext?.appArmorProfile !== undefined) return container;
    const isSame = ofPod?.type === profile.type && ofPod.localhostProfile === profile.localhostProfile;
    if (isSame) return container;
    taken.add(profile);
    return { ...container, securityContext: { ...securityContext, appArmorProfile: profile } };
  });
}

function withContainers(spec: PodSpec, change: (container: Container) => Container): PodSpec {
  const { containers, initContainers } = spec;
  return {
    ...spec,
    ...(containers && { containers: containers.map(change) }),
    ...(initContainers && { initContainers: initContainers.map(change) }),
  };
}
