// The rules of pods and of the templates of pods that came after the interface: a row for each field.
import { isIP } from 'node:net';
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { validateSelector } from '../../../registry/strategies/labelSelector.js';
import { validateProbe } from '../../../registry/strategies/probes.js';
import { badAddress } from '../../../registry/strategies/services.js';
import {
  configKey,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
  labelValue,
  qualifiedName,
} from '../../../schema/formats.js';
import { compareQuantities, isWhole } from '../../../schema/quantity.js';
import { standardAmounts } from './administeredRules.js';
import { validatePodAnnotations } from './podAnnotations.js';
import {
  absolute,
  all,
  atMost,
  between,
  each,
  exactlyOneOf,
  forbidden,
  formatted,
  must,
  noSteps,
  oneOf,
  type Rule,
  type Rules,
  relative,
  required,
  unique,
} from './rules.js';

const id = between(0, 2147483647);
const address = must((ip) => isIP(ip) !== 0, badAddress);
const sysctlName = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const fileFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid'];
const knownFields = new Set([...envFields, ...fileFields]);

/** A field of the pod, by its path; a label or an annotation by its key. */
const fieldRef =
  (supported: readonly string[]): Rule =>
  (selector, at, causes) => {
    if (selector === undefined) return;
    const { apiVersion, fieldPath = '' } = selector;
    const path = `${at()}.fieldPath`;
    const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(fieldPath) ?? [];
    if (fieldPath === '') causes.required(path);
    else if (apiVersion !== undefined && apiVersion !== 'v1') {
      causes.invalid(path, fieldPath, `error converting fieldPath: unsupported pod version: ${apiVersion}`);
    } else if (map !== undefined) causes.format(at(), map === 'labels' ? key : key?.toLowerCase(), qualifiedName);
    else if (!knownFields.has(fieldPath)) {
      causes.invalid(path, fieldPath, `error converting fieldPath: field label not supported: ${fieldPath}`);
    } else causes.oneOf(path, fieldPath, supported);
  };

const measured = ['cpu', 'ephemeral-storage', 'memory'];
const resourceFields = ['limits', 'requests'].flatMap((kind) => measured.map((name) => `${kind}.${name}`));
const divisors: Readonly<Record<string, readonly string[]>> = {
  cpu: ['1m', '1'],
  memory: ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'],
};

const resourceFieldRef =
  (needsContainer: boolean): Rule =>
  (selector, at, causes) => {
    if (selector === undefined) return;
    const { containerName, resource = '', divisor = '0' } = selector;
    if (needsContainer && !containerName) causes.required(`${at()}.containerName`);
    else if (resource === '') causes.required(`${at()}.resource`);
    else if (!/^(?:limits|requests)\.hugepages-/.test(resource)) {
      causes.oneOf(`${at()}.resource`, resource, resourceFields);
      const name = resource.split('.')[1];
      const known = (name === 'cpu' ? divisors.cpu : divisors.memory) ?? [];
      if (compareQuantities(divisor, '0') !== 0 && !known.some((one) => compareQuantities(one, divisor) === 0)) {
        const list = `${known.slice(0, -1).join(', ')} and ${known.at(-1)}`;
        const why = `only divisor's values ${list} are supported with the ${name} resource`;
        causes.invalid(`${at()}.divisor`, resource, why);
      }
    }
  };

/** Permissions of files, in octal. */
const mode: Rule = must(
  (bits) => bits >= 0 && bits <= 0o777,
  'must be a number between 0 and 0777 (octal), both inclusive',
);
const keyPaths = each((item, at, causes) => {
  if (!item.key) causes.required(`${at()}.key`);
  if (!item.path) causes.required(`${at()}.path`);
  filePath(item.path, () => `${at()}.path`, causes, item);
  mode(item.mode, () => `${at()}.mode`, causes, item);
});
const filePath: Rule = all(
  relative,
  must((path) => !path.startsWith('..') || path.startsWith('../'), "must not start with '..'"),
);
const modes = { defaultMode: mode };

