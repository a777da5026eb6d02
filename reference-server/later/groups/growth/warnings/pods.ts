// Warnings of pods and of templates of pods: of what is accepted, and is not what its writer means.
import type { ObjectOf } from '../../../../../matrix/api/modern/objects.js';
import { isTaken } from '../podAnnotations.js';
import { addressWarnings } from './addresses.js';
import { keyWarnings, labelWarnings, preferenceWarnings, termWarnings } from './nodeLabels.js';
import { ofPairs } from './pairs.js';
import { byteWarnings, volumeWarnings } from './volumes.js';

type Spec = ObjectOf<'PodSpec'>;
type Container = ObjectOf<'Container'>;
type Port = ObjectOf<'ContainerPort'>;
type Annotations = Readonly<Record<string, string>>;
type Amounts = Readonly<Record<string, string>>;
type Placed<Item> = readonly [at: string, item: Item];

const bytes = ['memory', 'ephemeral-storage'] as const;
const instead = (field: string): string => `use the "${field}" field instead`;

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': `non-functional in v1.16+; ${instead('priorityClassName')}`,
  'security.alpha.kubernetes.io/sysctls': `non-functional in v1.11+; ${instead('sysctls')}`,
  'security.alpha.kubernetes.io/unsafe-sysctls': `non-functional in v1.11+; ${instead('sysctls')}`,
};
const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/';
const appArmor = 'container.apparmor.security.beta.kubernetes.io/';

/** Returns what is said of a pod, or of the template at a path such as `spec.template`. */
export function podWarnings(
  { metadata = {}, spec = {} }: ObjectOf<'PodTemplateSpec'>,
  template = '',
): readonly string[] {
  const below = (path: string): string => (template === '' ? path : `${template}.${path}`);
  const at = below('spec');
  const annotations: Annotations = metadata.annotations ?? {};
  const containers = containersOf(at, spec);
  return [
    ...placeWarnings(at, spec),
    ...annotationWarnings(below('metadata.annotations'), annotations, spec, containers),
    ...volumeWarnings(`${at}.volumes`, spec.volumes ?? []),
    ...repeated(
      `${at}.hostAliases`,
      'ip',
      spec.hostAliases?.map(({ ip }) => ip),
    ),
    ...repeated(
      `${at}.imagePullSecrets`,
      'name',
      spec.imagePullSecrets?.map(({ name }) => name),
    ),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name }, index) =>
      name ? [] : [`${at}.imagePullSecrets[${index}].name: invalid empty name ""`],
    ),
    ...byteWarnings(`${at}.overhead`, spec.overhead as Amounts | undefined, ...bytes),
    ...containers.flatMap(([where, { resources = {}, env = [] }]) => [
      ...bytes.flatMap((name) => [
        ...byteWarnings(`${where}.resources.limits`, resources.limits as Amounts | undefined, name),
        ...byteWarnings(`${where}.resources.requests`, resources.requests as Amounts | undefined, name),
      ]),
      ...hiddenVariables(`${where}.env`, env),
    ]),
    ...portWarnings(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((server, index) =>
      addressWarnings(`${at}.dnsConfig.nameservers[${index}]`, server),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip = '' }, index) => addressWarnings(`${at}.hostAliases[${index}].ip`, ip)),
  ];
}

function containersOf(at: string, spec: Spec): readonly Placed<Container>[] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) =>
    ((spec[list] ?? []) as readonly Container[]).map(
      (container, index) => [`${at}.${list}[${index}]`, container] as const,
    ),
  );
}

const nothingSelected = 'a null labelSelector results in matching no pod';

/** What is said of what chooses the node of a pod. */
function placeWarnings(at: string, { nodeSelector = {}, affinity = {}, topologySpreadConstraints = [] }: Spec) {
  const { nodeAffinity = {} } = affinity;
  const where = `${at}.affinity.nodeAffinity`;
  const required = nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...Object.keys(nodeSelector).flatMap((label) => keyWarnings(`${at}.nodeSelector[${label}]`, label)),
    ...required.flatMap((term, index) =>
      termWarnings(`${where}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}]`, term),
    ),
    ...preferred.flatMap(({ preference = {} }, index) =>
      preferenceWarnings(`${where}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference`, preference),
    ),
    ...topologySpreadConstraints.flatMap(({ topologyKey, labelSelector }, index) => [
      ...labelWarnings(`${at}.topologySpreadConstraints[${index}].topologyKey`, topologyKey),
      ...(labelSelector === undefined
        ? [`${at}.topologySpreadConstraints[${index}].labelSelector: ${nothingSelected}`]
        : []),
    ]),
    ...(['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => {
      const { requiredDuringSchedulingIgnoredDuringExecution: needed = [] } = affinity[kind] ?? {};
      const { preferredDuringSchedulingIgnoredDuringExecution: wanted = [] } = affinity[kind] ?? {};
      const terms = [
        ...needed.map((term, index) => [`required`, index, '', term] as const),
        ...wanted.map(
          ({ podAffinityTerm }, index) => ['preferred', index, '.podAffinityTerm', podAffinityTerm] as const,
        ),
      ];
      return terms.flatMap(([how, index, inner, term]) =>
        term?.labelSelector === undefined
          ? [
              `${at}.affinity.${kind}.${how}DuringSchedulingIgnoredDuringExecution[${index}]${inner}.labelSelector: ${nothingSelected}`,
            ]
          : [],
      );
    }),
  ];
}

