// The checks of the pod security standards: what a pod of a level may not have, in the words of present servers.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import type { ObjectMeta } from '../../../schema/object.js';
import type { Level } from './levels.js';

type PodSpec = ObjectOf<'PodSpec'>;
type Container = ObjectOf<'Container'>;
type SecurityContext = ObjectOf<'SecurityContext'>;

export interface Pod {
  readonly metadata: Pick<ObjectMeta, 'annotations'>;
  readonly spec: PodSpec;
}

/** What a check finds; the detail is in parentheses. */
interface Finding {
  readonly reason: string;
  readonly detail: string;
}

/** Returns what a pod has that the level forbids; nothing if it has none of it. */
type Check = (pod: Pod, minor: number) => Finding | undefined;

interface Row {
  readonly since?: number;
  readonly check: Check;
}

const quoted = (names: Iterable<string>): string => `"${[...names].join('", "')}"`;
const sorted = (values: readonly string[]): readonly string[] => [...new Set(values)].sort();
const counted = (word: string, names: Iterable<string>): string => {
  const all = [...names];
  return `${all.length === 1 ? word : `${word}s`} ${quoted(all)}`;
};
const found = (reason: string, details: readonly string[], between = '; '): Finding | undefined =>
  details.length === 0 ? undefined : { reason, detail: details.join(between) };

function* containersOf({ spec }: Pod): Generator<Container> {
  yield* spec.initContainers ?? [];
  yield* spec.containers ?? [];
  yield* (spec.ephemeralContainers ?? []) as readonly Container[];
}

/** The security contexts of a pod and of its containers, those that are there. */
const contextsOf = (pod: Pod) =>
  [pod.spec, ...containersOf(pod)].flatMap(({ securityContext }) => securityContext ?? []);

/** The names of the containers of which something holds. */
function namesWhere(pod: Pod, holds: (context: SecurityContext, container: Container) => boolean): readonly string[] {
  return [...containersOf(pod)]
    .filter((container) => holds(container.securityContext ?? {}, container))
    .map(({ name }) => name);
}

/** Names the pod, its containers, or both: those that set what is forbidden. */
function settersOf(podSets: boolean, containers: readonly string[]): readonly string[] {
  return [...(podSets ? ['pod'] : []), ...(containers.length > 0 ? [counted('container', containers)] : [])];
}

const setters = (
  reason: string,
  podSets: boolean,
  containers: readonly string[],
  what: string,
): Finding | undefined => {
  const all = settersOf(podSets, containers);
  return all.length === 0 ? undefined : { reason, detail: `${all.join(' and ')} ${what}` };
};

const containers = (reason: string, names: readonly string[], what: string): Finding | undefined =>
  setters(reason, false, names, what);

const isWindows = ({ spec: { os } }: Pod): boolean => os?.name === 'windows';
/** Whether root in the pod is nobody on its node. */
const hasOwnUsers = ({ spec: { hostUsers } }: Pod, minor: number): boolean => minor >= 35 && hostUsers === false;

const hostNamespaces: Check = ({ spec }) =>
  found(
    'host namespaces',
    (['hostNetwork', 'hostPID', 'hostIPC'] as const)
      .filter((field) => spec[field] === true)
      .map((field) => `${field}=true`),
    ', ',
  );

const isPrivileged: Check = (pod) =>
  containers(
    'privileged',
    namesWhere(pod, ({ privileged }) => privileged === true),
    'must not set securityContext.privileged=true',
  );

const usualCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
);

/** The containers that add other capabilities than these, and those capabilities. */
function addedBy(
  pod: Pod,
  allowed: ReadonlySet<string>,
): { readonly names: readonly string[]; readonly added: string } {
  const others = (context: SecurityContext) => (context.capabilities?.add ?? []).filter((name) => !allowed.has(name));
  const added = [...containersOf(pod)].flatMap(({ securityContext }) => others(securityContext ?? {}));
  return { names: namesWhere(pod, (context) => others(context).length > 0), added: quoted(sorted(added)) };
}