const downwardFile: Rule = (file, at, causes) => {
  if (!file.path) causes.required(`${at()}.path`);
  filePath(file.path, () => `${at()}.path`, causes, file);
  if (file.fieldRef && file.resourceFieldRef) {
    causes.invalid(at(), 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (!file.fieldRef && !file.resourceFieldRef) {
    causes.required(at(), 'one of fieldRef and resourceFieldRef is required');
  } else {
    fieldRef(fileFields)(file.fieldRef, () => `${at()}.fieldRef`, causes, file);
    resourceFieldRef(true)(file.resourceFieldRef, () => `${at()}.resourceFieldRef`, causes, file);
  }
  mode(file.mode, () => `${at()}.mode`, causes, file);
};

/** Real servers name the list of the files of a volume, not the single ones. */
const downwardFiles: Rule = (files = [], at, causes) => {
  const volume = () => at().replace(/\.[^.]+$/, '');
  for (const file of files) downwardFile(file, volume, causes, undefined);
};

/** They name the volume in which a token has no path. */
const tokenPath: Rule = (path, at, causes, owner) => {
  if (!path) causes.required(at().replace(/\.sources\[\d+\]\.serviceAccountToken\.path$/, '.path'));
  else filePath(path, at, causes, owner);
};

const seccompTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const onlyLocal = 'can only be set when seccomp type is Localhost';

/** The words of a selector of nodes by labels, with the numbers that nodes may be compared with. */
const nodeRequirement: Rule = (requirement, at, causes) => {
  const { key = '', operator, values = [] } = requirement;
  if (operator === 'In' || operator === 'NotIn') {
    if (values.length === 0) causes.required(`${at()}.values`, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    if (values.length > 0) causes.forbidden(`${at()}.values`, why);
  } else if (operator === 'Gt' || operator === 'Lt') {
    const why = "must be specified single value when `operator` is 'Lt' or 'Gt'";
    if (values.length !== 1) causes.required(`${at()}.values`, why);
  } else causes.invalid(`${at()}.operator`, operator, 'not a valid selector operator');
  causes.format(`${at()}.key`, key, qualifiedName);
};

const nodeField: Rule = ({ key }, at, causes) => {
  if (key !== 'metadata.name') causes.invalid(`${at()}.key`, key, 'not a valid field selector key');
};

const weight = must((value) => value >= 1 && value <= 100, 'must be in the range 1-100');
const selector: Rule = (value, at, causes) => {
  if (value !== undefined) validateSelector(at(), value, causes);
};

/** Resources that a container may ask for, besides those with the domain of a vendor. */
const containerResources = ['cpu', 'memory', 'ephemeral-storage'];
const isNative = (name: string): boolean => !name.includes('/') || /(?:^|\.)kubernetes\.io\//.test(name);
const isPages = (name: string): boolean => name.startsWith('hugepages-');

const containerAmounts: Rule = (amounts, at, causes) => {
  for (const [name, amount] of Object.entries<string>(amounts ?? {})) {
    const field = `${at()}[${name}]`;
    causes.format(field, name, qualifiedName);
    if (!name.includes('/')) {
      if (!standardAmounts.includes(name) && !isPages(name) && qualifiedName(name).length === 0)
        causes.invalid(field, name, 'must be a standard resource type or fully qualified');
      if (!containerResources.includes(name) && !isPages(name)) {
        causes.invalid(field, name, 'must be a standard resource for containers');
      }
    } else if (!isNative(name)) {
      if (name.startsWith('requests.')) causes.invalid(field, name, "doesn't follow extended resource name standard");
      if (!isWhole(amount)) causes.invalid(field, amount, 'must be an integer');
    }
  }
};

/** What a vendor or a large page offers cannot be promised twice: the request is the limit. */
const containerResourcesAgree: Rule = ({ limits = {}, requests = {} }, at, causes) => {
  const exact = (name: string): boolean => isPages(name) || !isNative(name);
  for (const [name, request] of Object.entries<string>(requests)) {
    if (!exact(name)) continue;
    const limit = limits[name];
    if (limit === undefined) {
      causes.required(`${at()}.limits`, 'Limit must be set for non overcommitable resources');
    } else if (compareQuantities(limit, request) !== 0) {
      causes.invalid(`${at()}.requests`, request, `must be equal to ${name} limit`);
    }
  }
  const names = Object.keys({ ...limits, ...requests });
  if (names.some(isPages) && !names.includes('cpu') && !names.includes('memory')) {
    causes.forbidden(at(), 'HugePages require cpu or memory');
  }
};

const containerResourceRules: Rule = (resources, at, causes) => {
  if (resources === undefined) return;
  containerAmounts(resources.limits, () => `${at()}.limits`, causes, resources);
  containerAmounts(resources.requests, () => `${at()}.requests`, causes, resources);
  containerResourcesAgree(resources, at, causes, undefined);
};

const handlers = ['exec', 'httpGet', 'tcpSocket', 'sleep'];

/** Whether an init container runs beside the others. */
const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: string }): boolean => restartPolicy === 'Always';

const initContainer: Rule = (container, at, causes) => {
  if (isSidecar(container)) return;
  for (const field of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe']) {
    const value = container[field];
    if (value !== undefined)
      causes.invalid(
        `${at()}.${field}`,
        handlers.filter((one) => one in value),
        'must not be set for init containers',
      );
  }
};

/** A pod without an account has no token; its template may leave the account to admission. */
const accountOfTokens: Rule = ({ serviceAccountName, volumes = [] } = {}, at, causes) => {
  if (serviceAccountName) return;
  for (const [index, { projected: source }] of volumes.entries()) {
    for (const [position, { serviceAccountToken }] of (source?.sources ?? []).entries()) {
      if (serviceAccountToken === undefined) continue;
      const field = `${at()}.volumes[${index}].projected.sources[${position}].serviceAccountToken`;
      causes.forbidden(field, 'must not be specified when serviceAccountName is not set');
    }
  }
};

const podSpec: Rule = (spec, at, causes) => {
  const { initContainers = [], dnsPolicy, dnsConfig, priority } = spec;
  each(initContainer)(initContainers, () => `${at()}.initContainers`, causes, spec);
  if (dnsPolicy === 'None' && (dnsConfig?.nameservers ?? []).length === 0) {
    if (dnsConfig === undefined)
      causes.required(`${at()}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None');
    else
      causes.required(
        `${at()}.dnsConfig.nameservers`,
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
      );
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    const field = `${at()}.securityContext.shareProcessNamespace`;
    causes.invalid(field, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  if (spec.hostUsers === false) validateOwnUsers(spec, at, causes, undefined);
  if (priority !== undefined && priority > 1_000_000_000 && !spec.priorityClassName?.startsWith('system-')) {
    causes.forbidden(`${at()}.priority`, 'priority is too large');
  }
  validateHostPorts(spec, at, causes, undefined);
  validateDevices(spec, at, causes, undefined);
};

/** A pod with users of its own has no other namespace of its node, and no device. */
const validateOwnUsers: Rule = (spec, at, causes) => {
  const why = 'when `hostUsers` is false';
  for (const [field, name] of Object.entries({ hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' }))
    if (spec[field]) causes.forbidden(`${at()}.${name}`, why);
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'])
    for (const [index, { volumeDevices = [] }] of (spec[list] ?? []).entries())
      if (volumeDevices.length > 0) causes.forbidden(`${at()}.${list}[${index}].volumeDevices`, why);
};

const validateHostPorts: Rule = ({ containers = [] }, at, causes) => {
  const seen = new Set<string>();
  for (const [index, { ports = [] }] of containers.entries()) {
    for (const [position, { hostPort, hostIP = '', protocol = 'TCP' }] of ports.entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (seen.has(key)) causes.duplicate(`${at()}.containers[${index}].ports[${position}].hostPort`, key);
      seen.add(key);
    }
  }
};

/** A container gets the device of a claim only; other volumes have none. */
const validateDevices: Rule = ({ containers = [], volumes = [] }, at, causes) => {
  const byName = new Map<string, object>(volumes.map((volume: { name: string }) => [volume.name, volume]));
  for (const [index, { volumeDevices = [] }] of containers.entries()) {
    for (const [position, { name = '', devicePath }] of volumeDevices.entries()) {
      const field = `${at()}.containers[${index}].volumeDevices[${position}]`;
      const volume = byName.get(name);
      if (!name) causes.required(`${field}.name`);
      else if (volume === undefined) causes.notFound(`${field}.name`, name);
      else if (!('persistentVolumeClaim' in volume || 'ephemeral' in volume)) {
        const why = 'can only use volume source type of PersistentVolumeClaim for block mode';
        causes.invalid(`${field}.name`, name, why);
      }
      if (!devicePath) causes.required(`${field}.devicePath`);
      else noSteps(devicePath, () => `${field}.devicePath`, causes, undefined);
    }
  }
};

const toleration: Rule = ({ key = '', operator = 'Equal', value = '', effect, tolerationSeconds }, at, causes) => {
  if (key !== '') causes.format(`${at()}.key`, key, qualifiedName);
  else if (operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    causes.invalid(`${at()}.operator`, operator, why);
  }
  if (tolerationSeconds !== undefined && effect !== 'NoExecute') {
    causes.invalid(`${at()}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  if (operator === 'Equal') causes.format(`${at()}.operator`, value, labelValue);
  else if (operator !== 'Exists') causes.notSupported(`${at()}.operator`, operator, ['Equal', 'Exists']);
  else if (value !== '') causes.invalid(`${at()}.operator`, value, "value must be empty when `operator` is 'Exists'");
};

const securityContext: Rule = ({ allowPrivilegeEscalation, privileged, capabilities }, at, causes) => {
  if (allowPrivilegeEscalation !== false) return;
  const refuse = (why: string) => causes.invalid(at(), { allowPrivilegeEscalation }, why);
  if (privileged) refuse('cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  if (capabilities?.add?.includes('CAP_SYS_ADMIN')) {
    refuse('cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
  }
};

const mounts: Rule = (container, at, causes) => {
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const { mountPropagation } = mount;
    if (mountPropagation !== 'Bidirectional' || container.securityContext?.privileged === true) continue;
    const why = 'Bidirectional mount propagation is available only to privileged containers';
    causes.forbidden(`${at()}.volumeMounts[${index}].mountPropagation`, why);
  }
};

const startup: Rule = (probe, at, causes) => {
  validateProbe(at(), probe, causes);
  if (probe !== undefined && (probe.successThreshold ?? 1) !== 1) {
    causes.invalid(`${at()}.successThreshold`, probe.successThreshold, 'must be 1');
  }
};

const envSource: Rule = ({ configMapRef, secretRef }, at, causes) => {
  if (configMapRef && secretRef) causes.invalid(at(), '', 'may not have more than one field specified at a time');
  if (!configMapRef && !secretRef) causes.invalid(at(), '', 'must specify one of: `configMapRef` or `secretRef`');
};

const keySelector = {
  name: ((name, at, causes) => causes.format(at(), name ?? '', dns1123Subdomain)) as Rule,
  key: all(required(), formatted(configKey)),
};
const reference = { name: all(required(), formatted(dns1123Subdomain)) };
const projectedFile = { name: required(), items: keyPaths };

/** What a volume may have twice: paths of files from several sources. */
const projected: Rule = ({ sources }, at, causes) => {
  const seen = new Set<string>();
  for (const [index, source] of (sources ?? []).entries()) {
    const field = `${at()}.sources[${index}]`;
    const kinds = Object.keys(source);
    if (kinds.length > 1) causes.forbidden(field, 'may not specify more than 1 volume type');
    const { secret, configMap, downwardAPI } = source;
    // The paths of tokens are not compared.
    const items = [...(secret?.items ?? []), ...(configMap?.items ?? []), ...(downwardAPI?.items ?? [])];
    for (const { path } of items) {
      if (path && seen.has(path)) causes.invalid(at(), path, 'conflicting duplicate paths');
      seen.add(path);
    }
  }
};

const tokenSeconds = must((seconds) => seconds >= 600, 'may not specify a duration less than 10 minutes');
const lun = between(0, 255);
const partition = between(1, 255);

const iscsiName = must(
  (name) => /^(?:iqn|eui|naa)\./.test(name),
  'must be valid format starting with iqn, eui, or naa',
);

const iscsi: Readonly<Record<string, Rule>> = {
  iqn: iscsiName,
  initiatorName: (name, at, causes, owner) => iscsiName(name, () => at().replace(/Name$/, 'name'), causes, owner),
  lun,
  secretRef: (value, at, causes, { chapAuthDiscovery, chapAuthSession }) => {
    if ((chapAuthDiscovery || chapAuthSession) && value === undefined) causes.required(at());
  },
};

const storageOs = {
  volumeName: all(required(), formatted(dns1123Label)),
  volumeNamespace: formatted(dns1123Label),
};

/** The annotations of a pod, or of its template: there the path leaves out that they are metadata. */
const annotated =
  (pathOf: (metadata: string) => string): Rule =>
  (metadata, at, causes, { spec = {} }) => {
    const { annotations } = metadata ?? {};
    if (annotations === undefined) return;
    const path = () => pathOf(at());
    validatePodAnnotations(annotations, spec, path, causes, (given, field) => {
      toleration(given, () => field, causes, given);
    });
  };

const inTemplate = (metadata: string) => `${metadata.replace(/metadata$/, '')}annotations`;

export const podRules: Rules = {
  Pod: { spec: accountOfTokens, metadata: annotated((metadata) => `${metadata}.annotations`) },
  PodTemplateSpec: {
    metadata: all(annotated(inTemplate), (metadata, at, causes) => {
      for (const key of Object.keys(metadata?.annotations ?? {}))
        causes.format(inTemplate(at()), key.toLowerCase(), qualifiedName);
    }),
    spec: (spec, at, causes) => {
      if ((spec?.ephemeralContainers ?? []).length > 0)
        causes.forbidden(`${at()}.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
    },
  },
  PodSpec: {
    '': podSpec,
    activeDeadlineSeconds: must((seconds) => seconds <= 2147483647, 'must be between 1 and 2147483647, inclusive'),
    tolerations: each(toleration),
    topologySpreadConstraints: (constraints = [], at, causes) => {
      const keys = constraints.map(
        ({ topologyKey, whenUnsatisfiable }: ObjectOf<'TopologySpreadConstraint'>) =>
          `{${topologyKey}, ${whenUnsatisfiable}}`,
      );
      // The first of two is named.
      const last = new Map(keys.map((key: string, index: number) => [key, index]));
      for (const [index, key] of keys.entries())
        if (last.get(key) !== index) causes.duplicate(`${at()}[${index}].{topologyKey, whenUnsatisfiable}`, key);
    },
    preemptionPolicy: oneOf('Never', 'PreemptLowerPriority'),
    runtimeClassName: formatted(dns1123Subdomain),
    hostAliases: each(
      all(
        ({ ip }, at, causes) => address(ip ?? '', () => `${at()}.ip`, causes, undefined),
        ({ hostnames }, at, causes) =>
          each(formatted(dns1123Subdomain))(hostnames, () => `${at()}.hostnames`, causes, undefined),
      ),
    ),
  },
  PodReadinessGate: {
    conditionType: (type, at, causes) => causes.format(at(), type ?? '', qualifiedName),
  },
  Toleration: { effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute') },
  TopologySpreadConstraint: {
    maxSkew: (skew, at, causes) => {
      if (!(skew > 0)) causes.invalid(at(), skew ?? 0, 'must be greater than zero');
    },
    topologyKey: required('can not be empty'),
    matchLabelKeys: forbidden(
      (keys, { labelSelector }) => keys.length > 0 && labelSelector === undefined,
      'must not be specified when labelSelector is not set',
    ),
    whenUnsatisfiable: exactlyOneOf('DoNotSchedule', 'ScheduleAnyway'),
  },
  PodDNSConfig: {
    nameservers: all(atMost(3, 'must not have more than 3 nameservers'), each(address)),
    searches: all(atMost(32, 'must not have more than 32 search paths'), each(formatted(dns1123Subdomain))),
    options: each(({ name }, at, causes) => {
      if (!name) causes.required(at(), 'must not be empty');
    }),
  },
  PodSecurityContext: {
    runAsUser: id,
    runAsGroup: id,
    fsGroup: id,
    supplementalGroups: each(id),
    fsGroupChangePolicy: oneOf('Always', 'OnRootMismatch'),
    sysctls: unique(({ name }) => name, '.name'),
  },
  Sysctl: {
    name: all(
      required(),
      must(
        (name) => name.length <= 253 && sysctlName.test(name),
        'must have at most 253 characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$',
      ),
    ),
  },
  SeccompProfile: {
    type: all(required('type is required when seccompProfile is set'), oneOf(...seccompTypes)),
    localhostProfile: relative,
    '': ({ type, localhostProfile }, at, causes) => {
      const field = `${at()}.localhostProfile`;
      if (type === 'Localhost') {
        if (!localhostProfile) causes.required(field, 'must be set when seccomp type is Localhost');
      } else if (localhostProfile !== undefined) causes.invalid(field, localhostProfile, onlyLocal);
    },
  },
  SecurityContext: {
    '': securityContext,
    runAsUser: id,
    runAsGroup: id,
    procMount: oneOf('Default', 'Unmasked'),
  },
  WindowsSecurityContextOptions: {
    gmsaCredentialSpecName: formatted(dns1123Subdomain),
    gmsaCredentialSpec: (spec, at, causes) => {
      if (spec === '') causes.invalid(at(), spec, 'gmsaCredentialSpec cannot be an empty string');
    },
    runAsUserName: (name, at, causes) => {
      if (name === '') causes.invalid(at(), name, 'runAsUserName cannot be an empty string');
    },
  },
  Container: {
    '': mounts,
    terminationMessagePolicy: must(
      (policy) => ['File', 'FallbackToLogsOnError'].includes(policy),
      "must be 'File' or 'FallbackToLogsOnError'",
    ),
    startupProbe: startup,
    envFrom: each(envSource),
    resources: containerResourceRules,
  },
  ContainerResizePolicy: { restartPolicy: oneOf('NotRequired', 'RestartContainer') },
  EnvVarSource: { fieldRef: fieldRef(envFields), resourceFieldRef: resourceFieldRef(false) },
  ConfigMapKeySelector: keySelector,
  SecretKeySelector: keySelector,
  EnvFromSource: { prefix: formatted(envVarName) },
  ConfigMapEnvSource: reference,
  SecretEnvSource: reference,
  HTTPHeader: {
    name: must(
      (name) => /^[-A-Za-z0-9]+$/.test(name),
      "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
    ),
  },
  VolumeMount: {
    subPath: relative,
    subPathExpr: all(relative, (value, at, causes, { subPath }) => {
      if (value && subPath) causes.invalid(at(), value, 'subPathExpr and subPath are mutually exclusive');
    }),
    mountPropagation: oneOf('Bidirectional', 'HostToContainer', 'None'),
  },
  NodeSelector: { nodeSelectorTerms: required('must have at least one node selector term') },
  NodeSelectorTerm: { matchExpressions: each(nodeRequirement), matchFields: each(nodeField) },
  PreferredSchedulingTerm: { weight },
  WeightedPodAffinityTerm: {
    weight,
    podAffinityTerm: (term, at, causes) => {
      if (term === undefined) causes.required(`${at()}.topologyKey`, 'can not be empty');
    },
  },
  PodAffinityTerm: {
    topologyKey: all(required('can not be empty'), formatted(qualifiedName)),
    labelSelector: selector,
    namespaces: each(formatted(dns1123Label)),
  },
  HostPathVolumeSource: {
    path: noSteps,
    type: oneOf('', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket'),
  },
  EmptyDirVolumeSource: {
    sizeLimit: forbidden(
      (limit) => compareQuantities(limit, '0') < 0,
      'SizeLimit field must be a valid resource quantity',
    ),
  },
  SecretVolumeSource: { ...modes, items: keyPaths },
  ConfigMapVolumeSource: { ...modes, items: keyPaths },
  DownwardAPIVolumeSource: { ...modes, items: downwardFiles },
  DownwardAPIProjection: { items: downwardFiles },
  ProjectedVolumeSource: { ...modes, '': projected },
  SecretProjection: projectedFile,
  ConfigMapProjection: projectedFile,
  ServiceAccountTokenProjection: { path: tokenPath, expirationSeconds: tokenSeconds },
  NFSVolumeSource: { path: absolute },
  ISCSIVolumeSource: iscsi,
  ISCSIPersistentVolumeSource: iscsi,
  GCEPersistentDiskVolumeSource: { pdName: required(), partition },
  AWSElasticBlockStoreVolumeSource: { partition },
  GitRepoVolumeSource: { directory: relative },
  FCVolumeSource: {
    lun: (value, at, causes, { targetWWNs = [] }) => {
      if (targetWWNs.length > 0 && value === undefined)
        causes.required(at(), 'lun is required if targetWWNs is specified');
      lun(value, at, causes, undefined);
    },
  },
  FlockerVolumeSource: {
    datasetName: must((name) => !name.includes('/'), "must not contain '/'"),
    '': ({ datasetName, datasetUUID }, at, causes) => {
      if (!datasetName && !datasetUUID) causes.required(at(), 'one of datasetName and datasetUUID is required');
      else if (datasetName && datasetUUID) {
        causes.invalid(at(), 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
      }
    },
  },
  AzureDiskVolumeSource: {
    kind: oneOf('Dedicated', 'Managed', 'Shared'),
    cachingMode: oneOf('None', 'ReadOnly', 'ReadWrite'),
    diskURI: (uri, at, causes, { kind }) => {
      if (kind === 'Managed' && uri && !uri.startsWith('/subscriptions/')) {
        const form = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
        causes.notSupported(at(), uri, [form]);
      } else if (kind !== 'Managed' && uri && !uri.startsWith('https://')) {
        const form = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';
        causes.notSupported(at(), uri, [form]);
      }
    },
  },
  QuobyteVolumeSource: {
    registry: must(
      (registry) => registry.split(',').every((pair: string) => /^.+:\d+$/.test(pair)),
      'must be a host:port pair or multiple pairs separated by commas',
    ),
  },
  StorageOSVolumeSource: {
    ...storageOs,
    secretRef: (reference, at, causes) => {
      if (reference !== undefined && !reference.name) causes.required(`${at()}.name`);
    },
  },
  StorageOSPersistentVolumeSource: storageOs,
  ScaleIOVolumeSource: { volumeName: required() },
  ScaleIOPersistentVolumeSource: { volumeName: required() },
  CSIVolumeSource: {
    driver: all(formatted(dns1123Subdomain), (name = '', at, causes) => {
      if (name.length > 63) causes.tooLong(at(), 63);
    }),
    nodePublishSecretRef: (reference, at, causes) => {
      if (reference !== undefined && !reference.name) causes.required(`${at()}.name`);
    },
  },
  EphemeralVolumeSource: { volumeClaimTemplate: required() },
};