/** A new pod has a profile that its annotation gave it before it is looked at. */
const isUnset = (profile: object | undefined): boolean => profile === undefined || isTaken(profile);

function annotationWarnings(
  at: string,
  annotations: Annotations,
  spec: Spec,
  containers: readonly Placed<Container>[],
): readonly string[] {
  const told = (key: string, why: string): readonly string[] =>
    Object.hasOwn(annotations, key) ? [`${at}[${key}]: ${why}`] : [];
  const noSeccomp = `non-functional in v1.27+; ${instead('seccompProfile')}`;
  return [
    ...Object.entries(oldAnnotations).flatMap(([key, why]) => told(key, why)),
    ...(spec.securityContext?.seccompProfile === undefined ? told(podSeccomp, noSeccomp) : []),
    ...containers.flatMap(([, { name, securityContext = {} }]) => [
      ...(securityContext.seccompProfile === undefined ? told(`${containerSeccomp}${name}`, noSeccomp) : []),
      ...(isUnset(securityContext.appArmorProfile) && !isOfPod(annotations[`${appArmor}${name}`], spec)
        ? told(`${appArmor}${name}`, `deprecated since v1.30; ${instead('appArmorProfile')}`)
        : []),
    ]),
  ];
}

const profiles: Readonly<Record<string, string>> = { unconfined: 'Unconfined', 'runtime/default': 'RuntimeDefault' };

/** Reports whether an annotation names the profile that the whole pod has. */
function isOfPod(annotation: string | undefined, { securityContext }: Spec): boolean {
  const { type, localhostProfile } = securityContext?.appArmorProfile ?? {};
  if (type === undefined || annotation === undefined) return false;
  return type === 'Localhost' ? annotation === `localhost/${localhostProfile}` : profiles[annotation] === type;
}

function repeated(at: string, field: string, values: readonly (string | undefined)[] = []): readonly string[] {
  const before = new Set<string | undefined>();
  return values.flatMap((value, index) => {
    if (before.has(value)) return [`${at}[${index}].${field}: duplicate ${field} ${JSON.stringify(value ?? '')}`];
    before.add(value);
    return [];
  });
}

function hiddenVariables(at: string, variables: readonly ObjectOf<'EnvVar'>[]): readonly string[] {
  const before = new Set<string | undefined>();
  return variables.flatMap(({ name, value = '', valueFrom }, index) => {
    if (!before.has(name)) {
      before.add(name);
      return [];
    }
    const reference = `$(${name})`;
    if (valueFrom === undefined && value !== reference && value.includes(reference)) return [];
    return [`${at}[${index}]: hides previous definition of "${name}", which may be dropped when using apply`];
  });
}

function portWarnings(containers: readonly Placed<Container>[]): readonly string[] {
  const all = containers.flatMap(([at, { ports = [] }]) =>
    ports.map((port, index) => [`${at}.ports[${index}]`, port] as const),
  );
  const unbound = all.flatMap(([at, port]) =>
    port.hostIP && !port.hostPort ? [`${at}: hostIP set without hostPort: ${printed(port)}`] : [],
  );
  const clashes = ofPairs(all, ([at, port], [where, other]) => {
    const how = clashOf(port, other);
    return how && `${at}: ${how} port definition with ${where}`;
  });
  const first = new Map<string, string>();
  const names = all.flatMap(([at, { name }]) => {
    const other = first.get(name ?? '');
    if (name && other === undefined) first.set(name, at);
    if (!name || other === undefined) return [];
    const used = `services and probes that select ports by name will use ${other}`;
    return [`${at}: duplicate port name "${name}" with ${other}, ${used}`];
  });
  return [...unbound, ...clashes, ...names];
}

function clashOf(one: Port, other: Port): string | undefined {
  if (one.containerPort !== other.containerPort || (one.protocol ?? 'TCP') !== (other.protocol ?? 'TCP'))
    return undefined;
  const [port, otherPort] = [one.hostPort ?? 0, other.hostPort ?? 0];
  const [ip, otherIp] = [one.hostIP ?? '', other.hostIP ?? ''];
  if (ip === otherIp && port === otherPort) return 'duplicate';
  if (port === 0 || otherPort === 0) return 'overlapping';
  return port === otherPort && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}

const printed = ({ name = '', hostPort = 0, containerPort, protocol = 'TCP', hostIP = '' }: Port): string =>
  `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