const includes = ({ names, added }: ReturnType<typeof addedBy>): readonly string[] =>
  names.length === 0
    ? []
    : [`${counted('container', names)} must not include ${added} in securityContext.capabilities.add`];

const baselineCapabilities: Check = (pod) =>
  found('non-default capabilities', includes(addedBy(pod, usualCapabilities)));

const restrictedCapabilities: Check = (pod, minor) => {
  if (minor >= 25 && isWindows(pod)) return undefined;
  const keeping = namesWhere(pod, ({ capabilities }) => capabilities?.drop?.includes('ALL') !== true);
  return found('unrestricted capabilities', [
    ...(keeping.length > 0
      ? [`${counted('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...includes(addedBy(pod, new Set(['NET_BIND_SERVICE']))),
  ]);
};

const hostPaths: Check = ({ spec: { volumes = [] } }) => {
  const names = volumes.filter(({ hostPath }) => hostPath).map(({ name }) => name);
  return names.length === 0 ? undefined : { reason: 'hostPath volumes', detail: counted('volume', names) };
};

const hostPorts: Check = (pod) => {
  const used = (container: Container) => (container.ports ?? []).flatMap(({ hostPort }) => hostPort || []);
  const names = namesWhere(pod, (_, container) => used(container).length > 0);
  const ports = sorted([...containersOf(pod)].flatMap(used).map(String));
  if (names.length === 0) return undefined;
  const uses = names.length === 1 ? 'uses' : 'use';
  const detail = `${counted('container', names)} ${uses} ${ports.length === 1 ? 'hostPort' : 'hostPorts'} ${ports.join(', ')}`;
  return { reason: 'hostPort', detail };
};

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

const probeHosts: Check = (pod) => {
  const hosts = (container: Container): readonly string[] =>
    [...probes.map((probe) => container[probe]), container.lifecycle?.postStart, container.lifecycle?.preStop]
      .flatMap((action) => [action?.httpGet?.host, action?.tcpSocket?.host])
      .flatMap((host) => host || []);
  const names = namesWhere(pod, (_, container) => hosts(container).length > 0);
  const all = sorted([...containersOf(pod)].flatMap(hosts));
  if (names.length === 0) return undefined;
  const uses = names.length === 1 ? 'uses' : 'use';
  const detail = `${counted('container', names)} ${uses} probe or lifecycle ${counted('host', all)}`;
  return { reason: 'probe or lifecycle host', detail };
};

/** Who sets a value that is forbidden, and which values. */
function badValues(pod: Pod, badIn: (context: Context) => string | undefined) {
  const isBad = (context: Context): boolean => badIn(context) !== undefined;
  const setters = settersOf(isBad(pod.spec.securityContext ?? {}), namesWhere(pod, isBad));
  return { setters, values: sorted(contextsOf(pod).flatMap((context) => badIn(context) ?? [])) };
}

/** What the security contexts of pods and of containers have in common. */
type Context = Pick<SecurityContext, 'appArmorProfile' | 'seccompProfile'>;

const goodProfiles = ['RuntimeDefault', 'Localhost'];
const badProfile = (profile: { readonly type?: string } | undefined): string | undefined =>
  profile === undefined || goodProfiles.includes(profile.type ?? '') ? undefined : (profile.type ?? '');

const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';
const isGoodAnnotation = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile.startsWith('localhost/');

const appArmor: Check = (pod) => {
  const bad = badValues(pod, ({ appArmorProfile }) => badProfile(appArmorProfile));
  const annotations = Object.entries(pod.metadata.annotations ?? {})
    .filter(([name, value]) => name.startsWith(appArmorAnnotation) && !isGoodAnnotation(value))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const word = annotations.length === 1 ? 'annotation' : 'annotations';
  const who = [...bad.setters, ...(annotations.length > 0 ? [word] : [])];
  const all = [...bad.values, ...sorted(annotations)];
  if (who.length === 0) return undefined;
  return {
    reason: all.length === 1 ? 'forbidden AppArmor profile' : 'forbidden AppArmor profiles',
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(all)}`,
  };
};

const selinuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

const selinux: Check = (pod, minor) => {
  type Options = NonNullable<SecurityContext['seLinuxOptions']>;
  const allowed = minor >= 31 ? [...selinuxTypes, 'container_engine_t'] : selinuxTypes;
  const badType = ({ type = '' }: Options): boolean => !allowed.includes(type);
  const isBad = ({ seLinuxOptions: options }: { readonly seLinuxOptions?: Options }): boolean =>
    options !== undefined && (badType(options) || Boolean(options.user) || Boolean(options.role));
  const who = settersOf(isBad(pod.spec.securityContext ?? {}), namesWhere(pod, isBad));
  const all = contextsOf(pod).flatMap(({ seLinuxOptions }) => seLinuxOptions ?? []);
  const types = sorted(all.filter(badType).map(({ type = '' }) => type));
  if (who.length === 0) return undefined;
  const details = [
    ...(types.length > 0 ? [`${types.length === 1 ? 'type' : 'types'} ${quoted(types)}`] : []),
    ...(all.some(({ user }) => user) ? ['user may not be set'] : []),
    ...(all.some(({ role }) => role) ? ['role may not be set'] : []),
  ];
  return {
    reason: 'seLinuxOptions',
    detail: `${who.join(' and ')} set forbidden securityContext.seLinuxOptions: ${details.join('; ')}`,
  };
};

const restrictedProcMount: Check = (pod) => {
  const isBad = ({ procMount: mount }: SecurityContext): boolean => mount !== undefined && mount !== 'Default';
  const mounts = [...containersOf(pod)].flatMap(({ securityContext: { procMount: mount } = {} }) => mount ?? []);
  const bad = sorted(mounts.filter((mount) => mount !== 'Default'));
  return containers('procMount', namesWhere(pod, isBad), `must not set securityContext.procMount to ${quoted(bad)}`);
};

const seccomp: Check = (pod) => {
  const bad = badValues(pod, ({ seccompProfile }) => badProfile(seccompProfile));
  if (bad.setters.length === 0) return undefined;
  const what = `must not set securityContext.seccompProfile.type to ${quoted(bad.values)}`;
  return { reason: 'seccompProfile', detail: `${bad.setters.join(' and ')} ${what}` };
};

const restrictedSeccomp: Check = (pod, minor) => {
  if (minor >= 25 && isWindows(pod)) return undefined;
  const bad = seccomp(pod, minor);
  if (bad !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return bad;
  const names = namesWhere(pod, ({ seccompProfile }) => seccompProfile === undefined);
  if (names.length === 0) return undefined;
  const detail = `pod or ${counted('container', names)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`;
  return { reason: 'seccompProfile', detail };
};

const procMount: Check = (pod, minor) => (hasOwnUsers(pod, minor) ? undefined : restrictedProcMount(pod, minor));

/** The sysctls that a pod may set, by the version since which it may. */
const sysctls: readonly (readonly [since: number, names: string])[] = [
  [
    0,
    'kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.tcp_syncookies net.ipv4.ping_group_range net.ipv4.ip_unprivileged_port_start',
  ],
  [27, 'net.ipv4.ip_local_reserved_ports'],
  [
    29,
    'net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes',
  ],
  [32, 'net.ipv4.tcp_rmem net.ipv4.tcp_wmem'],
  [37, 'net.ipv4.tcp_slow_start_after_idle net.ipv4.tcp_notsent_lowat'],
];

const forbiddenSysctls: Check = ({ spec }, minor) => {
  const allowed = sysctls.flatMap(([since, names]) => (since <= minor ? names.split(' ') : []));
  const bad = (spec.securityContext?.sysctls ?? []).map(({ name }) => name).filter((name) => !allowed.includes(name));
  return bad.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: bad.join(', ') };
};

const hostProcess: Check = (pod) => {
  const isHost = ({ windowsOptions }: { readonly windowsOptions?: { readonly hostProcess?: boolean } }): boolean =>
    windowsOptions?.hostProcess === true;
  const podSets = isHost(pod.spec.securityContext ?? {});
  return setters(
    'hostProcess',
    podSets,
    namesWhere(pod, isHost),
    'must not set securityContext.windowsOptions.hostProcess=true',
  );
};

const privilegeEscalation: Check = (pod, minor) =>
  minor >= 25 && isWindows(pod)
    ? undefined
    : containers(
        'allowPrivilegeEscalation != false',
        namesWhere(pod, ({ allowPrivilegeEscalation }) => allowPrivilegeEscalation !== false),
        'must set securityContext.allowPrivilegeEscalation=false',
      );

const allowedVolumes = new Set(
  'name configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' '),
);

const restrictedVolumes: Check = ({ spec: { volumes = [] } }) => {
  const typeOf = (volume: object): string | undefined =>
    Object.keys(volume).find((field) => !allowedVolumes.has(field));
  const bad = volumes.filter((volume) => typeOf(volume) !== undefined);
  if (bad.length === 0) return undefined;
  const types = sorted(bad.flatMap((volume) => typeOf(volume) ?? []));
  const uses = bad.length === 1 ? 'uses' : 'use';
  const detail = `${counted(
    'volume',
    bad.map(({ name }) => name),
  )} ${uses} ${counted('restricted volume type', types)}`;
  return { reason: 'restricted volume types', detail };
};

const runAsNonRoot: Check = (pod, minor) => {
  if (hasOwnUsers(pod, minor)) return undefined;
  const podSays = pod.spec.securityContext?.runAsNonRoot;
  const reason = 'runAsNonRoot != true';
  const bad = namesWhere(pod, (context) => context.runAsNonRoot === false);
  const explicit = setters(reason, podSays === false, bad, 'must not set securityContext.runAsNonRoot=false');
  if (explicit !== undefined || podSays === true) return explicit;
  const silent = namesWhere(pod, (context) => context.runAsNonRoot === undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${counted('container', silent)} must set securityContext.runAsNonRoot=true` };
};

const runAsUser: Check = (pod, minor) => {
  if (hasOwnUsers(pod, minor)) return undefined;
  const isRoot = (context: { readonly runAsUser?: number }): boolean => context.runAsUser === 0;
  const podSets = isRoot(pod.spec.securityContext ?? {});
  return setters('runAsUser=0', podSets, namesWhere(pod, isRoot), 'must not set runAsUser=0');
};

/** In the order in which findings are named. */
const baseline: readonly Row[] = [
  { check: appArmor },
  { check: baselineCapabilities },
  { check: hostNamespaces },
  { check: hostPaths },
  { check: hostPorts },
  { check: probeHosts, since: 34 },
  { check: isPrivileged },
  { check: procMount },
  { check: selinux },
  { check: seccomp, since: 19 },
  { check: forbiddenSysctls },
  { check: hostProcess },
];

/** What the restricted level checks in another way than the baseline does. */
const overridden: ReadonlyMap<Check, number> = new Map([
  [baselineCapabilities, 22],
  [hostPaths, 0],
  [procMount, 35],
  [seccomp, 19],
]);

const restricted: readonly Row[] = [
  { check: privilegeEscalation, since: 8 },
  { check: restrictedCapabilities, since: 22 },
  { check: restrictedProcMount, since: 35 },
  { check: restrictedVolumes },
  { check: runAsNonRoot },
  { check: runAsUser, since: 23 },
  { check: restrictedSeccomp, since: 19 },
];

/** Returns what of a pod violates a level, in the order in which it is named. */
export function findingsOf(pod: Pod, { name, minor }: Level): readonly Finding[] {
  if (name === 'privileged') return [];
  const isStrict = name === 'restricted';
  const isOverridden = ({ check }: Row): boolean => {
    const since = overridden.get(check);
    return isStrict && since !== undefined && minor >= since;
  };
  const rows = [...baseline.filter((row) => !isOverridden(row)), ...(isStrict ? restricted : [])];
  return rows.flatMap(({ since = 0, check }) => (since <= minor ? (check(pod, minor) ?? []) : []));
}

/** Returns the same as one text; undefined if nothing violates the level. */
export function violationsOf(pod: Pod, level: Level): string | undefined {
  const findings = findingsOf(pod, level);
  return findings.length === 0 ? undefined : findings.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');
}
